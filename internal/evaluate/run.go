package evaluate

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	html "html/template"
	"io"
	"path/filepath"
	"strings"
	text "text/template"

	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/embedded"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/language"
	"github.com/pressroom-dev/pressroom/internal/money"
)

// Options say how a suite is run.
type Options struct {
	// Repeats of each case, at least 1.
	Repeats int
	// Prices of tokens; none if zero.
	Prices generate.Prices
	// Clock measures how long a case takes; nil measures nothing, so that the report depends on the answers alone.
	Clock clock.PassiveClock
}

// Result is the result of one article.
type Result struct {
	Case     string `json:"case"`
	Language string `json:"language"`
	Length   string `json:"length"`
	// Outcome is Succeeded, or the reason of the failure with its message.
	Outcome string `json:"outcome"`
	Message string `json:"message,omitempty"`

	SEO         int      `json:"seoScore"`
	Readability int      `json:"readability"`
	Style       int      `json:"style"`
	Gates       []string `json:"failedGates,omitempty"`
	Failed      []string `json:"failedChecks,omitempty"`
	Words       int      `json:"words"`
	// Grounding is the score of the group, and Citations is how often the text cites; both are 0 without a brief.
	Grounding int `json:"grounding,omitempty"`
	Citations int `json:"citations,omitempty"`
	// Unsupported is how many claims the brief does not support, and Claims are the first of them, a line each.
	Unsupported int      `json:"unsupportedClaims,omitempty"`
	Claims      []string `json:"claims,omitempty"`

	Turns        int64             `json:"turns"`
	InputTokens  int64             `json:"inputTokens"`
	CachedTokens int64             `json:"cachedTokens,omitempty"`
	OutputTokens int64             `json:"outputTokens"`
	CostMicros   int64             `json:"costMicros,omitempty"`
	Seconds      float64           `json:"seconds,omitempty"`
	Repairs      []generate.Repair `json:"repairs,omitempty"`
}

// Succeeded is the outcome of a run that made an article.
const Succeeded = "Succeeded"

// Run writes each article of a suite. It fails only if the context ends.
func Run(ctx context.Context, suite Suite, model string, g generate.Generator, o Options) (Model, error) {
	m := Model{Name: model}
	for _, c := range suite.Cases {
		for range max(o.Repeats, 1) {
			r, err := one(ctx, c, g, o)
			if err != nil {
				return m, err
			}
			m.Results = append(m.Results, r)
		}
	}
	m.Sum = sum(m.Results)
	return m, nil
}

func one(ctx context.Context, c Case, g generate.Generator, o Options) (Result, error) {
	request := c.request()
	r := Result{Case: c.Name, Language: c.Language, Length: string(c.Length), Outcome: Succeeded}
	ctx, cancel := context.WithTimeout(ctx, generate.Deadline(request))
	defer cancel()
	var began float64
	if o.Clock != nil {
		began = float64(o.Clock.Now().UnixMilli())
	}
	result, err := g.Generate(ctx, request, nil)
	if o.Clock != nil {
		r.Seconds = (float64(o.Clock.Now().UnixMilli()) - began) / 1000
	}
	usage := result.Usage
	if failed, ok := errors.AsType[*generate.Error](err); ok {
		r.Outcome, r.Message, usage = failed.Reason, failed.Message, failed.Usage
	} else if err != nil {
		return r, fmt.Errorf("case %s: %w", c.Name, err)
	}
	r.Turns, r.InputTokens, r.OutputTokens, r.CachedTokens = usage.Turns, usage.InputTokens, usage.OutputTokens, usage.CachedTokens
	r.CostMicros, r.Repairs = o.Prices.Cost(usage), result.Repairs
	if r.Outcome == Succeeded {
		r.rate(result)
	}
	return r, nil
}

// rate takes over what the checks say.
func (r *Result) rate(written generate.Result) {
	report := written.Report
	r.SEO = report.SEOScore()
	r.Readability, _ = report.GroupScore(check.GroupReadability)
	r.Style, _ = report.GroupScore(check.GroupStyle)
	r.Grounding, _ = report.GroupScore(check.GroupGrounding)
	r.Citations = len(written.Cited)
	claims := report.Unsupported()
	r.Unsupported = len(claims)
	for _, c := range claims[:min(len(claims), maxClaims)] {
		r.Claims = append(r.Claims, fmt.Sprintf("%s/%s: %s: %s", c.Class, c.Result, shorten(c.Words), check.MustBe(c)))
	}
	r.Words = language.CountWords(content.PlainText(written.Document.Markdown))
	for _, f := range report.Failed() {
		if f.Must {
			r.Gates = append(r.Gates, f.Check)
		} else {
			r.Failed = append(r.Failed, f.Check)
		}
	}
}

const (
	// maxClaims bounds the claims of a result.
	maxClaims = 5
	// maxClaimChars bounds the words of one.
	maxClaimChars = 60
)

func shorten(text string) string {
	if runes := []rune(text); len(runes) > maxClaimChars {
		return string(runes[:maxClaimChars-1]) + "…"
	}
	return text
}

//go:embed report.*.tmpl
var reportFiles embed.FS

var functions = map[string]any{
	"join":  func(list []string) string { return strings.Join(list, ", ") },
	"money": func(micros int64, currency string) string { return money.Format(micros) + " " + currency },
	"cell":  func(s string) string { return strings.NewReplacer("|", "\\|", "\n", " ").Replace(s) },
}

var (
	htmlReport     = embedded.MustParse(html.New("report.html.tmpl").Funcs(functions), reportFiles, "report.html.tmpl")
	markdownReport = embedded.MustParse(text.New("report.md.tmpl").Funcs(functions), reportFiles, "report.md.tmpl")
)

// CheckName returns an error if the name of a file says no format of a report.
func CheckName(name string) error {
	switch filepath.Ext(name) {
	case ".html", ".md", ".json":
		return nil
	default:
		return fmt.Errorf("the report's name must end in .html, .md or .json, not %q", filepath.Base(name))
	}
}

// Write writes a report in the format that the name of a file says: .html, .md or .json.
func (r Report) Write(w io.Writer, name string) error {
	var err error
	switch filepath.Ext(name) {
	case ".html":
		err = htmlReport.Execute(w, r)
	case ".md":
		err = markdownReport.Execute(w, r)
	case ".json":
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(r)
	default:
		return CheckName(name)
	}
	if err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}
