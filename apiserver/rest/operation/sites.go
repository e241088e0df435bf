package operation

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/readthrough"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

const (
	// missingFor is how long a site counts as missing after kube-apiserver did not have it.
	missingFor = 2 * time.Second
	// missesPerSecond and missesAtOnce bound the sites of one account that kube-apiserver is asked about and does not have.
	missesPerSecond = 10
	missesAtOnce    = 100
)

// unknownSites looks up sites that the index does not have. Such a site was created a moment ago, or does not exist.
type unknownSites = readthrough.Cache[client.ObjectKey, *v1alpha1.Site]

func newUnknownSites(d Deps) *unknownSites {
	return readthrough.New[client.ObjectKey](readthrough.Options[*v1alpha1.Site]{
		MissingFor: missingFor, Clock: d.Clock, Misses: middleware.NewThrottle(d.Clock, missesPerSecond, missesAtOnce),
	})
}

// SiteOf looks up the site that a body names, so that an unknown site is reported together with every other failing field.
// A workspace that the key does not open has no site, and no error here: the operation answers 404. A site that cannot be read at the
// moment is the only error.
func SiteOf(ctx huma.Context, workspace string, uid SiteUID) (*v1alpha1.Site, []error) {
	c := CallOf(ctx.Context())
	if uid == "" || !c.Opens(workspace) {
		return nil, nil
	}
	if identity.IsUID(string(uid)) {
		if site, ok := c.Core.Index.Site(workspace, string(uid)); ok {
			return site.Object, nil
		}
		site, err := c.Core.ReadSite(ctx.Context(), c, workspace, string(uid))
		if err == nil {
			return site, nil
		}
		if refused := c.Core.Problem(ctx.Context(), "find-site", err); refused.GetStatus() != http.StatusNotFound {
			return nil, []error{refused}
		}
	}
	unknown := UnknownSite()
	return nil, []error{&huma.ErrorDetail{Location: "body." + unknown.Field, Message: unknown.Message}}
}

// ReadSite reads a site that the index does not have from kube-apiserver, by its name, which is the uid of one that the REST API has
// created. The call must open the workspace.
func (s *Core) ReadSite(ctx context.Context, c *Call, workspace, uid string) (*v1alpha1.Site, error) {
	key := client.ObjectKey{Namespace: workspace, Name: uid}
	site, err := s.unknownSites.Get(ctx, c.Principal.Account, key, func(ctx context.Context) (*v1alpha1.Site, error) {
		site := &v1alpha1.Site{}
		return site, s.Client.Get(ctx, key, site)
	})
	if err != nil {
		return nil, err
	}
	if !site.DeletionTimestamp.IsZero() {
		return nil, problem.NotFound("site")
	}
	return site, nil
}

// UnknownSite says that site_uid names no site of the workspace.
func UnknownSite() problem.ErrorDetail {
	return problem.ErrorDetail{Field: "site_uid", Message: "must be the uid of a site in this workspace"}
}
