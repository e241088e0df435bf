//go:build e2e

package docs

func sites() page {
	return page{
		file: "docs/sites.md",
		before: map[string]func(*reader){
			// The page has changed the type and the secret of the Site since: this is another day.
			"kubectl annotate sites.pressroom.dev acme ": func(r *reader) {
				r.must("kubectl delete -n acme-blog sites.pressroom.dev/acme secret/acme-webhook")
				r.createSamples(r.T)
			},
		},
	}
}
