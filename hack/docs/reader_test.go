//go:build e2e

package docs

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/test/docpage"
	"github.com/pressroom-dev/pressroom/test/project"
)

// reader is somebody who types what a page says.
type reader struct {
	*testing.T
	*pressroomSystem
	shell  *shell
	page   page
	folder string
	// printed is what the last command of the page has printed, and pasted what the reader pastes from elsewhere.
	printed, pasted string
}

// follow runs the commands of a page in their order, in a clone of the project.
func (s *pressroomSystem) follow(t *testing.T, p page) {
	t.Helper()
	s.reset(t)
	r := &reader{T: t, pressroomSystem: s, page: p, folder: t.TempDir()}
	must(t, project.Clone(r.folder))
	must(t, os.Symlink(s.Folder, filepath.Join(r.folder, ".pressroom")))
	must(t, os.Symlink(s.Binary(), filepath.Join(r.folder, "bin", "pressroom")))
	r.shell = newShell(t, r.folder,
		"PATH="+strings.Join([]string{filepath.Join(r.folder, "bin"), s.KubectlFolder(), os.Getenv("PATH")}, string(os.PathListSeparator)),
		// The settings and the cache of the caller's own kubectl must not matter.
		"KUBECONFIG=", "KUBERC=off", "KUBECACHEDIR="+filepath.Join(s.Root, "kubectl"), "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1")
	if !p.ownEnvironment {
		r.must(". .pressroom/env")
	}
	if p.prepare != nil {
		p.prepare(r)
	}
	before := maps.Clone(p.before)
	for _, c := range p.here(t) {
		for beginning, do := range before {
			if strings.HasPrefix(c.Text, beginning) {
				do(r)
				delete(before, beginning)
			}
		}
		r.typeIn(c)
	}
}

// typeIn runs a command of the page, and compares what it prints with what the page shows.
func (r *reader) typeIn(c docpage.Command) {
	r.Helper()
	began, text := time.Now(), c.Text
	for word, find := range r.page.paste {
		if strings.Contains(text, word) {
			text = strings.ReplaceAll(text, word, find(r))
		}
	}
	once := func() string { return r.try(text, c.Output, valueOf(r.page.exits, c.Text)) }
	within := time.Duration(0)
	if c.Output != "" && looks.MatchString(c.Text) {
		within = soon
	}
	NewWithT(r.T).Eventually(r.Context(), once).WithTimeout(within).WithPolling(100*time.Millisecond).
		Should(BeEmpty(), "%s:%d", r.page.file, c.Line)
	r.Logf("%s:%d: %s (%s)", r.page.file, c.Line, c.Text, time.Since(began).Round(10*time.Millisecond))
}

// looks finds commands that only look at something. What they show may take a moment.
var looks = regexp.MustCompile(`^kubectl (get|describe|pressroom (status|tree|preview)) `)

// try runs a command once, and says what is wrong with what it does.
func (r *reader) try(command, output string, code int) string {
	p, err := r.shell.run(command)
	r.printed = strings.TrimSpace(p.out)
	switch {
	case err != nil:
		return fmt.Sprintf("%s\n%v", command, err)
	case p.code != code:
		return fmt.Sprintf("%s\nends with %d, not with %d:\n%s%s", command, p.code, code, p.out, p.problems)
	case output != "" && !shows(output, p.out):
		return fmt.Sprintf("%s\nprints\n%s%s\nnot\n%s", command, p.out, p.problems, output)
	case output == "" && refusal.MatchString(p.out):
		return fmt.Sprintf("%s\nis refused:\n%s", command, p.out)
	}
	return ""
}

// refusal finds answers of the REST API and of OAuth that are errors, for which curl ends with 0.
var refusal = regexp.MustCompile(`^\s*\{("success": ?false|"error")`)

// must runs a command that the page does not have, and returns what it prints.
func (r *reader) must(command string) string {
	r.Helper()
	p, err := r.shell.run(command)
	if err != nil || p.code != 0 {
		r.Fatalf("%s ends with %d: %v: %s%s", command, p.code, err, p.out, p.problems)
	}
	return strings.TrimSpace(p.out)
}

// until repeats a command that the page does not have until it ends with 0.
func (r *reader) until(command string) {
	r.Helper()
	NewWithT(r.T).Eventually(r.Context(), func() string {
		p, err := r.shell.run(command)
		if err == nil && p.code == 0 {
			return ""
		}
		return fmt.Sprintf("%s ends with %d: %v: %s%s", command, p.code, err, p.out, p.problems)
	}).WithTimeout(patience).WithPolling(100 * time.Millisecond).Should(BeEmpty())
}

// apply applies a manifest.
func (r *reader) apply(manifest string) {
	r.Helper()
	_, err := r.Cluster.Kubectl(r.Context(), strings.NewReader(manifest), "apply", "--server-side", "-f", "-")
	must(r.T, err)
}

// write writes a file into the folder of the page.
func (r *reader) write(name, text string) {
	r.Helper()
	must(r.T, os.WriteFile(filepath.Join(r.folder, name), []byte(text), 0o600))
}

// yaml returns the first manifest of the page that has a text.
func (r *reader) yaml(with string) string {
	r.Helper()
	blocks, err := docpage.BlocksOf(r.page.file, "yaml")
	must(r.T, err)
	for _, b := range blocks {
		if strings.Contains(b, with) {
			return b
		}
	}
	r.Fatalf("%s has no manifest with %q", r.page.file, with)
	return ""
}

// generated makes an article of the site of the samples, which is in review.
func (r *reader) generated(name string) {
	r.Helper()
	r.apply(fmt.Sprintf(`{apiVersion: pressroom.dev/v1alpha1, kind: Article, metadata: {name: %s, namespace: acme-blog},
  spec: {siteRef: {name: acme}, generate: {keyword: trail running shoes}}}`, name))
	r.must("kubectl wait article/" + name + " -n acme-blog --for=jsonpath='{.status.phase}'=Review --timeout=5m")
}
