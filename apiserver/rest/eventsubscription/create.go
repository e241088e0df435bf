package eventsubscription

import (
	"context"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/kube"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// CreateEventSubscriptionRequest is a new event subscription.
type CreateEventSubscriptionRequest struct {
	URL     string            `json:"url" minLength:"1" maxLength:"2048" doc:"On a public address, which is checked when something is sent." example:"https://example.com/hook"`
	Events  EventNames        `json:"events"`
	Format  Format            `json:"format,omitempty"`
	Token   string            `json:"token,omitempty" writeOnly:"true" minLength:"1" maxLength:"1024" pattern:"^[!-~]+$" patternDescription:"printable ASCII characters without blanks" doc:"With the format github: the access token that requests have. No answer shows it." example:"github_pat_11AAAAAAA0example"`
	SiteUID operation.SiteUID `json:"site_uid,omitempty" doc:"Only events of this site and its articles."`
}

// CreateInput is the input of create-event-subscription.
type CreateInput struct {
	operation.InWorkspace
	operation.Idempotent
	Body CreateEventSubscriptionRequest

	site *v1alpha1.Site
}

// Resolve checks what the schema cannot express.
func (in *CreateInput) Resolve(ctx huma.Context) (errs []error) {
	in.site, errs = operation.SiteOf(ctx, in.Workspace, in.Body.SiteUID)
	if wrong := checkToken(in.Body.Format.stored(), in.Body.Token != ""); wrong != "" {
		errs = append(errs, &huma.ErrorDetail{Location: "body.token", Message: wrong})
	}
	return append(errs, in.Body.Events.check()...)
}

// checkToken returns what is wrong with giving a token, or giving none, to a subscription that has none; empty if nothing is.
func checkToken(format v1alpha1.EventFormat, given bool) string {
	switch needed := format == v1alpha1.FormatGitHub; {
	case needed && !given:
		return "must be given with the format github"
	case given && !needed:
		return "may not be given without the format github"
	default:
		return ""
	}
}

// check returns an error if * is not alone.
func (names EventNames) check() []error {
	if slices.Contains(names, allEvents) && len(names) > 1 {
		return []error{&huma.ErrorDetail{Location: "body.events", Message: "may not name others beside *"}}
	}
	return nil
}

// Create has events sent to a receiver.
var Create = operation.Operation[CreateInput, SecretOutput]{
	ID: "create-event-subscription", Method: http.MethodPost, Path: subscriptionsPath, Tag: operation.TagEvents,
	Scope: v1alpha1.ScopeWrite, Status: http.StatusCreated, Errors: operation.CreateErrors,
}

func (s *service) create(ctx context.Context, c *operation.Call, in *CreateInput) (*SecretOutput, error) {
	request, err := in.Request(c.Workspace, Create.ID, in.Body)
	if err != nil {
		return nil, err
	}
	secret, err := newSecret(request.Name)
	if err != nil {
		return nil, err
	}
	subscription := &v1alpha1.EventSubscription{Spec: v1alpha1.EventSubscriptionSpec{
		URL: in.Body.URL, Events: selectorsOf(in.Body.Events), Format: in.Body.Format.stored(), SigningSecretRef: secret.reference(),
	}}
	subscription.Namespace, subscription.Name = c.Workspace, request.Name
	token := newToken(request.Name, in.Body.Token)
	if token.value != "" {
		subscription.Spec.TokenSecretRef = new(token.reference())
	}
	mark(subscription, c.Principal)
	request.Mark(&subscription.ObjectMeta)
	if err := limitTo(subscription, in.Body.SiteUID, in.site); err != nil {
		return nil, err
	}
	err = request.CreateSecret(ctx,
		func(ctx context.Context) (metav1.Object, error) { return s.named(ctx, c, subscription.Name) },
		secretShown(request.Name),
		func(ctx context.Context) (operation.Place, error) {
			return c.Room(ctx, operation.Limit{
				Name: "eventSubscriptions", Of: "event subscriptions", Most: v1alpha1.AccountLimits.MostEventSubscriptions,
				Count: func(context.Context) (int64, error) { return s.Index.Usage(c.Principal.Account).Subscriptions, nil },
				Seen:  func() bool { return s.Index.HasSubscription(subscription.Namespace, subscription.Name) },
			}, 1)
		},
		func(ctx context.Context) error {
			return kube.CreateOwner(ctx, s.Client, subscription, func() error {
				if err := s.createSecret(ctx, subscription, secret); err != nil || token.value == "" {
					return err
				}
				return s.createToken(ctx, subscription, token)
			})
		})
	if err != nil {
		return nil, operation.CreationProblem(err)
	}
	return secretOutput(subscription, secret)
}

// limitTo limits a subscription to the articles of a site that a request names by its uid, or to those of none if it names none.
func limitTo(s *v1alpha1.EventSubscription, uid operation.SiteUID, site *v1alpha1.Site) error {
	switch {
	case uid == "":
		s.Spec.SiteRef = nil
	case site == nil:
		return problem.Invalid(operation.UnknownSite())
	default:
		s.Spec.SiteRef = &v1alpha1.LocalReference{Name: site.Name}
	}
	return nil
}

// mark notes on a subscription by whom it is created. It ends with the access of a client, or with an API key.
func mark(o *v1alpha1.EventSubscription, p auth.Principal) {
	o.Spec.CreatedByRef = p.Creator()
	if p.Client != "" {
		o.Labels = map[string]string{v1alpha1.GrantLabel: p.ID, v1alpha1.ClientLabel: p.Client}
	}
}
