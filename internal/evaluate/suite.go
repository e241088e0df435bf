// Package evaluate writes the articles of a suite with a model, through the pipeline that runs in the controller, and reports what came
// of it: scores, gates, turns, tokens, and what each repair gained.
package evaluate

import (
	"embed"
	"errors"
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/brief"
	"github.com/pressroom-dev/pressroom/internal/embedded"
	"github.com/pressroom-dev/pressroom/internal/generate"
)

//go:embed suite.yaml
var suiteFile embed.FS

// maxCases bounds a suite.
const maxCases = 500

// Suite is a list of requests.
type Suite struct {
	// Cases in order; their names differ.
	Cases []Case `json:"cases"`
}

// Case is one request, in the words of an Article and its Site.
type Case struct {
	// Name of the case, unique in its suite.
	Name string `json:"name"`

	Keyword           string                 `json:"keyword"`
	SecondaryKeywords []string               `json:"secondaryKeywords,omitempty"`
	Tone              string                 `json:"tone,omitempty"`
	Language          string                 `json:"language,omitempty"`
	Audience          string                 `json:"audience,omitempty"`
	AvoidWords        []string               `json:"avoidWords,omitempty"`
	Guide             string                 `json:"guide,omitempty"`
	Examples          []string               `json:"examples,omitempty"`
	Length            v1alpha1.ArticleLength `json:"length,omitempty"`
	// Links are published articles of the site.
	Links []generate.Link `json:"links,omitempty"`
	// Brief that the text may rest on; nil if there is none. Citations of its sources are links.
	Brief *v1alpha1.BriefSpec `json:"brief,omitempty"`
	// Instructions of the article.
	Instructions string `json:"instructions,omitempty"`
	// MaxTokens is the cap of the run; 0 for none.
	MaxTokens int64 `json:"maxTokens,omitempty"`
}

// BuiltInSuite returns the suite of Pressroom: 16 requests in 6 languages, 4 of them with a brief.
func BuiltInSuite() Suite { return embedded.MustRead(suiteFile, "suite.yaml", ReadSuite) }

// ReadSuite reads a suite from YAML. Unknown fields are an error.
func ReadSuite(data []byte) (Suite, error) {
	var s Suite
	if err := yaml.UnmarshalStrict(data, &s); err != nil {
		return s, fmt.Errorf("reading the suite: %w", err)
	}
	if len(s.Cases) == 0 || len(s.Cases) > maxCases {
		return s, fmt.Errorf("the suite has %d cases; it must have 1 to %d", len(s.Cases), maxCases)
	}
	seen := map[string]bool{}
	for _, c := range s.Cases {
		if err := c.check(); err != nil {
			return s, fmt.Errorf("case %q: %w", c.Name, err)
		}
		if seen[c.Name] {
			return s, fmt.Errorf("two cases have the name %q", c.Name)
		}
		seen[c.Name] = true
	}
	return s, nil
}

func (c Case) check() error {
	switch {
	case c.Name == "":
		return errors.New("name must be set")
	case len([]rune(c.Keyword)) < 2:
		return errors.New("keyword must have 2 to 200 characters")
	case c.Length != "" && c.Length != v1alpha1.LengthShort && c.Length != v1alpha1.LengthStandard && c.Length != v1alpha1.LengthLong:
		return fmt.Errorf("length must be Short, Standard or Long, not %q", c.Length)
	case c.Brief != nil:
		if err := brief.Check(*c.Brief); err != nil {
			return fmt.Errorf("brief: %w", err)
		}
	}
	return nil
}

// request returns the request that the controller would make.
func (c Case) request() generate.Request {
	r := generate.Request{
		Keyword: c.Keyword, SecondaryKeywords: c.SecondaryKeywords, Tone: c.Tone, Language: c.Language, Audience: c.Audience,
		AvoidWords: c.AvoidWords, Guide: c.Guide, Examples: c.Examples, Length: c.Length, SiteName: "Example shop", Domain: "shop.example",
		MaxTokens: c.MaxTokens, Site: &generate.Site{}, Links: c.Links, Instructions: c.Instructions,
	}
	if c.Brief != nil {
		r.Material = new(brief.Material(*c.Brief))
		r.Instructions = strings.TrimSpace(c.Brief.Instructions + "\n" + c.Instructions)
	}
	return r
}
