package eventsubscription

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/kube"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/apiserver/rest/patch"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// UpdateEventSubscriptionRequest changes the members that it names and leaves the others as they are. Null is the default.
type UpdateEventSubscriptionRequest struct {
	URL      *string                          `json:"url,omitempty" minLength:"1" maxLength:"2048" doc:"On a public address, which is checked when something is sent." example:"https://example.com/hook"`
	Events   EventNames                       `json:"events,omitempty"`
	Format   *Format                          `json:"format,omitempty"`
	Token    *string                          `json:"token,omitempty" writeOnly:"true" minLength:"1" maxLength:"1024" pattern:"^[!-~]+$" patternDescription:"printable ASCII characters without blanks" doc:"With the format github: another access token. It must be given again with another url. No answer shows it." example:"github_pat_11AAAAAAA0example"`
	SiteUID  patch.Member[*operation.SiteUID] `json:"site_uid,omitzero" doc:"Only events of this site and its articles; null for all of the workspace."`
	Disabled patch.Member[bool]               `json:"disabled,omitzero" doc:"True stops sending: events wait, up to 7 days each. False sends them, also after the receiver has failed for too long. What an operator has suspended stays so: 409."`

	Expected *ExpectedSubscription `json:"expected,omitempty" doc:"The settings as you read them: 409 that names each that is another one now."`
}

// ExpectedSubscription has the settings of a subscription that a client has read. Absent members are not compared.
type ExpectedSubscription struct {
	URL     *string   `json:"url,omitempty" doc:"URL that you read."`
	Events  *[]string `json:"events,omitempty" doc:"The whole list that you read."`
	Format  *string   `json:"format,omitempty" doc:"Format that you read."`
	SiteUID *string   `json:"site_uid,omitempty" doc:"Site that you read; empty for none."`
}

// UpdateInput is the input of update-event-subscription.
type UpdateInput struct {
	OnSubscription
	operation.IfMatch
	Body UpdateEventSubscriptionRequest

	site *v1alpha1.Site
}

// Resolve checks what the schema cannot express.
func (in *UpdateInput) Resolve(ctx huma.Context) (errs []error) {
	in.site, errs = operation.SiteOf(ctx, in.Workspace, ptr.Deref(in.Body.SiteUID.Value, ""))
	return append(errs, in.Body.Events.check()...)
}

// Update changes an event subscription.
var Update = operation.Operation[UpdateInput, Output]{
	ID: "update-event-subscription", Method: http.MethodPatch, Path: subscriptionPath, Tag: operation.TagEvents,
	Scope: v1alpha1.ScopeWrite, Errors: operation.EditErrors,
}

func (s *service) update(ctx context.Context, c *operation.Call, in *UpdateInput) (*Output, error) {
	nonce, token := identity.NewName(), newToken(in.UID, ptr.Deref(in.Body.Token, ""))
	var before *v1alpha1.SecretKeyReference
	created := false
	changed, err := s.change(ctx, c, in.UID, func(e *v1alpha1.EventSubscription) error {
		before = e.Spec.TokenSecretRef
		if err := in.apply(e, token, nonce); err != nil || in.Body.Token == nil {
			return err
		}
		created = true
		return s.createToken(ctx, e, token)
	})
	if err != nil {
		// While nobody knows whether the subscription names it now, it stays. It is deleted with the subscription at the latest.
		if created && !problem.IsUnavailable(err) {
			kube.DeleteSecret(ctx, s.Client, s.Log, c.Workspace, token.name)
		}
		return nil, err
	}
	if now := changed.Spec.TokenSecretRef; now == nil || before == nil || *now != *before {
		s.deleteReplaced(ctx, c.Workspace, tokenPrefix, before)
	}
	return answer(changed)
}

// apply changes a subscription as the request says, if it is as the caller has read it.
func (in *UpdateInput) apply(e *v1alpha1.EventSubscription, token ownSecret, nonce string) error {
	if err := in.checkSeen(e); err != nil {
		return err
	}
	url := e.Spec.URL
	if err := in.applyFormat(e); err != nil {
		return err
	}
	if err := in.applyToken(e, url, token); err != nil {
		return err
	}
	if len(in.Body.Events) > 0 {
		e.Spec.Events = selectorsOf(in.Body.Events)
	}
	if in.Body.SiteUID.Given {
		if err := limitTo(e, ptr.Deref(in.Body.SiteUID.Value, ""), in.site); err != nil {
			return err
		}
	}
	return disable(e, in.Body.Disabled, nonce)
}

// applyFormat changes the URL and the format. The URL of a chat stays if it comes back as answers show it, and does not become that of a
// receiver, which answers would show.
func (in *UpdateInput) applyFormat(e *v1alpha1.EventSubscription) error {
	url, shown := ptr.Deref(in.Body.URL, e.Spec.URL), shownURL(e.Spec)
	if url == shown {
		url = e.Spec.URL
	}
	if f := in.Body.Format; f != nil && *f != formatOf(e.Spec.Format) {
		if url == e.Spec.URL && url != shown {
			return problem.Invalid(problem.ErrorDetail{Field: "url", Message: "must be given with another format"})
		}
		e.Spec.Format = f.stored()
	}
	e.Spec.URL = url
	return nil
}

// applyToken changes which token a subscription names, whose URL was another one before. A token is never sent to a URL that it was not
// given for: anyone who changes the URL gives the token again.
func (in *UpdateInput) applyToken(e *v1alpha1.EventSubscription, before string, token ownSecret) error {
	given, needed := in.Body.Token != nil, e.Spec.Format == v1alpha1.FormatGitHub
	wrong := ""
	switch {
	case given || !needed || e.Spec.TokenSecretRef == nil:
		wrong = checkToken(e.Spec.Format, given)
	case e.Spec.URL != before:
		wrong = "must be given with another url"
	}
	if wrong != "" {
		return problem.Invalid(problem.ErrorDetail{Field: "token", Message: wrong})
	}
	switch {
	case given:
		e.Spec.TokenSecretRef = new(token.reference())
	case !needed:
		e.Spec.TokenSecretRef = nil
	}
	return nil
}

// checkSeen returns an error if a subscription is not as the person who changes it has seen it.
func (in *UpdateInput) checkSeen(e *v1alpha1.EventSubscription) error {
	seen := operation.Seen[ExpectedSubscription]{IfMatch: in.IfMatch, Expected: in.Body.Expected}
	return seen.Check(subject, operation.Written(e), func() (any, error) {
		now := presentSubscription(e)
		// A client that expects no site sends an empty text.
		now.SiteUID = new(ptr.Deref(now.SiteUID, ""))
		return now, nil
	})
}

// disable changes whether a subscription is disabled. One that is suspended because its receiver failed is resumed, once for each nonce.
func disable(e *v1alpha1.EventSubscription, disabled patch.Member[bool], nonce string) error {
	if !disabled.Given {
		return nil
	}
	if e.Spec.Suspend && !disabled.Value && kube.WrittenByOthers(e, ".spec.suspend", operation.FieldManager) {
		return problem.Conflict(problem.ReasonSuspended, "an operator has suspended the subscription, and ends that")
	}
	e.Spec.Suspend = disabled.Value
	if !disabled.Value && e.Status.Suspension != nil {
		metav1.SetMetaDataAnnotation(&e.ObjectMeta, v1alpha1.ResumeAnnotation, nonce)
	}
	return nil
}
