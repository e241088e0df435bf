package rest

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// ConnectSiteRequest is a new site.
type ConnectSiteRequest struct {
	Domain     string           `json:"domain" minLength:"1" maxLength:"253" pattern:"^[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?(\\.[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?)*$" patternDescription:"a host name without scheme or path" example:"blog.example.com"`
	CMSType    string           `json:"cms_type" enum:"wordpress,webflow,shopify,headless,none"`
	Connection ConnectionFields `json:"connection,omitempty"`
	PoliciesEdit
}

// ConnectSiteInput is the input of create-site.
type ConnectSiteInput struct {
	InWorkspace
	Idempotent
	Body ConnectSiteRequest

	form    connectors.Form
	secrets map[string]string
}

// Resolve checks what the schema cannot express.
func (in *ConnectSiteInput) Resolve(ctx huma.Context) []error {
	errs := emptyKey(ctx)
	form, ok := formOf(in.Body.CMSType)
	if !ok {
		return errs
	}
	entered, faults := form.Read(in.Body.Connection, nil, "")
	faults = append(faults, form.Missing(entered.Secrets)...)
	for _, d := range connectionDetails(faults) {
		errs = append(errs, &huma.ErrorDetail{Location: "body." + d.Field, Message: d.Message})
	}
	in.form, in.secrets = form, entered.Secrets
	return errs
}

func (s *service) registerSitesNew() {
	op := s.operation(http.MethodPost, "/v1/api/sites", "create-site", creating...)
	op.Summary = "Connect a site"
	op.Description = "Creates a site. Its credentials are stored in a Secret, are used for the address in this " +
		"request alone, and are never shown. " +
		"A signing secret that is left out is made, and only this answer shows it. The connection is tested at once."
	op.DefaultStatus = http.StatusCreated
	handle(s.group(tagSites, v1alpha1.ScopeManage), op, s.connectSite)
}

// nameOfSite makes the name of a site and of its Secret of random bytes.
func nameOfSite(random io.Reader) (name string, secret siteSecret, err error) {
	if name, err = identity.RandomName(random); err == nil {
		secret, err = newSiteSecret(name, random)
	}
	return name, secret, err
}

func (s *service) connectSite(ctx context.Context, c *call, in *ConnectSiteInput) (*SiteSettingsOutput, error) {
	request, err := in.secretRequest(c, c.workspace, c.workspace, "create-site", in.Body)
	if err != nil {
		return nil, err
	}
	site := &v1alpha1.Site{Spec: v1alpha1.SiteSpec{Domain: in.Body.Domain}}
	if in.Body.apply(site) && !c.principal.Has(v1alpha1.ScopeApprove) {
		return nil, problem.InsufficientScope("approve")
	}
	return secretOperation[*SiteSettingsOutput]{
		request: request,
		room:    func(ctx context.Context) error { return s.roomForSite(ctx, c) },
		object: func(random io.Reader) (string, error) {
			name, _, err := nameOfSite(random)
			return name, err
		},
		do: func(ctx context.Context, random io.Reader) (*SiteSettingsOutput, types.UID, error) {
			return s.createSite(ctx, c, in, site, random)
		},
		again: func(ctx context.Context, random io.Reader) (*SiteSettingsOutput, error) {
			name, secret, err := nameOfSite(random)
			if err != nil {
				return nil, err
			}
			found := &v1alpha1.Site{}
			if err := s.Client.Get(ctx, client.ObjectKey{Namespace: c.workspace, Name: name}, found); err != nil {
				return nil, goneProblem(aboutSite(err), subjectSite)
			}
			return s.settingsOutput(found, secret.complete(in.form, in.secrets).shown), nil
		},
		undo: func(ctx context.Context, out *SiteSettingsOutput) error {
			made := &v1alpha1.Site{}
			made.Namespace, made.Name = c.workspace, out.Body.UID
			return s.removeSite(ctx, made)
		},
	}.run(ctx, s)
}

// createSite creates a site and then its Secret, which is owned by the site: whatever ends the call in between, no Secret is left. What an
// interrupted call with the same bytes has made stays.
func (s *service) createSite(
	ctx context.Context, c *call, in *ConnectSiteInput, planned *v1alpha1.Site, random io.Reader,
) (*SiteSettingsOutput, types.UID, error) {
	name, secret, err := nameOfSite(random)
	if err != nil {
		return nil, "", err
	}
	entered, _ := in.form.Read(in.Body.Connection, nil, secret.name)
	secret = secret.complete(in.form, entered.Secrets)
	site := planned.DeepCopy()
	site.Namespace, site.Name, site.Spec.CMS = c.workspace, name, entered.CMS
	err = s.Client.Create(ctx, site, client.FieldOwner(managerCreate))
	if apierrors.IsAlreadyExists(err) {
		err = s.Client.Get(ctx, client.ObjectKey{Namespace: c.workspace, Name: name}, site)
	}
	if err != nil {
		return nil, "", creationProblem(aboutSite(err))
	}
	if connectors.ModeOf(site) != lifecycle.Push {
		return s.settingsOutput(site, ""), site.UID, nil
	}
	if err := s.createSiteSecret(ctx, site, secret); err != nil {
		if undo := s.removeSite(ctx, site); undo != nil {
			return nil, "", fmt.Errorf("%w, and the site is left: %w", err, undo)
		}
		return nil, "", err
	}
	s.askForTest(ctx, site)
	return s.settingsOutput(site, secret.shown), site.UID, nil
}

// askForTest has a connection tested that was just made. If that fails, a person can ask for it.
func (s *service) askForTest(ctx context.Context, site *v1alpha1.Site) {
	if err := testable(site); err != nil {
		return
	}
	if _, err := s.startTest(ctx, site); err != nil {
		s.Log.Info("a new connection is not tested", "site", site.Name, "error", err.Error())
	}
}

// roomForSite returns an APIError if the account may not have another site.
func (s *service) roomForSite(ctx context.Context, c *call) error {
	limits, err := s.limitsOf(ctx, c)
	if err != nil {
		return err
	}
	if most := limits.MostSites(); int64(len(s.Index.Sites(c.principal.Account, nil))) >= most {
		return problem.LimitReached("sites", "sites", most)
	}
	return nil
}
