//go:build e2e

package docs

func articles() page {
	return page{
		file: "docs/articles.md",
		prepare: func(r *reader) {
			r.write("trail-shoes.yaml", r.yaml("name: trail-shoes"))
		},
		before: map[string]func(*reader){
			// What was published on the way cannot be rejected or written anew.
			"kubectl patch article $name -n acme-blog --type merge -p \\\n  '{\"spec\": {\"review\"": func(r *reader) {
				r.generated("boots")
				r.must("name=boots; digest=$(kubectl get article boots -n acme-blog -o jsonpath='{.status.revision.digest}')")
			},
			"kubectl annotate article $name -n acme-blog --overwrite pressroom.dev/redeliver": func(r *reader) { r.must("name=trail-shoes") },
		},
	}
}
