package site

import (
	"context"

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
