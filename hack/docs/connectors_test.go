//go:build e2e

package docs

func webflow() page {
	return page{file: "docs/webflow.md", prepare: func(r *reader) { r.write("token.txt", "a-site-token\n") }}
}

func shopify() page {
	return page{
		file: "docs/shopify.md",
		prepare: func(r *reader) {
			r.write("token.txt", "shpat_token\n")
			r.write("secret.txt", "shpss_secret\n")
		},
		// Whoever has the one kind of credentials does not have the other.
		before: map[string]func(*reader){
			"kubectl create secret generic acme-shopify -n acme-blog --from-file=token=": func(r *reader) {
				r.must("kubectl delete secret acme-shopify -n acme-blog")
			},
		},
	}
}
