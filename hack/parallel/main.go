// Command parallel measures the check `language` on corpora that are not part of the repository: Markdown files in many languages, below
// the folders that are named. docs/quality.md has its figures.
package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/language"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "parallel:", err)
		os.Exit(1)
	}
}

var errUsage = errors.New("name the folders with pages as arguments")

func run(folders []string, out io.Writer) error {
	if len(folders) == 0 {
		return errUsage
	}
	for _, folder := range folders {
		pages, err := readPages(folder)
		if err != nil {
			return err
		}
		measure(out, folder, pages)
	}
	return nil
}

// counts of one language: pages, those that are refused and those that are not judged, pages of other languages that are swapped in, and
// paragraphs put into its pages.
type counts struct{ pages, refused, unknown, swapped, missed, paragraphs, unseen int }

func (c *counts) add(more counts) {
	c.pages += more.pages
	c.refused += more.refused
	c.unknown += more.unknown
	c.swapped += more.swapped
	c.missed += more.missed
	c.paragraphs += more.paragraphs
	c.unseen += more.unseen
}

// measure prints a row for each language of a corpus. With DIFFER=1, it names what is wrong.
func measure(out io.Writer, folder string, pages map[string][]page) {
	fmt.Fprintf(out, "%s\n  %-8s %6s %8s %8s   %8s %7s   %10s %7s\n",
		folder, "language", "pages", "refused", "unknown", "swapped", "missed", "paragraphs", "missed")
	var sum counts
	for _, tag := range slices.Sorted(maps.Keys(pages)) {
		c := counts{pages: len(pages[tag])}
		for _, p := range pages[tag] {
			switch f := languageOf(p.input); f.Result {
			case check.Failed:
				c.refused++
				differf(out, "refused: %s: %s", p.name, f.Message)
			case check.NotApplicable:
				c.unknown++
				differf(out, "unknown: %s: %s", p.name, f.Message)
			}
		}
		for _, other := range slices.Sorted(maps.Keys(pages)) {
			// A language without function words refuses what is in another script, and no more.
			if !alike(tag, other) && c.unknown*2 <= c.pages {
				swap(out, &c, tag, pages[other])
				insert(out, &c, tag, pages[tag], pages[other])
			}
		}
		row(out, tag, c)
		sum.add(c)
	}
	row(out, "all", sum)
}

func row(out io.Writer, name string, c counts) {
	fmt.Fprintf(out, "  %-8s %6d %8d %8d   %8d %7d   %10d %7d\n",
		name, c.pages, c.refused, c.unknown, c.swapped, c.missed, c.paragraphs, c.unseen)
}

// swapsEach is the number of pages of each other language that are swapped in, and from which a paragraph is taken.
const swapsEach = 20

// swap checks pages as answers in another language than theirs.
func swap(out io.Writer, c *counts, tag string, foreign []page) {
	for _, p := range evenly(foreign, swapsEach) {
		c.swapped++
		if language.Fits(tag, p.text).OK {
			c.missed++
			differf(out, "missed: %s as %s", p.name, tag)
		}
	}
}

// insert puts a paragraph of 40 words in another language into pages.
func insert(out io.Writer, c *counts, tag string, own, foreign []page) {
	hosts := evenly(own, swapsEach)
	for i, p := range evenly(foreign, swapsEach) {
		if len(hosts) == 0 || p.paragraph == "" {
			continue
		}
		host := hosts[i%len(hosts)]
		c.paragraphs++
		if language.Fits(tag, host.text+"\n\n"+p.paragraph).OK {
			c.unseen++
			differf(out, "missed: of %s in %s: %s", p.name, host.name, p.paragraph)
		}
	}
}

func differf(out io.Writer, format string, values ...any) {
	if os.Getenv("DIFFER") != "" {
		fmt.Fprintf(out, "    "+format+"\n", values...)
	}
}

// languageOf returns what the check finds.
func languageOf(in check.Input) check.Finding {
	findings := check.Run(in).Findings
	return findings[slices.IndexFunc(findings, func(f check.Finding) bool { return f.Check == "language" })]
}

// evenly takes at most n values.
func evenly[T any](values []T, n int) []T {
	if len(values) <= n {
		return values
	}
	out := make([]T, n)
	for i := range out {
		out[i] = values[i*len(values)/n]
	}
	return out
}
