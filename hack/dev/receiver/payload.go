package receiver

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
)

// Payload is the body of a publish webhook (contract, section 2). Other members are ignored: the contract reserves some for
// later.
type Payload struct {
	Title           string     `json:"title"`
	Slug            string     `json:"slug"`
	MetaTitle       string     `json:"meta_title,omitempty"`
	MetaDescription string     `json:"meta_description,omitempty"`
	Excerpt         string     `json:"excerpt,omitempty"`
	FAQ             []Question `json:"faq,omitempty"`
	Status          string     `json:"status"`
	ContentFormat   string     `json:"content_format"`
	ContentMarkdown string     `json:"content_markdown,omitempty"`
	ContentHTML     string     `json:"content_html,omitempty"`
	Content         string     `json:"content,omitempty"`
}

// Question is one of the FAQ, which the receiver renders itself.
type Question struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

// slugs are URL-safe, and become names of files here.
var slugs = regexp.MustCompile(`^[a-z0-9]+(?:-[a-z0-9]+)*$`)

const maxSlug = 200

// parse reads a payload and refuses one without the members that the contract requires.
func parse(body []byte) (Payload, error) {
	var p Payload
	if err := json.Unmarshal(body, &p); err != nil {
		return Payload{}, fmt.Errorf("the body is not the JSON of a publish webhook: %w", err)
	}
	switch {
	case p.Title == "":
		return Payload{}, errors.New("title is missing")
	case len(p.Slug) > maxSlug || !slugs.MatchString(p.Slug):
		return Payload{}, fmt.Errorf("slug %.50q is not URL-safe", p.Slug)
	case p.Status != "publish":
		return Payload{}, fmt.Errorf("status is %.50q, not publish", p.Status)
	}
	return p, p.checkContent()
}

func (p Payload) checkContent() error {
	switch p.ContentFormat {
	case "json":
		if p.ContentMarkdown == "" || p.ContentHTML == "" {
			return errors.New("content_markdown or content_html is missing")
		}
	case "markdown", "html":
		if p.Content == "" {
			return errors.New("content is missing")
		}
	default:
		return fmt.Errorf("content_format is %.50q, not json, markdown or html", p.ContentFormat)
	}
	return nil
}
