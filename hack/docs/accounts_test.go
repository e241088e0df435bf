//go:build e2e

package docs

func accounts() page {
	return page{
		file: "docs/accounts.md",
		prepare: func(r *reader) {
			r.apply(r.yaml("kind: Account"))
			r.generated("first")
		},
	}
}
