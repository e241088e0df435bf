package site

import (
	"cmp"
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// OnSite is embedded in the input of every operation on one site. Like list-sites they need no workspace.
type OnSite struct {
	Workspace string `header:"x-workspace-id" doc:"Only needed if sites of several workspaces have the same uid." example:"acme-blog"`
	UID       string `path:"uid" doc:"The site's uid, from list-sites."`
}

// Enter names the workspace of an input that names none.
func (in *OnSite) Enter(workspace string) { in.Workspace = cmp.Or(in.Workspace, workspace) }

// subject is what answers call a site.
const subject = "site"

// find returns a site of a workspace that the key opens, from the index.
func find(c *operation.Call, on OnSite) (index.Site, error) {
	var found []index.Site
	for _, w := range c.Core.Index.Workspaces(c.Principal.Account) {
		if (on.Workspace != "" && w.Name != on.Workspace) || !c.Opens(w.Name) {
			continue
		}
		if site, ok := c.Core.Index.Site(w.Name, on.UID); ok {
			found = append(found, site)
		}
	}
	switch len(found) {
	case 0:
		return index.Site{}, problem.NotFound(subject)
	case 1:
		return found[0], nil
	default:
		return index.Site{}, problem.Conflict(problem.ReasonAmbiguous,
			"sites of several workspaces have this uid: name one in x-workspace-id")
	}
}

// findUnknown is find for a site that the index may not have yet. It is then found by the workspace that the request names.
func (s *service) findUnknown(ctx context.Context, c *operation.Call, on OnSite) (index.Site, error) {
	found, err := find(c, on)
	if err == nil || on.Workspace == "" || !identity.IsUID(on.UID) || !c.Opens(on.Workspace) {
		return found, err
	}
	site, err := s.ReadSite(ctx, c, on.Workspace, on.UID)
	if err != nil {
		return index.Site{}, err
	}
	return index.SiteOf(site), nil
}

// locate returns the namespace and name of a site that is to be written.
func (s *service) locate(ctx context.Context, c *operation.Call, on OnSite) (client.ObjectKey, error) {
	found, err := s.findUnknown(ctx, c, on)
	if err != nil {
		return client.ObjectKey{}, err
	}
	return client.ObjectKeyFromObject(found.Object), nil
}
