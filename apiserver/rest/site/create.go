package site

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/kube"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/publish/siteform"
)

// CreateSiteRequest is a new site.
type CreateSiteRequest struct {
	Domain     string           `json:"domain" minLength:"1" maxLength:"253" pattern:"^[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?(\\.[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?)*$" patternDescription:"a host name without scheme or path" doc:"Domain of the site, without scheme and path." example:"blog.example.com"`
	CMSType    CMSType          `json:"cms_type"`
	Connection ConnectionFields `json:"connection,omitempty"`
	PolicyFields[SiteVoiceRequest]
	BriefFields
}

// CreateInput is the input of create-site.
type CreateInput struct {
	operation.InWorkspace
	operation.Idempotent
	Body CreateSiteRequest

	form    siteform.Form
	secrets map[string]string
}

// Resolve checks what the schema cannot express.
func (in *CreateInput) Resolve(huma.Context) (errs []error) {
	form, ok := connectors.FormOf(in.Body.CMSType)
	if !ok {
		return nil
	}
	entered, faults := form.Read(in.Body.Connection, nil, "")
	faults = append(faults, form.Missing(entered.Secrets)...)
	for _, d := range connectionDetails(faults) {
		errs = append(errs, &huma.ErrorDetail{Location: "body." + d.Field, Message: d.Message})
	}
	in.form, in.secrets = form, entered.Secrets
	return errs
}

// Create connects a site.
var Create = operation.Operation[CreateInput, WrittenOutput]{
	ID: "create-site", Method: http.MethodPost, Path: sitesPath, Tag: operation.TagSites, Scope: v1alpha1.ScopeManage,
	Status: http.StatusCreated, Errors: operation.CreateErrors,
}

func (s *service) create(ctx context.Context, c *operation.Call, in *CreateInput) (*WrittenOutput, error) {
	site := &v1alpha1.Site{Spec: v1alpha1.SiteSpec{Domain: in.Body.Domain}}
	if apply(&in.Body.PolicyFields, site) && !c.Principal.Has(v1alpha1.ScopeApprove) {
		return nil, problem.InsufficientScope("approve")
	}
	request, err := in.Request(c.Workspace, Create.ID, in.withoutSecrets())
	if err != nil {
		return nil, err
	}
	if site.Spec.BriefRef, err = s.BriefRef(ctx, c.Workspace, in.Body.BriefUID.Value); err != nil {
		return nil, err
	}
	secret := newSecret(request.Name)
	entered, _ := in.form.Read(in.Body.Connection, nil, secret.name)
	republish(entered.CMS, site)
	secret = secret.complete(in.form, entered.Secrets)
	site.Namespace, site.Name, site.Spec.CMS = c.Workspace, request.Name, entered.CMS
	request.Mark(&site.ObjectMeta)
	earlier := &v1alpha1.Site{}
	err = request.CreateSecret(ctx,
		func(ctx context.Context) (metav1.Object, error) {
			return earlier, s.Client.Get(ctx, client.ObjectKeyFromObject(site), earlier)
		},
		problem.SecretShown(subject, "uid", site.Name, "change it with new_signing_secret"),
		func(ctx context.Context) (operation.Place, error) {
			return c.Room(ctx, operation.Limit{
				Name: "sites", Of: "sites", Most: v1alpha1.AccountLimits.MostSites,
				Count: func(context.Context) (int64, error) { return int64(len(s.Index.Sites(c.Principal.Account, nil))), nil },
				Seen: func() bool {
					_, seen := s.Index.Site(site.Namespace, site.Name)
					return seen
				},
			}, 1)
		},
		func(ctx context.Context) error { return s.createSite(ctx, site, secret) })
	if problem.IsSecretShown(err) && secret.shown == "" {
		return s.goOnWithSite(ctx, c, in, earlier, secret)
	}
	if err != nil {
		return nil, operation.CreationProblem(err)
	}
	return s.written(c, site, secret.shown)
}

// withoutSecrets is the request without what only its Secret may have.
func (in *CreateInput) withoutSecrets() CreateSiteRequest {
	body := in.Body
	entered, _ := in.form.Read(in.Body.Connection, nil, "")
	body.Connection = in.form.Values(&entered.CMS)
	return body
}

// createSite creates a site, with its Secret and a test if something is sent to it.
func (s *service) createSite(ctx context.Context, site *v1alpha1.Site, secret connectionSecret) error {
	if connectors.ModeOf(site) != lifecycle.Push {
		return s.Client.Create(ctx, site)
	}
	err := kube.CreateOwner(ctx, s.Client, site, func() error { return s.createSecret(ctx, site, secret) })
	if err == nil {
		s.testNew(ctx, site)
	}
	return err
}

// goOnWithSite answers a repeat whose secrets were all entered, so that it shows none. It creates the Secret if the first request was
// interrupted before it did, unless the site has another connection by now.
func (s *service) goOnWithSite(
	ctx context.Context, c *operation.Call, in *CreateInput, site *v1alpha1.Site, secret connectionSecret,
) (*WrittenOutput, error) {
	secret.name = connectors.SecretOf(site)
	entered, _ := in.form.Read(in.Body.Connection, nil, secret.name)
	republish(entered.CMS, site)
	if connectors.ModeOf(site) == lifecycle.Push && equality.Semantic.DeepEqual(entered.CMS, site.Spec.CMS) {
		if err := s.createSecret(ctx, site, secret); err != nil {
			return nil, err
		}
	}
	return s.written(c, site, "")
}
