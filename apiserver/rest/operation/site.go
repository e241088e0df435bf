package operation

import (
	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// SiteOf looks up the site that a body names, so that an unknown site is reported together with every other failing field.
// A workspace that the key does not open has no site, and no error here: the operation answers 404.
func SiteOf(ctx huma.Context, workspace string, uid SiteUID) (*v1alpha1.Site, []error) {
	c := CallOf(ctx.Context())
	if uid == "" || !c.Opens(workspace) {
		return nil, nil
	}
	if identity.IsUID(string(uid)) {
		if site, ok := c.Core.Index.Site(workspace, string(uid)); ok {
			return site.Object, nil
		}
	}
	unknown := UnknownSite()
	return nil, []error{&huma.ErrorDetail{Location: "body." + unknown.Field, Message: unknown.Message}}
}

// UnknownSite says that site_uid names no site of the workspace.
func UnknownSite() problem.Detail {
	return problem.Detail{Field: "site_uid", Message: "must be the uid of a site in this workspace"}
}
