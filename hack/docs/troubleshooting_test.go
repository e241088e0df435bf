//go:build e2e

package docs

func troubleshooting() page {
	return page{
		file: "docs/troubleshooting.md",
		prepare: func(r *reader) {
			r.must("make plugin")
			r.generated("trail-shoes")
		},
	}
}
