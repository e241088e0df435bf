package rest

import (
	"context"
	"crypto/rand"
	"net/http"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/connectors"
)

// EditSiteRequest changes the fields that it names and leaves the others as they are.
type EditSiteRequest struct {
	Domain           *string          `json:"domain,omitempty" minLength:"1" maxLength:"253" pattern:"^[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?(\\.[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?)*$" patternDescription:"a host name without scheme or path"`
	CMSType          *string          `json:"cms_type,omitempty" enum:"wordpress,webflow,shopify,headless,none"`
	Connection       ConnectionFields `json:"connection,omitempty"`
	NewSigningSecret bool             `json:"new_signing_secret,omitempty" doc:"Of the type headless: makes another signing secret, shown in this answer only."`
	PoliciesEdit
}

// EditSiteInput is the input of edit-site.
type EditSiteInput struct {
	OnSite
	Body EditSiteRequest
}

// RemoveSiteInput is the input of delete-site.
type RemoveSiteInput struct{ OnSite }

// requiredOfSite is a field that every manifest of a site has.
const requiredOfSite = ".spec.domain"

func (s *service) registerSiteEdits() {
	g := s.group(tagSites, v1alpha1.ScopeManage)
	op := s.operation(http.MethodPatch, "/v1/api/sites/{uid}", "edit-site", editing...)
	op.Summary = "Edit a site"
	op.Description = "A change of the connection needs its credentials again, except for payload_format: they are used for " +
		"one address alone. " +
		"A signing secret that is left out is made, and only this answer shows it."
	handle(g, op, s.editSite)

	op = s.operation(http.MethodDelete, "/v1/api/sites/{uid}", "delete-site", deleting...)
	op.Summary = "Delete a site"
	op.Description = "Deletes the site with its credentials. Its articles stay here, and what it has received stays there."
	op.DefaultStatus = http.StatusNoContent
	handle(g, op, s.deleteSite)
}

func (s *service) editSite(ctx context.Context, c *call, in *EditSiteInput) (*SiteSettingsOutput, error) {
	var last error
	for range maxAttempts {
		site, err := s.liveSite(ctx, c, in.OnSite)
		if err != nil {
			return nil, err
		}
		out, err := s.tryEdit(ctx, c, site, &in.Body)
		if !apierrors.IsConflict(err) {
			return out, err
		}
		// The site was written meanwhile: decide again on what it is now.
		last = err
	}
	return nil, last
}

// tryEdit changes a site as it was read. The Secret of a new connection is created first, and is owned by the site: whatever ends the call
// in between, the site goes on with the connection that it has.
func (s *service) tryEdit(ctx context.Context, c *call, site *v1alpha1.Site, r *EditSiteRequest) (*SiteSettingsOutput, error) {
	old := site.DeepCopy()
	if r.Domain != nil {
		site.Spec.Domain = *r.Domain
	}
	if r.apply(site) && !c.principal.Has(v1alpha1.ScopeApprove) {
		return nil, problem.InsufficientScope("approve")
	}
	secret, err := r.connect(site)
	if err != nil {
		return nil, err
	}
	if equality.Semantic.DeepEqual(old.Spec, site.Spec) {
		return s.settingsOutput(site, ""), nil
	}
	if err := kept(old.ManagedFields, requiredOfSite, "change"); err != nil {
		return nil, err
	}
	if secret.values != nil {
		if err := s.createSiteSecret(ctx, site, secret); err != nil {
			return nil, err
		}
	}
	if err := s.patchSite(ctx, old, site); err != nil {
		// While nobody knows whether the site names it now, it stays. It is deleted with the site at the latest.
		if secret.values != nil && !problem.IsUnavailable(err) {
			s.deleteSiteSecret(ctx, site.Namespace, secret.name)
		}
		return nil, err
	}
	if before := connectors.SecretOf(old); before != connectors.SecretOf(site) &&
		strings.HasPrefix(before, siteSecretPrefix+site.Name+"-") {
		s.deleteSiteSecret(ctx, site.Namespace, before)
	}
	if secret.values != nil {
		s.askForTest(ctx, site)
	}
	return s.settingsOutput(site, secret.shown), nil
}

