//go:build e2e

package docs

import (
	"net/http/httptest"

	"github.com/pressroom-dev/pressroom/internal/scripted"
	"github.com/pressroom-dev/pressroom/internal/testkit/docpage"
)

func quality() page {
	return page{
		file: "docs/quality.md",
		prepare: func(r *reader) {
			posts, err := docpage.BlocksOf(r.page.file, "markdown")
			must(r.T, err)
			r.write("post.md", posts[0])
		},
		// In place of Ollama.
		paste: map[string]func(*reader) string{"http://localhost:11434/v1": func(r *reader) string {
			model, err := scripted.Handler("perfect")
			must(r.T, err)
			server := httptest.NewServer(model)
			r.Cleanup(server.Close)
			return server.URL + "/v1"
		}},
		notHere: map[string]string{
			"hack/yoast/heldout.sh": "needs the npm registry and clones of other repositories",
			"make build":            "every test here builds the program",
		},
	}
}
