// Package textdiff compares two documents for readers: it returns paragraphs whose words are the same, added or removed. It also merges the
// changes of two people. It is pure.
package textdiff

import (
	"strings"

	"github.com/clipperhouse/uax29/v2/words"
)

// MaxWordBytes is how large a side may be for a comparison of words. Larger documents are compared by lines.
const MaxWordBytes = 128 << 10

// Kind says in which of the two documents a span is.
type Kind int

// The kinds of spans.
const (
	// Same is in both documents.
	Same Kind = iota
	// Added is in the new document alone.
	Added
	// Removed is in the old document alone.
	Removed
)

// Span is a run of text of one kind.
type Span struct {
	Kind Kind
	Text string
}

// Paragraph is a line of a document, with the line breaks that follow it. Its spans of the kinds Same and Added are text of the new
// document, those of the kinds Same and Removed are text of the old one. Where the documents differ, what is removed comes first.
type Paragraph struct{ Spans []Span }

// Changed reports whether anything in the paragraph is added or removed.
func (p Paragraph) Changed() bool {
	for _, s := range p.Spans {
		if s.Kind != Same {
			return true
		}
	}
	return false
}

// Compare returns the paragraphs of both documents in their order. Joined, the spans that are Same or Added give the new document byte
// by byte, and those that are Same or Removed the old one. It compares words, or lines if a document has more than MaxWordBytes.
func Compare(before, after string) []Paragraph {
	byWords := len(before) <= MaxWordBytes && len(after) <= MaxWordBytes
	var w writer
	olds, news := lines(before), lines(after)
	at := 0
	for _, h := range hunks(olds, news) {
		w.write(Same, olds[at:h.Start]...)
		at = h.End
		removed, added := olds[h.Start:h.End], news[h.ReplStart:h.ReplEnd]
		switch {
		case !byWords:
			w.replace(removed, added)
		case len(removed) == len(added):
			// As many lines as before are the same lines with other words.
			for i := range removed {
				w.words(removed[i], added[i])
			}
		default:
			w.words(strings.Join(removed, ""), strings.Join(added, ""))
		}
	}
	w.write(Same, olds[at:]...)
	return w.paragraphs()
}

type writer struct{ spans []Span }

func (w *writer) write(k Kind, texts ...string) {
	text := strings.Join(texts, "")
	if text == "" {
		return
	}
	if last := len(w.spans) - 1; last >= 0 && w.spans[last].Kind == k {
		w.spans[last].Text += text
		return
	}
	w.spans = append(w.spans, Span{k, text})
}

func (w *writer) replace(removed, added []string) {
	w.write(Removed, removed...)
	w.write(Added, added...)
}

// words writes the difference of two texts by words.
func (w *writer) words(before, after string) {
	olds, news := tokens(before), tokens(after)
	at := 0
	for _, h := range readable(hunks(olds, news), olds, news) {
		w.write(Same, olds[at:h.Start]...)
		w.replace(olds[h.Start:h.End], news[h.ReplStart:h.ReplEnd])
		at = h.End
	}
	w.write(Same, olds[at:]...)
}

func (w *writer) paragraphs() []Paragraph {
	var out []Paragraph
	var spans []Span
	for _, s := range w.spans {
		for _, text := range lines(s.Text) {
			spans = append(spans, Span{s.Kind, text})
			if strings.HasSuffix(text, "\n") {
				out, spans = append(out, Paragraph{spans}), nil
			}
		}
	}
	if len(spans) > 0 {
		out = append(out, Paragraph{spans})
	}
	return out
}

// lines cuts a text behind each run of line breaks.
func lines(text string) []string {
	var out []string
	begin := 0
	for i := 1; i < len(text); i++ {
		if text[i-1] == '\n' && text[i] != '\n' {
			out = append(out, text[begin:i])
			begin = i
		}
	}
	if begin < len(text) {
		out = append(out, text[begin:])
	}
	return out
}

// tokens cuts a text into words, runs of blanks and single other signs, as UAX #29 does.
func tokens(text string) []string {
	out := make([]string, 0, len(text)/4)
	for found := words.FromString(text); found.Next(); {
		out = append(out, found.Value())
	}
	return out
}
