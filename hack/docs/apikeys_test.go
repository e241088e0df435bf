//go:build e2e

package docs

func apiKeys() page {
	created := func(r *reader) { r.apply(r.yaml("kind: APIKey")) }
	return page{
		file:    "docs/api-keys.md",
		prepare: created,
		before: map[string]func(*reader){
			// The key of the page is revoked twice, and then listed.
			"pressroom keys revoke --keep-grants": created,
			"kubectl get apikeys.pressroom.dev": func(r *reader) {
				r.must("kubectl delete apikeys.pressroom.dev 7m3kq2vxw5ntb6ha -n pressroom-system")
				created(r)
			},
		},
	}
}