func (s *service) patchSite(ctx context.Context, old, site *v1alpha1.Site) error {
	ctx, cancel := context.WithTimeout(ctx, s.Limits.CallTimeout)
	defer cancel()
	patch := client.MergeFromWithOptions(old, client.MergeFromWithOptimisticLock{})
	return aboutSite(s.Client.Patch(ctx, site, patch, client.FieldOwner(managerCreate)))
}

// connect changes the connection of a site as the request says. If the connection needs its credentials again, it returns the Secret
// that must be created.
func (r *EditSiteRequest) connect(site *v1alpha1.Site) (secret siteSecret, err error) {
	if r.CMSType == nil && r.Connection == nil && !r.NewSigningSecret {
		return siteSecret{}, nil
	}
	form, earlier, ok := r.form(site)
	if !ok {
		return siteSecret{}, problem.Conflict("the connection of sites of this cms_type cannot be changed here")
	}
	if secret, err = newSiteSecret(site.Name, rand.Reader); err != nil {
		return siteSecret{}, err
	}
	entered, faults := form.Read(r.Connection, earlier, connectors.SecretOf(site))
	renew := len(entered.Secrets) > 0 || (r.NewSigningSecret && form.Generated() != "") ||
		!connectors.SameButFormat(entered.CMS, site.Spec.CMS)
	if renew {
		entered, _ = form.Read(r.Connection, earlier, secret.name)
		faults = append(faults, form.Missing(entered.Secrets)...)
	}
	if details := r.connectionDetails(form, faults); len(details) > 0 {
		return siteSecret{}, problem.Invalid(details...)
	}
	if len(secret.name) > maxObjectName {
		return siteSecret{}, problem.Conflict("the site's name in Kubernetes is too long for a Secret of its own: change its manifest")
	}
	site.Spec.CMS = entered.CMS
	if !renew || form.Type == v1alpha1.CMSNone {
		return siteSecret{}, nil
	}
	return secret.complete(form, entered.Secrets), nil
}

// connectionDetails names what is wrong with the connection.
func (r *EditSiteRequest) connectionDetails(form connectors.Form, faults []connectors.Fault) []problem.Detail {
	details := connectionDetails(faults)
	if r.NewSigningSecret && form.Generated() == "" {
		details = append(details, problem.Detail{Field: "new_signing_secret", Message: "must be left out for this cms_type"})
	}
	return details
}

// form returns the form of the connection, and the connection before if that is of the same type.
func (r *EditSiteRequest) form(site *v1alpha1.Site) (form connectors.Form, earlier *v1alpha1.SiteCMS, ok bool) {
	if r.CMSType != nil && !strings.EqualFold(*r.CMSType, string(site.Spec.CMS.Type)) {
		form, ok = formOf(*r.CMSType)
		return form, nil, ok
	}
	form, ok = connectors.FormOf(site.Spec.CMS.Type)
	return form, &site.Spec.CMS, ok
}

// maxObjectName is the most that Kubernetes takes as a name, in bytes.
const maxObjectName = 253

func connectionDetails(faults []connectors.Fault) []problem.Detail {
	details := make([]problem.Detail, 0, len(faults)+1)
	for _, f := range faults {
		details = append(details, problem.Detail{Field: "connection." + f.Field, Message: f.Message})
	}
	return details
}

func (s *service) deleteSite(ctx context.Context, c *call, in *RemoveSiteInput) (*DeleteOutput, error) {
	site, err := s.liveSite(ctx, c, in.OnSite)
	if err != nil {
		return nil, err
	}
	if err := kept(site.ManagedFields, requiredOfSite, "delete"); err != nil {
		return nil, err
	}
	if err := s.removeSite(ctx, site); err != nil {
		return nil, err
	}
	return &DeleteOutput{}, nil
}

// removeSite deletes a site. Its Secrets, which it owns, are deleted with it.
func (s *service) removeSite(ctx context.Context, site *v1alpha1.Site) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.Limits.CallTimeout)
	defer cancel()
	options := []client.DeleteOption{client.PropagationPolicy(metav1.DeletePropagationBackground)}
	if site.UID != "" {
		options = append(options, client.Preconditions{UID: &site.UID})
	}
	return aboutSite(client.IgnoreNotFound(s.Client.Delete(ctx, site, options...)))
}
