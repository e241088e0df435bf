//go:build e2e

package docs

import (
	"io"
	"net/http"
	"net/http/httptest"
)

func posts() page {
	return page{
		file: "docs/posts.md",
		prepare: func(r *reader) {
			site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				if _, err := io.WriteString(w, `{"id": "1", "url": "https://blog.acme.example/huts-open"}`); err != nil {
					r.Error(err)
				}
			}))
			r.Cleanup(site.Close)
			r.must(`kubectl patch sites.pressroom.dev acme -n acme-blog --type merge -p '{"spec": {"cms": {"headless": {"url": "` + site.URL + `"}}}}'`)
			r.apply(`{apiVersion: pressroom.dev/v1alpha1, kind: Article, metadata: {name: huts-open, namespace: acme-blog}, spec: {siteRef: {name: acme},
  content: {title: The huts are open again, slug: huts-open, markdown: From the first of May.}, stage: Published,
  review: {decision: Approved, by: mara@acme.example}}}`)
			r.must("kubectl wait article/huts-open -n acme-blog --for=condition=Published --timeout=5m")
		},
		paste: map[string]func(*reader) string{
			"huts-open-3f1c92b04a6de857": func(r *reader) string {
				return r.must(`kubectl get posts.pressroom.dev -n acme-blog -o jsonpath='{.items[?(@.spec.articleRef.name=="huts-open")].metadata.name}'`)
			},
		},
	}
}
