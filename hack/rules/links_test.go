package rules

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	pageLink  = regexp.MustCompile(`\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"`)
	elsewhere = regexp.MustCompile(`^[a-z]+:`)
	heading   = regexp.MustCompile(`(?m)^#{1,6} (.+)$`)
	fenced    = regexp.MustCompile("(?ms)^ *```.*?\n *```$")
	code      = regexp.MustCompile("`[^`\n]*`")
	linkText  = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	noAnchor  = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
	// inCode is how code, manifests and messages name a page.
	inCode = regexp.MustCompile(`\bdocs/[\w/-]+\.md(?:#[\w-]+)?`)
)

func handWritten(t *testing.T) []string {
	t.Helper()
	return append(pagesOfDocs(t), "README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
}

// anchors returns those that GitHub gives the headings of a page.
func anchors(text string) []string {
	var all []string
	for _, h := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		anchor := noAnchor.ReplaceAllString(strings.ToLower(linkText.ReplaceAllString(h[1], "$1")), "")
		all = append(all, strings.ReplaceAll(anchor, " ", "-"))
	}
	return all
}

// leadsTo returns an error unless the file or folder exists and a page has the anchor.
func leadsTo(t *testing.T, link string) bool {
	t.Helper()
	name, anchor, hasAnchor := strings.Cut(link, "#")
	if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(name))); err != nil {
		return false
	}
	return !hasAnchor || slices.Contains(anchors(read(t, name)), anchor)
}

func TestEveryLinkOfThePagesLeadsSomewhere(t *testing.T) {
	linked, seen := map[string]bool{}, 0
	for _, page := range handWritten(t) {
		text := code.ReplaceAllString(fenced.ReplaceAllString(read(t, page), ""), "")
		for _, found := range pageLink.FindAllStringSubmatch(text, -1) {
			target := found[1] + found[2]
			if elsewhere.MatchString(target) {
				continue
			}
			seen++
			to := path.Join(path.Dir(page), target)
			if strings.HasPrefix(target, "#") {
				to = page + target
			}
			if !leadsTo(t, to) {
				t.Errorf("%s links to %s, which does not exist", page, target)
			}
			name, _, _ := strings.Cut(to, "#")
			linked[name] = linked[name] || page == "docs/README.md"
		}
	}
	for _, page := range pagesOfDocs(t) {
		if page != "docs/README.md" && !linked[page] {
			t.Errorf("docs/README.md does not link to %s", page)
		}
	}
	const least = 100
	if seen < least {
		t.Errorf("only %d links were found: they are read wrongly", seen)
	}
}

// People follow the names of pages in messages, manifests and comments too.
func TestEveryPageThatCodeNamesExists(t *testing.T) {
	seen := 0
	for _, file := range textFiles(t) {
		for _, page := range inCode.FindAllString(read(t, file), -1) {
			seen++
			if !leadsTo(t, page) {
				t.Errorf("%s names %s, which does not exist", file, page)
			}
		}
	}
	const least = 40
	if seen < least {
		t.Errorf("only %d names of pages were found: they are read wrongly", seen)
	}
}

// onGitHub is the address of a file of the project, as pages in a browser name it.
var onGitHub = regexp.MustCompile(`github\.com/pressroom-dev/pressroom/blob/main/([\w./-]+)`)

func TestTheDashboardAndTheReferenceLinkToTheDocumentation(t *testing.T) {
	for _, file := range []string{"apiserver/dashboard/page/layout.html", "apiserver/rest/document/overlay.yaml"} {
		named := found(read(t, file), onGitHub.String())
		for _, page := range named {
			if !leadsTo(t, page) {
				t.Errorf("%s links to %s, which does not exist", file, page)
			}
		}
		for _, want := range []string{"docs/", "CHANGELOG.md", "SECURITY.md", "CONTRIBUTING.md"} {
			if !slices.ContainsFunc(named, func(page string) bool { return strings.HasPrefix(page, want) }) {
				t.Errorf("%s does not link to %s", file, want)
			}
		}
	}
}

// textFiles returns the paths of the project's own files that people write.
func textFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name != "." && (strings.HasPrefix(name, ".") || slices.Contains([]string{"bin", "dist", "node_modules"}, path.Base(name))) {
				return fs.SkipDir
			}
			return nil
		}
		if slices.Contains([]string{".go", ".yaml", ".sh", ".html", ".txt", ".json", ".js", ".css"}, path.Ext(name)) || entry.Name() == "Makefile" {
			files = append(files, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
