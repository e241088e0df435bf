package site

import (
	"cmp"
	"net/url"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/apiserver/rest/deliveryrecord"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/apiserver/rest/reason"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/command"
)

func (s *service) present(i index.Site) Site {
	spec := i.Object.Spec
	out := Site{
		ID: i.ID, UID: i.UID, Domain: spec.Domain, Name: cmp.Or(content.Label(spec.DisplayName), spec.Domain),
		CMSType:      CMSType(lower(spec.CMS.Type)),
		GSCConnected: spec.SearchConsole != nil, Status: "active", WorkspaceID: i.Workspace,
		CreatedAt: operation.Milliseconds(i.Object.CreatedAt()), UpdatedAt: operation.Milliseconds(i.UpdatedAt()),
		ConnectionStatus: presentStatus(i.Object), Delivering: presentDelivering(i.Object),
		Waiting: s.Index.Count(i.Workspace, i.UID).ByStatus[v1alpha1.PhaseReview],
	}
	if d := i.Object.Status.Deliveries; d != nil {
		out.Deliveries = SiteDeliveries{operation.WhenOrNull(d.LastSuccessTime), d.Failures, operation.WhenOrNull(d.OldestWaitingTime)}
	}
	ready := meta.FindStatusCondition(i.Object.Status.Conditions, v1alpha1.ConditionReady)
	if ready != nil {
		out.StatusMessage = reason.Message(ready)
	}
	if ready != nil && (ready.Status == metav1.ConditionFalse || ready.Reason == v1alpha1.ReasonSuspended) {
		out.Status = "inactive"
	}
	return out
}

func presentStatus(site *v1alpha1.Site) ConnectionStatus {
	out := ConnectionStatus{State: "unknown", Reason: operation.SnakeCase(v1alpha1.ReasonNotTested)}
	connected := meta.FindStatusCondition(site.Status.Conditions, v1alpha1.ConditionConnected)
	// A condition of an older spec may not hold for this one.
	if connected != nil && connected.ObservedGeneration == site.Generation {
		out.Reason, out.Message = operation.SnakeCase(connected.Reason), reason.Message(connected)
		switch connected.Status {
		case "True":
			out.State = "connected"
		case "False":
			out.State = "failed"
		}
	}
	if t := site.Status.ConnectionTest; t != nil {
		out.LastTest = &ConnectionTest{
			Nonce:         command.HandledNonce(site.Status.HandledRequests, v1alpha1.TestConnectionAnnotation),
			AttemptResult: deliveryrecord.PresentResult(t.StartTime.Time, t.AttemptResult), Snippet: t.Snippet,
		}
		if t.Outcome == v1alpha1.AttemptNotSent {
			out.LastTest.Message = "nothing was sent: the connection or its credential is not usable, or work is suspended"
		}
	}
	return out
}

func presentDelivering(site *v1alpha1.Site) *Delivering {
	c := meta.FindStatusCondition(site.Status.Conditions, v1alpha1.ConditionDelivering)
	if c == nil {
		return nil
	}
	out := Delivering{
		State: "working", Reason: operation.SnakeCase(c.Reason), Message: c.Message,
		Since: operation.Milliseconds(c.LastTransitionTime.Time),
	}
	if c.Status == metav1.ConditionFalse {
		out.State = "failing"
	}
	return &out
}

func presentDetails(site *v1alpha1.Site) SiteDetails {
	spec := site.Spec
	out := SiteDetails{
		Suspended: spec.Suspend, Connection: ConnectionFields{}, BriefUID: operation.BriefUIDOf(site.Namespace, spec.BriefRef),
	}
	for _, one := range settings(&spec, &out, &PolicyFields[SiteVoiceRequest]{}) {
		one.show()
	}
	if form, ok := connectors.FormOf(spec.CMS.Type); ok {
		out.Connection = form.Values(&spec.CMS)
	}
	if connectors.ModeOf(site) == lifecycle.Push {
		// A URL that kubectl stored and that cannot be parsed has no host.
		if to, err := url.Parse(connectors.For(site).Connection(site).URL); err == nil {
			out.Host = to.Host
		}
	}
	return out
}

// lower converts a value of the Kubernetes API to the form of the REST API.
func lower[T ~string](value T) string { return strings.ToLower(string(value)) }

type (
	// Output is a site as an answer, with its entity tag.
	Output struct {
		ETag string `header:"ETag" doc:"Names this state of the site, for If-Match."`
		Body SiteAnswer
	}
	// WrittenOutput is the answer of the operations that write a site. It may contain a secret, so it is never cached.
	WrittenOutput struct {
		ETag         string `header:"ETag" doc:"Names this state of the site, for If-Match."`
		CacheControl string `header:"Cache-Control"`
		Body         WrittenSite
	}
)

// LogEntry is what the log says of the operation.
func (out *WrittenOutput) LogEntry() operation.LogEntry {
	return operation.LogEntry{Object: out.Body.UID}
}

// answer returns a site as the answer to a call, and its entity tag.
func (s *service) answer(c *operation.Call, i index.Site) (*Output, error) {
	out := SiteAnswer{Envelope: operation.Succeeded, Site: s.present(i), SiteDetails: presentDetails(i.Object)}
	if !c.Principal.Has(v1alpha1.ScopeManage) {
		out.Connection = ConnectionFields{}
	}
	tag, err := operation.Tag(operation.Written(i.Object), out)
	return &Output{ETag: tag, Body: out}, err
}

// written returns a site that was just written, with the signing secret that was made for it.
func (s *service) written(c *operation.Call, site *v1alpha1.Site, secret string) (*WrittenOutput, error) {
	out, err := s.answer(c, index.SiteOf(site))
	if err != nil {
		return nil, err
	}
	body := WrittenSite{SiteAnswer: out.Body, SigningSecret: secret}
	return &WrittenOutput{ETag: out.ETag, CacheControl: "no-store", Body: body}, nil
}
