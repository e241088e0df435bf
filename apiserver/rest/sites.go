package rest

import (
	"context"
	"net/http"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
)

// ListSitesInput is the input of list-sites: none.
type ListSitesInput struct{}

// ListSitesOutput is the answer of list-sites.
type ListSitesOutput struct{ Body SiteList }

func (s *service) registerSites() {
	g := s.group(tagSites, v1alpha1.ScopeRead)
	op := s.operation(http.MethodGet, "/v1/api/sites", "list-sites")
	op.Summary = "List sites"
	op.Description = "Every site on the account that the key may see, in all workspaces, the oldest first; at most 500."
	handle(g, op, s.listSites)
}

func (s *service) listSites(_ context.Context, c *call, _ *ListSitesInput) (*ListSitesOutput, error) {
	out := &ListSitesOutput{Body: SiteList{Envelope: succeeded, Data: []Site{}}}
	for _, site := range s.Index.Sites(c.principal.Account, c.principal.Opens) {
		out.Body.Data = append(out.Body.Data, s.presentSite(site))
	}
	return out, nil
}

func (s *service) presentSite(i index.Site) Site {
	spec := i.Object.Spec
	out := Site{
		ID: i.ID, UID: i.UID, Domain: spec.Domain, Name: spec.DisplayName, CMSType: strings.ToLower(string(spec.CMS.Type)),
		GSCConnected: spec.SearchConsole != nil, Status: "active", WorkspaceID: i.Workspace,
		Connection: presentConnection(i.Object), Waiting: s.Index.Count(i.Workspace, i.UID).ByStatus[v1alpha1.PhaseReview],
	}
	if out.Name == "" {
		out.Name = spec.Domain
	}
	ready := meta.FindStatusCondition(i.Object.Status.Conditions, v1alpha1.ConditionReady)
	if ready != nil {
		out.StatusMessage = ready.Message
	}
	if ready != nil && (ready.Status == metav1.ConditionFalse || ready.Reason == v1alpha1.ReasonSuspended) {
		out.Status = "inactive"
	}
	return out
}
