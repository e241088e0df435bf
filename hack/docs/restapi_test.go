//go:build e2e

package docs

import (
	"github.com/pressroom-dev/pressroom/hack/dev/system"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

func restAPI() page {
	const article = "trail-shoes"
	return page{
		file:    "docs/rest-api.md",
		prepare: func(r *reader) { r.must("site_uid=" + r.SiteUID()) },
		before: map[string]func(*reader){
			`curl -sS "$PRESSROOM_URL/v1/api/sites/$site_uid" `: func(r *reader) {
				r.until(`curl -sS "$PRESSROOM_URL/v1/api/sites/$site_uid" -H "x-api-key: $PRESSROOM_API_KEY" | grep -q '"outcome":"accepted"'`)
			},
			`curl -sS "$PRESSROOM_URL/v1/api/blogs/bulk"`: func(r *reader) {
				r.generated(article)
				r.must("blog_uid=" + identity.UID(identity.KindArticle, system.Workspace, article))
				r.must("revision_digest=$(kubectl get article " + article + " -n acme-blog -o jsonpath='{.status.revision.digest}')")
			},
		},
	}
}
