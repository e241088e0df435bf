// Command refdocs writes the pages of the documentation that the code knows best: `go run ./hack/refdocs docs`. It runs in the
// folder of the project.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

// pages are the generated pages, by their paths in docs.
var pages = map[string]func(context.Context) (string, error){
	"reference/annotations-and-labels.md": annotations,
	"reference/reasons.md":                reasons,
	"reference/metrics.md":                metrics,
	"reference/rest-operations.md":        operations,
	"reference/rest-errors.md":            problems,
	"reference/helm-values.md":            values,
	"reference/commands-and-flags.md":     commands,
	"contributing/packages.md":            packages,
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: refdocs FOLDER")
		os.Exit(2)
	}
	for name, page := range pages {
		if err := write(context.Background(), filepath.Join(os.Args[1], filepath.FromSlash(name)), page); err != nil {
			fmt.Fprintf(os.Stderr, "refdocs: %s: %v\n", name, err)
			os.Exit(1)
		}
	}
}

func write(ctx context.Context, file string, page func(context.Context) (string, error)) error {
	text, err := page(ctx)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o600)
}

// document is a page of Markdown that says where it comes from.
type document struct{ strings.Builder }

func newDocument(title, from, intro string) *document {
	d := &document{}
	fmt.Fprintf(d, "# %s\n\n<!-- Generated from %s by `make generate`. -->\n\n%s\n", title, from, intro)
	return d
}

func (d *document) table(header ...string) {
	fmt.Fprintf(d, "\n| %s |\n|%s\n", strings.Join(header, " | "), strings.Repeat("---|", len(header)))
}

func (d *document) row(cells ...string) {
	for i, cell := range cells {
		cells[i] = strings.ReplaceAll(strings.Join(strings.Fields(cell), " "), "|", `\|`)
	}
	fmt.Fprintf(d, "| %s |\n", strings.Join(cells, " | "))
}

// upper returns a text with a capital at its beginning.
func upper(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + text[size:]
}
