//go:build e2e

package clients

import (
	"bytes"
	"crypto/sha256"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pressroom-dev/pressroom/hack/dev/system"
)

const npmPage = "docs/how-to/use-the-npm-package.md"

func TestTheNPMPackage(t *testing.T) {
	archive := pack(t)
	t.Run("publishes articles and receives them", func(t *testing.T) { testLife(t, archive) })
	t.Run("keeps its promises", func(t *testing.T) { testPromises(t, archive) })
	t.Run("is reproducible", func(t *testing.T) {
		again := pack(t)
		if filepath.Base(archive) != "pressroom-client-1.2.3.tgz" || sha256.Sum256([]byte(read(t, archive))) != sha256.Sum256([]byte(read(t, again))) {
			t.Errorf("%s and %s differ", archive, again)
		}
	})
	// The rest is generated, or openapi-fetch.
	t.Run("has at most 200 lines that people wrote", func(t *testing.T) {
		const most = 200
		if lines := strings.Count(read(t, filepath.Join(ours, "npm", "src")), "\n"); lines == 0 || lines > most {
			t.Errorf("%d lines are written by hand, want at most %d", lines, most)
		}
	})
}

// Anyone who uses the package copies a program that its page links to, as it stands. Answers that are lost on their way double nothing.
func testLife(t *testing.T, archive string) {
	t.Helper()
	s := start(t)
	api, err := url.Parse(s.APIURL())
	must(t, err)
	network := &lossy{to: httputil.NewSingleHostReverseProxy(api)}
	server := httptest.NewServer(network)
	t.Cleanup(server.Close)
	if text := read(t, filepath.Join(ours, "..", "..", filepath.FromSlash(npmPage))); !strings.Contains(text, "(../../hack/clients/npm/life.ts)") {
		t.Errorf("%s does not link to the program", npmPage)
	}
	folder := installed(t, archive)
	copyFile(t, filepath.Join(ours, "npm", "life.ts"), folder)
	before := countArticles(t, s)
	shell(t, folder, os.Environ(), "npx tsc")
	output := shell(t, folder, append(environment(s), "PRESSROOM_URL="+server.URL), "node life.js")
	if !regexp.MustCompile(`^(published [0-9a-f-]{36}\n){3}received 3 articles and 3 events\nanswered 401 to a forged article\n$`).MatchString(output) {
		t.Errorf("the program prints %q", output)
	}
	if made := countArticles(t, s) - before; made != 3 {
		t.Errorf("%d articles are made, want 3", made)
	}
	if lost := network.lostAnswers(); len(lost) != 2 {
		t.Errorf("the answers of %q were lost, want that of a site and of an article", lost)
	}
}

func countArticles(t *testing.T, s *system.System) int {
	t.Helper()
	var counts struct{ All int }
	get(t, s, "/v1/api/blogs/counts", &counts)
	return counts.All
}

// Retries, paging, errors and signatures, without Pressroom.
func testPromises(t *testing.T, archive string) {
	t.Helper()
	folder := installed(t, archive)
	copyFile(t, filepath.Join(ours, "npm", "test", "client.test.ts"), folder)
	shell(t, folder, os.Environ(), "npx tsc")
	t.Log(shell(t, folder, os.Environ(), "node --test client.test.js"))
}

// pack returns the package of a release.
func pack(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	shell(t, folder, os.Environ(), "sh '"+filepath.Join(ours, "npm", "pack.sh")+"' v1.2.3 .")
	packages, err := filepath.Glob(filepath.Join(folder, "*"))
	must(t, err)
	if len(packages) != 1 {
		t.Fatalf("pack.sh writes %v, want one package", packages)
	}
	return packages[0]
}

// installed is a folder that has the package of a release from npm, and what the page of the package installs beside it.
func installed(t *testing.T, archive string) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range []string{"package.json", "tsconfig.json"} {
		copyFile(t, filepath.Join(ours, name), folder)
	}
	shell(t, folder, os.Environ(), "npm install --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error '"+archive+"'")
	// The others are those of `make bin/clients`.
	for _, name := range []string{"typescript", "@types", "undici-types", ".bin"} {
		must(t, os.RemoveAll(filepath.Join(folder, "node_modules", name)))
		must(t, os.Symlink(filepath.Join(ours, "..", "..", "bin", "clients", "node_modules", name), filepath.Join(folder, "node_modules", name)))
	}
	return folder
}

// lossy is a network that loses the answers to the first creation of each kind, and is busy for the first list.
type lossy struct {
	to http.Handler

	mu   sync.Mutex
	lost []string
	busy bool
}

func (n *lossy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch n.fault(r) {
	case losesAnswer:
		n.to.ServeHTTP(&discarded{header: http.Header{}}, r)
		panic(http.ErrAbortHandler)
	case isBusy:
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(http.StatusServiceUnavailable)
	default:
		n.to.ServeHTTP(w, r)
	}
}

type fault int

const (
	none fault = iota
	losesAnswer
	isBusy
)

func (n *lossy) fault(r *http.Request) fault {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch path := r.URL.Path; {
	case r.Method == http.MethodPost && (path == "/v1/api/sites" || path == "/v1/api/generate") && !slices.Contains(n.lost, path):
		n.lost = append(n.lost, path)
		return losesAnswer
	case path == "/v1/api/blogs" && !n.busy:
		n.busy = true
		return isBusy
	default:
		return none
	}
}

func (n *lossy) lostAnswers() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.lost)
}

// discarded is an answer that nobody receives.
type discarded struct {
	bytes.Buffer

	header http.Header
}

func (d *discarded) Header() http.Header { return d.header }
func (d *discarded) WriteHeader(int)     {}
