package main

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/hack/yoast/agreement"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/language"
	"github.com/pressroom-dev/pressroom/internal/postfile"
)

const (
	// minWords and maxWords bound the posts that are looked at.
	minWords, maxWords = 150, 3000
	// perLanguage is the most posts of one language that are taken from one folder: some of all, evenly.
	perLanguage = 150
	// perOther is the same for languages other than English.
	perOther = 15
)

// languages that both know, by the names of folders.
var languages = []string{
	"ca", "cs", "de", "el", "en", "es", "fa", "fi", "fr", "he", "hu", "id", "it", "pl", "pt", "pt-br", "ru", "sv", "tr",
}

// readFolders makes documents of the posts below folders: Markdown files with a title in their front matter, and in the language that the
// front matter or a folder names.
func readFolders(folders []string) ([]agreement.Document, error) {
	var documents []agreement.Document
	for _, folder := range folders {
		byLanguage := map[string][]agreement.Document{}
		below := os.DirFS(folder)
		err := fs.WalkDir(below, ".", func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !slices.Contains([]string{".md", ".markdown"}, filepath.Ext(file)) {
				return err
			}
			data, err := fs.ReadFile(below, file)
			if err != nil {
				return err
			}
			if d, ok := readPost(filepath.Join(filepath.Base(folder), file), data); ok {
				byLanguage[d.Language()] = append(byLanguage[d.Language()], d)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		for _, tag := range languages {
			most := perOther
			if tag == "en" {
				most = perLanguage
			}
			documents = append(documents, evenly(byLanguage[tag], most)...)
		}
	}
	return documents, nil
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

var (
	// templates are marks of static site generators.
	templates = regexp.MustCompile(`(?s)\{\{.*?\}\}|\{%.*?%\}|\{:.*?\}`)
	date      = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}-`)
)

// readPost makes a document of a file; false if it is no post that is to be looked at.
func readPost(name string, data []byte) (agreement.Document, bool) {
	in, err := postfile.Parse(data)
	if err != nil || in.Document.Title == "" {
		return agreement.Document{}, false
	}
	d := &in.Document
	d.Language = cmp.Or(d.Language, folderLanguage(name))
	d.Markdown = templates.ReplaceAllString(d.Markdown, "")
	text := content.PlainText(d.Markdown)
	if words := language.CountWords(text); words < minWords || words > maxWords || !slices.Contains(languages, d.Language) ||
		!language.Fits(d.Language, text).OK {
		return agreement.Document{}, false
	}
	file := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	if file == "index" || file == "_index" {
		file = filepath.Base(filepath.Dir(name))
	}
	d.Slug = content.Slug(date.ReplaceAllString(file, ""), d.Language)
	d.MetaTitle = d.Title
	if d.MetaDescription == "" {
		d.MetaDescription = firstWords(text)
	}
	in.Keyword = keyword(len(text), d.Title, text)
	document, err := agreement.NewDocument(name, in)
	document.Markdown = d.Markdown
	return document, err == nil && in.Keyword != ""
}

// folderLanguage is the language that an element of a path names.
func folderLanguage(name string) string {
	for element := range strings.SplitSeq(filepath.Dir(name), string(filepath.Separator)) {
		if slices.Contains(languages, element) {
			return element
		}
	}
	return "en"
}

// firstWords of a text, about as many as a description has.
func firstWords(text string) string {
	const least = 120
	var out strings.Builder
	for word := range strings.FieldsSeq(text) {
		if out.Len() >= least {
			break
		}
		out.WriteString(word + " ")
	}
	return strings.TrimSpace(out.String())
}

// keyword of a post: one of three kinds, as its author names none.
func keyword(kind int, title, text string) string {
	words := strings.FieldsFunc(title, func(r rune) bool { return strings.ContainsRune(" ,:;!?()\"“”«»", r) })
	switch kind % 3 {
	case 0:
		return strings.Join(words[:min(3, len(words))], " ")
	case 1:
		return strings.Join(longest(words, 2), " ")
	default:
		return mostFrequent(text)
	}
}

// longest words in their order.
func longest(words []string, n int) []string {
	sorted := slices.Clone(words)
	slices.SortStableFunc(sorted, func(a, b string) int { return len(b) - len(a) })
	sorted = sorted[:min(n, len(sorted))]
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool { return !slices.Contains(sorted, word) })
}

// mostFrequent returns the two words of 4 letters or more that most often follow each other.
func mostFrequent(text string) string {
	counts := map[string]int{}
	last, best := "", ""
	for _, word := range language.Words(text) {
		if len([]rune(word)) < 4 {
			last = ""
			continue
		}
		if last != "" {
			pair := last + " " + word
			counts[pair]++
			if counts[pair] > counts[best] || counts[pair] == counts[best] && pair < best {
				best = pair
			}
		}
		last = word
	}
	return best
}
