// Package postfile reads articles from Markdown files with front matter: lines of YAML between two lines of three hyphens.
package postfile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"

	goyaml "go.yaml.in/yaml/v3"
	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
)

// frontMatter names the fields as spec.content and spec.generate of Articles do, with the usual names of other programs beside them.
type frontMatter struct {
	Title             string         `json:"title"`
	Slug              string         `json:"slug"`
	MetaTitle         string         `json:"metaTitle"`
	MetaDescription   string         `json:"metaDescription"`
	Description       string         `json:"description"`
	Language          string         `json:"language"`
	Lang              string         `json:"lang"`
	Keyword           string         `json:"keyword"`
	SecondaryKeywords []string       `json:"secondaryKeywords"`
	AvoidWords        []string       `json:"avoidWords"`
	SiteURL           string         `json:"siteURL"`
	MinWords          int            `json:"minWords"`
	MaxWords          int            `json:"maxWords"`
	FAQ               []v1alpha1.FAQ `json:"faq"`
}

// maxFrontMatter bounds the front matter, and what it is with its aliases written out, in bytes: each alias repeats all of its anchor.
const maxFrontMatter = 1 << 20

var (
	// errNotClosed is returned for front matter without an end.
	errNotClosed = errors.New("the front matter has no end: a line of three hyphens")
	errTooLarge  = fmt.Errorf("the front matter, with what its aliases stand for, has more than %d bytes", maxFrontMatter)
)

// Parse reads a file. What the front matter does not say is empty; the body is as it stands. Fields that are not known are ignored, as
// every program has its own.
func Parse(data []byte) (check.Input, error) {
	front, body, err := split(data)
	if err != nil {
		return check.Input{}, err
	}
	var root goyaml.Node
	if len(front) > maxFrontMatter {
		return check.Input{}, errTooLarge
	}
	if err := goyaml.Unmarshal(front, &root); err != nil {
		return check.Input{}, fmt.Errorf("reading the front matter: %w", err)
	}
	if writtenOut(&root, maxFrontMatter) < 0 {
		return check.Input{}, errTooLarge
	}
	var m frontMatter
	if err := yaml.Unmarshal(front, &m); err != nil {
		return check.Input{}, fmt.Errorf("reading the front matter: %w", err)
	}
	return check.Input{
		Document: content.Document{
			Title: m.Title, Slug: m.Slug, Markdown: string(body), MetaTitle: m.MetaTitle,
			MetaDescription: cmp.Or(m.MetaDescription, m.Description), Language: cmp.Or(m.Language, m.Lang), FAQ: m.FAQ,
		},
		Keyword: m.Keyword, SecondaryKeywords: m.SecondaryKeywords, AvoidWords: m.AvoidWords, SiteURL: m.SiteURL,
		MinWords: m.MinWords, MaxWords: m.MaxWords,
	}, nil
}

// writtenOut returns what is left of some bytes after a node with its aliases written out; less than 0 if they are too few.
func writtenOut(n *goyaml.Node, left int) int {
	if n.Kind == goyaml.AliasNode {
		n = n.Alias
	}
	left -= len(n.Value) + 1
	for _, child := range n.Content {
		if left < 0 {
			break
		}
		left = writtenOut(child, left)
	}
	return left
}

// split separates front matter and body.
func split(data []byte) (front, body []byte, err error) {
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	fence := []byte("---")
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	if !bytes.Equal(bytes.TrimRight(first, " \t\r"), fence) {
		return nil, data, nil
	}
	at := 0
	for line := range bytes.Lines(rest) {
		if bytes.Equal(bytes.TrimRight(line, " \t\r\n"), fence) {
			return rest[:at], rest[at+len(line):], nil
		}
		at += len(line)
	}
	return nil, nil, errNotClosed
}
