package site

import (
	"context"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

type (
	// ListSitesInput is the input of list-sites: none.
	ListSitesInput struct{}
	// ListSitesOutput is the answer of list-sites.
	ListSitesOutput struct{ Body SiteList }
	// GetSiteInput is the input of get-site.
	GetSiteInput struct{ OnSite }
)

func (s *service) registerReads() {
	g := s.Group(operation.TagSites, v1alpha1.ScopeRead)
	op := s.Operation(http.MethodGet, sitesPath, "list-sites", http.StatusBadRequest)
	op.Summary = "List sites"
	op.Description = "Every site on the account that the key may see, in all workspaces, the oldest first; at most 500."
	operation.Handle(g, op, s.list)

	op = s.Operation(http.MethodGet, sitePath, "get-site", append([]int{http.StatusConflict}, operation.ReadErrors...)...)
	op.Summary = "Get a site"
	op.Description = "The site as list-sites has it, its voice, its policies, and how it is connected: what update-site takes."
	operation.Handle(g, op, s.get)
}

func (s *service) list(_ context.Context, c *operation.Call, _ *ListSitesInput) (*ListSitesOutput, error) {
	out := &ListSitesOutput{Body: SiteList{Envelope: operation.Succeeded, Data: []Site{}}}
	for _, site := range s.Index.Sites(c.Principal.Account, c.Principal.Opens) {
		out.Body.Data = append(out.Body.Data, s.present(site))
	}
	return out, nil
}

func (s *service) get(ctx context.Context, c *operation.Call, in *GetSiteInput) (*SiteOutput, error) {
	found, err := s.findUnknown(ctx, c, in.OnSite)
	if err != nil {
		return nil, err
	}
	return s.answer(c, found)
}
