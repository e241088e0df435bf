package main

import (
	"fmt"
	"io"
	"strings"

	"k8s.io/cli-runtime/pkg/printers"

	"github.com/pressroom-dev/pressroom/internal/content"
)

// field is a line with a name.
type field struct{ name, value string }

// aligned spells fields below each other, without those that have no value.
func aligned(all ...field) string {
	var b strings.Builder
	w := printers.GetNewTabWriter(&b)
	for _, f := range all {
		if f.value != "" {
			fmt.Fprintf(w, "%s:\t%s\n", f.name, f.value)
		}
	}
	// A strings.Builder takes everything.
	_ = w.Flush()
	return b.String()
}

// plain spells a document: what a decision is about, and nothing else. The body is the Markdown that is published, not rendered:
// a reviewer has to see where a link leads.
func plain(doc content.Document) string {
	var b strings.Builder
	b.WriteString(aligned(
		field{"Title", doc.Title}, field{"Slug", doc.Slug}, field{"Meta title", doc.MetaTitle},
		field{"Meta description", doc.MetaDescription}, field{"Language", doc.Language},
	))
	b.WriteString("\n" + strings.TrimRight(doc.Markdown, "\n") + "\n")
	for _, q := range doc.FAQ {
		fmt.Fprintf(&b, "\nQ: %s\nA: %s\n", q.Question, q.Answer)
	}
	return b.String()
}

// write writes a text that others have written to a terminal, without what would command the terminal.
func write(w io.Writer, text string) error { return printers.WriteEscaped(w, text) }
