package agreement

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/language"
)

// siteURL is where all documents are published.
const siteURL = "https://example.com"

// Document is what hack/yoast/record.cjs reads: one in a line of JSON.
type Document struct {
	Name        string `json:"name"`
	HTML        string `json:"html"`
	Keyword     string `json:"keyword"`
	Description string `json:"description"`
	Title       string `json:"title"`
	TitleWidth  int    `json:"titleWidth"`
	Slug        string `json:"slug"`
	Permalink   string `json:"permalink"`
	Locale      string `json:"locale"`
	// Markdown is for our checks.
	Markdown string `json:"markdown,omitempty"`
}

// NewDocument makes a document of what our checks look at, but for its Markdown.
func NewDocument(name string, in check.Input) (Document, error) {
	html, err := content.HTML(in.Document.Markdown)
	if err != nil {
		return Document{}, fmt.Errorf("%s: %w", name, err)
	}
	return Document{
		Name: name, HTML: html, Keyword: in.Keyword, Description: in.Document.MetaDescription, Title: in.Document.MetaTitle,
		TitleWidth: check.TitlePixels(in.Document.MetaTitle), Slug: in.Document.Slug, Permalink: siteURL + "/" + in.Document.Slug,
		Locale: language.Base(in.Document.Language) + "_XX",
	}, nil
}

// Language is the base tag of the document's language.
func (d Document) Language() string { return strings.TrimSuffix(d.Locale, "_XX") }

// Input returns what our checks look at.
func (d Document) Input() check.Input {
	return check.Input{
		Document: content.Document{
			Title: d.Title, MetaTitle: d.Title, MetaDescription: d.Description, Slug: d.Slug, Markdown: d.Markdown, Language: d.Language(),
		},
		Keyword: d.Keyword, SiteURL: siteURL,
	}
}

// WriteDocuments writes a line for each document.
func WriteDocuments(to io.Writer, documents []Document) error {
	encoder := json.NewEncoder(to)
	for _, d := range documents {
		if err := encoder.Encode(d); err != nil {
			return err
		}
	}
	return nil
}

// ReadDocuments reads what WriteDocuments writes.
func ReadDocuments(from io.Reader) ([]Document, error) {
	var documents []Document
	decoder := json.NewDecoder(from)
	for decoder.More() {
		var d Document
		if err := decoder.Decode(&d); err != nil {
			return nil, err
		}
		documents = append(documents, d)
	}
	return documents, nil
}

// notApplicable stands for the points of a check that does not apply.
const notApplicable = "-"

// recordedChecks are our names of the recorded assessments, in the order of hack/yoast/record.cjs.
var recordedChecks = []string{
	"keyphrase-in-introduction", "keyphrase-length", "keyphrase-function-words", "keyphrase-density", "keyphrase-in-meta-description",
	"keyphrase-in-subheadings", "keyphrase-in-image-text", "keyphrase-in-seo-title", "keyphrase-in-slug", "competing-links",
	"meta-description-length", "seo-title-width", "text-length", "outbound-links", "internal-links", "images", "single-h1",
	"sentence-length", "paragraph-length", "section-length", "sentence-beginnings",
}

// Recorded is what yoastseo gives a document.
type Recorded struct {
	// Total is the overall score, 0 to 100.
	Total  int
	points []string
}

// ReadRecorded reads what hack/yoast/record.cjs writes, by the names of the documents.
func ReadRecorded(from io.Reader) (map[string]Recorded, error) {
	all := map[string]Recorded{}
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) != 2+len(recordedChecks) {
			return nil, fmt.Errorf("a line has %d fields; it must have %d: %q", len(fields), 2+len(recordedChecks), lines.Text())
		}
		total, err := strconv.Atoi(fields[1])
		if err != nil {
			return nil, fmt.Errorf("the score of %s: %w", fields[0], err)
		}
		// Their sum may leave the scale.
		all[fields[0]] = Recorded{Total: max(0, min(100, total)), points: fields[2:]}
	}
	return all, lines.Err()
}
