package site

import (
	"context"

	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

func (s *service) list(_ context.Context, c *operation.Call, _ *struct{}) (*operation.Output[SiteList], error) {
	out := operation.Answer(SiteList{Envelope: operation.Succeeded, Data: []Site{}})
	for _, site := range s.Index.Sites(c.Principal.Account, c.Principal.Opens) {
		out.Body.Data = append(out.Body.Data, s.present(site))
	}
	return out, nil
}

func (s *service) get(ctx context.Context, c *operation.Call, in *OnSite) (*SiteOutput, error) {
	found, err := s.findUnknown(ctx, c, *in)
	if err != nil {
		return nil, err
	}
	return s.answer(c, found)
}
