//go:build e2e

package docs

import (
	"context"
	"slices"
)

func articleRevisions() page {
	return page{
		file:    "docs/article-revisions.md",
		prepare: func(r *reader) { r.generated("trail-shoes") },
		before: map[string]func(*reader){
			"text trail-shoes-": func(r *reader) {
				r.must(`kubectl patch article trail-shoes -n acme-blog --type merge -p '{"spec": {"content": {"title": "Shoes", "markdown": "They grip."}}}'`)
				r.until("kubectl get articlerevision trail-shoes-1ed6bcb9-2 -n acme-blog")
			},
			// The installation is a very large one.
			`kubectl get articlerevision "$revision" -n acme-blog -o jsonpath='{.spec.compressed}'`: func(r *reader) {
				r.restartController(append(slices.Clone(r.ControllerArgs), "--revision-encoding=Zstd"))
				r.generated("compressed")
				r.must("revision=$(kubectl get article compressed -n acme-blog -o jsonpath='{.status.revision.name}')")
			},
		},
		exits: map[string]int{"text trail-shoes-": 1},
	}
}

// restartController runs the controller with other arguments until the page ends.
func (r *reader) restartController(args []string) {
	r.Helper()
	restart := func(ctx context.Context, args []string) {
		must(r.T, r.Group.StopOne(r.Controller))
		r.ControllerArgs = args
		must(r.T, r.StartController(ctx))
	}
	usual := r.ControllerArgs
	r.Cleanup(func() { restart(context.Background(), usual) })
	restart(r.Context(), args)
}
