// Package site has the operations of the REST API on sites: list and get, create, update and delete, the test of a
// connection, and the types of CMS.
package site

import (
	"context"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

const (
	sitesPath = "/v1/api/sites"
	sitePath  = sitesPath + "/{uid}"
)

// service has what the operations share.
type service struct{ *operation.Core }

// Register adds the operations.
func Register(core *operation.Core) {
	s := &service{Core: core}
	List.Handle(core, s.list)
	Create.Handle(core, s.create)
	Get.Handle(core, s.get)
	Update.Handle(core, s.update)
	Delete.Handle(core, s.delete)
	Test.Handle(core, s.test)
	ListCMSTypes.Handle(core, s.listCMSTypes)
}

// List lists sites.
var List = operation.Operation[struct{}, operation.Output[SiteList]]{
	ID: "list-sites", Method: http.MethodGet, Path: sitesPath, Tag: operation.TagSites, Scope: v1alpha1.ScopeRead,
}

func (s *service) list(_ context.Context, c *operation.Call, _ *struct{}) (*operation.Output[SiteList], error) {
	out := operation.Answer(SiteList{Envelope: operation.Succeeded, Data: []Site{}})
	for _, site := range s.Index.Sites(c.Principal.Account, c.Principal.Opens) {
		out.Body.Data = append(out.Body.Data, s.present(site))
	}
	return out, nil
}

// Get returns a site.
var Get = operation.Operation[OnSite, Output]{
	ID: "get-site", Method: http.MethodGet, Path: sitePath, Tag: operation.TagSites, Scope: v1alpha1.ScopeRead,
	Errors: append([]int{http.StatusConflict}, operation.ReadErrors...),
}

func (s *service) get(ctx context.Context, c *operation.Call, in *OnSite) (*Output, error) {
	found, err := s.findUnknown(ctx, c, *in)
	if err != nil {
		return nil, err
	}
	return s.answer(c, found)
}
