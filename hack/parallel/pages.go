package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/language"
	"github.com/pressroom-dev/pressroom/internal/postfile"
)

const (
	// minWords of the pages that are looked at.
	minWords = 100
	// paragraphWords is the length of the paragraphs that are put into pages.
	paragraphWords = 40
	// perLanguage is the most pages of one language: some of all, evenly.
	perLanguage = 300
	// original is the language that pages are translated from.
	original = "en"
)

type page struct {
	name  string
	input check.Input
	// text of the page as the check sees it: a blank line stands between two blocks.
	text string
	// paragraph is the beginning of a paragraph of the page, of 40 words; empty if it has none that is so long.
	paragraph string
}

// readPages reads the pages below a folder, by their language: that of the first element of the path that is a tag of two letters with a
// region or a script at most.
func readPages(folder string) (map[string][]page, error) {
	pages := map[string][]page{}
	below := os.DirFS(folder)
	err := fs.WalkDir(below, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !slices.Contains([]string{".md", ".markdown"}, filepath.Ext(file)) {
			return err
		}
		data, err := fs.ReadFile(below, file)
		if err != nil {
			return err
		}
		if tag := languageTag(file); tag != "" {
			if p, ok := readPage(file, tag, data); ok {
				pages[tag] = append(pages[tag], p)
			}
		}
		return nil
	})
	for tag := range pages {
		pages[tag] = evenly(translated(tag, pages), perLanguage)
	}
	return pages, err
}

// translated leaves out the pages that have a paragraph of the English ones.
func translated(tag string, pages map[string][]page) []page {
	if tag == original {
		return pages[tag]
	}
	return slices.DeleteFunc(pages[tag], func(p page) bool {
		return p.paragraph != "" && slices.ContainsFunc(pages[original], func(q page) bool { return p.paragraph == q.paragraph })
	})
}

var (
	tagged = regexp.MustCompile(`(?:^|[/.])([a-z]{2}(?:[-_](?:[A-Za-z]{4}|[A-Za-z]{2}))?)[/.]`)
	// templates are marks of static site generators.
	templates = regexp.MustCompile(`(?s)\{\{.*?\}\}|\{%.*?%\}|\{:.*?\}`)
)

func languageTag(file string) string {
	for _, match := range tagged.FindAllStringSubmatch(file, -1) {
		if tag := strings.ReplaceAll(match[1], "_", "-"); match[1] != "md" && language.Base(tag) != "" {
			return tag
		}
	}
	return ""
}

func readPage(name, tag string, data []byte) (page, bool) {
	in, err := postfile.Parse(data)
	if err != nil {
		return page{}, false
	}
	in.Document.Language = tag
	in.Document.Markdown = templates.ReplaceAllString(in.Document.Markdown, "")
	body, err := content.Read(in.Document.Markdown)
	if err != nil || language.CountWords(content.PlainText(in.Document.Markdown)) < minWords {
		return page{}, false
	}
	p := page{name: name, input: in}
	for _, b := range body.Blocks {
		p.text += b.Text + "\n\n"
		if b.Kind == content.BlockParagraph && language.CountWords(b.Text) >= paragraphWords && p.paragraph == "" {
			p.paragraph = firstWords(b.Text)
		}
	}
	return p, true
}

// firstWords of a text: the shortest beginning that counts as 40 words.
func firstWords(text string) string {
	runes := []rune(text)
	n := sort.Search(len(runes), func(n int) bool { return language.CountWords(string(runes[:n])) >= paragraphWords })
	for n < len(runes) && language.IsWordRune(runes[n]) && !language.IsUnspaced(runes[n]) {
		n++
	}
	return string(runes[:n])
}

// kindred are languages in which people write texts that are right in both.
var kindred = [][]string{{"id", "ms"}, {"da", "no", "nb", "nn"}, {"hr", "bs", "sr"}}

// alike reports whether a page in one language is no foreign page in the other.
func alike(one, other string) bool {
	one, other = language.Base(one), language.Base(other)
	return one == other || slices.ContainsFunc(kindred, func(languages []string) bool {
		return slices.Contains(languages, one) && slices.Contains(languages, other)
	})
}
