package site

import (
	"context"
	"net/http"
	"strings"
	"time"

	"k8s.io/utils/ptr"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/apiserver/kube"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/connectors"
)

// UpdateSiteRequest changes the members that it names and leaves the others as they are. Null is the default.
type UpdateSiteRequest struct {
	SettingFields[SiteVoiceRequest]
	NewSigningSecret bool          `json:"new_signing_secret,omitempty" doc:"Of the type headless: makes another signing secret, shown in this answer only."`
	Expected         *ExpectedSite `json:"expected,omitempty" doc:"The settings that you read, or some of them: 409 with the reason settings_changed if they are others now. If-Match is for all of them."`
}

type (
	// UpdateInput is the input of update-site.
	UpdateInput struct {
		OnSite
		operation.IfMatch
		Body UpdateSiteRequest
	}
	// DeleteInput is the input of delete-site.
	DeleteInput struct {
		OnSite
		operation.IfMatch
	}
)

// Update changes a site.
var Update = operation.Operation[UpdateInput, WrittenOutput]{
	ID: "update-site", Method: http.MethodPatch, Path: sitePath, Tag: operation.TagSites, Scope: v1alpha1.ScopeManage,
	Errors: operation.EditErrors,
}

// update changes a site. The Secret of a new connection is created first, and is owned by the site: whatever ends the call in between, the
// site goes on with the connection that it has.
func (s *service) update(ctx context.Context, c *operation.Call, in *UpdateInput) (*WrittenOutput, error) {
	key, err := s.locate(ctx, c, in.OnSite)
	if err != nil {
		return nil, err
	}
	brief, err := s.BriefRef(ctx, key.Namespace, in.Body.BriefUID.Value)
	if err != nil {
		return nil, err
	}
	made := newSecret(key.Name)
	var secret connectionSecret
	var before string
	site, err := kube.Change(ctx, s.Client, key, func(site *v1alpha1.Site) error {
		before = connectors.SecretOf(site)
		if err := s.checkSeen(c, site, in); err != nil {
			return err
		}
		if in.Body.BriefUID.Given {
			site.Spec.BriefRef = brief
		}
		if secret, err = in.Body.apply(c, site, made); err != nil || secret.values == nil {
			return err
		}
		return s.createSecret(ctx, site, secret)
	})
	if err != nil {
		// While nobody knows whether the site names it now, it stays. It is deleted with the site at the latest.
		if secret.values != nil && !problem.IsUnavailable(err) {
			kube.DeleteSecret(ctx, s.Client, s.Log, key.Namespace, secret.name)
		}
		return nil, err
	}
	if before != connectors.SecretOf(site) && strings.HasPrefix(before, secretPrefix+site.Name+"-") {
		kube.DeleteSecret(ctx, s.Client, s.Log, site.Namespace, before)
	}
	if secret.values != nil {
		s.testNew(ctx, site)
	}
	if c.Local {
		// The page that follows shows what was written.
		waiting, cancel := context.WithTimeout(ctx, indexedWithin)
		defer cancel()
		s.Index.AwaitSite(waiting, site.Namespace, index.SiteOf(site).UID, site.ResourceVersion)
	}
	return s.written(c, site, secret.shown)
}

// indexedWithin bounds how long a page waits for its own write.
const indexedWithin = 2 * time.Second

// checkSeen returns an error if a site is not as the person who changes it has seen it.
func (s *service) checkSeen(c *operation.Call, site *v1alpha1.Site, in *UpdateInput) error {
	seen := operation.Seen[ExpectedSite]{IfMatch: in.IfMatch, Expected: in.Body.Expected}
	return seen.Check(subject, operation.Written(site), func() (any, error) {
		now, err := s.answer(c, index.SiteOf(site))
		return now.Body, err
	})
}

// apply changes a site as the request says. It returns the Secret that the new connection needs; without values if it needs none.
func (r *UpdateSiteRequest) apply(c *operation.Call, site *v1alpha1.Site, made connectionSecret) (connectionSecret, error) {
	site.Spec.Domain = ptr.Deref(r.Domain, site.Spec.Domain)
	if apply(&r.PolicyFields, site) && !c.Principal.Has(v1alpha1.ScopeApprove) {
		return connectionSecret{}, problem.InsufficientScope("approve")
	}
	if err := r.suspend(site); err != nil {
		return connectionSecret{}, err
	}
	secret, err := r.connect(site, made)
	republish(site.Spec.CMS, site)
	return secret, err
}

// suspend changes whether a site is suspended. A site that an operator has suspended stays suspended.
func (r *UpdateSiteRequest) suspend(site *v1alpha1.Site) error {
	before := site.Spec.Suspend
	r.Suspended.Change(&site.Spec.Suspend)
	if before && !site.Spec.Suspend && kube.WrittenByOthers(site, ".spec.suspend", operation.FieldManager) {
		return problem.Conflict(problem.ReasonSuspended, "an operator has suspended the site, and ends that")
	}
	return nil
}

// Delete deletes a site.
var Delete = operation.Operation[DeleteInput, operation.DeleteOutput]{
	ID: "delete-site", Method: http.MethodDelete, Path: sitePath, Tag: operation.TagSites, Scope: v1alpha1.ScopeManage,
	Status: http.StatusNoContent, Errors: operation.DeleteErrors,
}

func (s *service) delete(ctx context.Context, c *operation.Call, in *DeleteInput) (*operation.DeleteOutput, error) {
	key, err := s.locate(ctx, c, in.OnSite)
	if err != nil {
		return nil, err
	}
	site := &v1alpha1.Site{}
	if err := s.Client.Get(ctx, key, site); err != nil {
		return nil, err
	}
	return s.Remove(ctx, site, in.IfMatch, ".spec.domain")
}
