package check_test

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

// document is what hack/yoast/record.cjs reads: one in a line of JSON.
type document struct {
	Name        string `json:"name"`
	HTML        string `json:"html"`
	Keyword     string `json:"keyword"`
	Description string `json:"description"`
	Title       string `json:"title"`
	TitleWidth  int    `json:"titleWidth"`
	Slug        string `json:"slug"`
	Permalink   string `json:"permalink"`
	Locale      string `json:"locale"`
}

// newDocument makes a document of what our checks look at.
func newDocument(name string, in check.Input) (document, error) {
	html, err := content.HTML(in.Document.Markdown)
	if err != nil {
		return document{}, fmt.Errorf("%s: %w", name, err)
	}
	return document{
		Name: name, HTML: html, Keyword: in.Keyword, Description: in.Document.MetaDescription, Title: in.Document.MetaTitle,
		TitleWidth: check.TitlePixels(in.Document.MetaTitle), Slug: in.Document.Slug, Permalink: siteURL + "/" + in.Document.Slug,
		Locale: language.Base(in.Document.Language) + "_XX",
	}, nil
}

// writeDocuments writes a line for each document.
func writeDocuments(to io.Writer, documents []document) error {
	encoder := json.NewEncoder(to)
	for _, d := range documents {
		if err := encoder.Encode(d); err != nil {
			return err
		}
	}
	return nil
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

// recorded is what yoastseo gives a document.
type recorded struct {
	// total is the overall score, 0 to 100.
	total  int
	points []string
}

// readRecorded reads what hack/yoast/record.cjs writes, by the names of the documents.
func readRecorded(from io.Reader) (map[string]recorded, error) {
	all := map[string]recorded{}
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
		all[fields[0]] = recorded{total: max(0, min(100, total)), points: fields[2:]}
	}
	return all, lines.Err()
}
