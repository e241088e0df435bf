package evaluate

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// Report has the results of one or more models with a suite.
type Report struct {
	// PromptVersion of the pipeline.
	PromptVersion string  `json:"promptVersion"`
	Currency      string  `json:"currency,omitempty"`
	Models        []Model `json:"models"`
	// Worse and Better are the differences from a baseline, one line each.
	Worse  []string `json:"worse,omitempty"`
	Better []string `json:"better,omitempty"`
}

// Model has the results of one model with a suite.
type Model struct {
	Name    string   `json:"name"`
	Sum     Sum      `json:"sum"`
	Results []Result `json:"results"`
}

// Sum is a model in figures. Means are over the articles that it finished.
type Sum struct {
	Articles int `json:"articles"`
	Finished int `json:"finished"`
	// Gates is how many of them fail a gate.
	Gates int `json:"failedGates"`
	// Unsupported is how many claims their briefs do not support.
	Unsupported  int     `json:"unsupportedClaims,omitempty"`
	SEO          float64 `json:"seoScore"`
	SEOSpread    float64 `json:"seoScoreSpread"`
	Readability  float64 `json:"readability"`
	Style        float64 `json:"style"`
	Turns        int64   `json:"turns"`
	InputTokens  int64   `json:"inputTokens"`
	OutputTokens int64   `json:"outputTokens"`
	CostMicros   int64   `json:"costMicros,omitempty"`
	// Repairs that were asked for, and kept, and the points that they gained.
	Repairs int `json:"repairs"`
	Kept    int `json:"keptRepairs"`
	Gained  int `json:"gainedPoints"`
}

// CostOfArticle is what an article cost, in millionths of the currency: all turns, of articles that failed too, over those that the model
// finished. 0 if it finished none.
func (s Sum) CostOfArticle() int64 {
	if s.Finished == 0 {
		return 0
	}
	return s.CostMicros / int64(s.Finished)
}

func sum(results []Result) Sum {
	s := Sum{Articles: len(results)}
	var seo, readability, style []float64
	for _, r := range results {
		s.Turns += r.Turns
		s.InputTokens += r.InputTokens
		s.OutputTokens += r.OutputTokens
		s.CostMicros += r.CostMicros
		for _, repair := range r.Repairs {
			s.Repairs++
			if repair.Kept {
				s.Kept++
				s.Gained += repair.Points
			}
		}
		if r.Outcome != Succeeded {
			continue
		}
		s.Finished++
		s.Unsupported += r.Unsupported
		if len(r.Gates) > 0 {
			s.Gates++
		}
		seo, readability, style = append(seo, float64(r.SEO)), append(readability, float64(r.Readability)), append(style, float64(r.Style))
	}
	s.SEO, s.Readability, s.Style, s.SEOSpread = mean(seo), mean(readability), mean(style), spread(seo)
	return s
}

// mean rounds to a tenth.
func mean(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	total := 0.0
	for _, v := range values {
		total += v
	}
	return tenth(total / float64(len(values)))
}

// spread is the standard deviation, rounded to a tenth.
func spread(values []float64) float64 {
	if len(values) < 2 {
		return 0
	}
	middle, total := mean(values), 0.0
	for _, v := range values {
		total += (v - middle) * (v - middle)
	}
	return tenth(math.Sqrt(total / float64(len(values)-1)))
}

func tenth(v float64) float64 { return math.Round(v*10) / 10 }

func (m Model) ofCase(name string) []Result {
	return slices.DeleteFunc(slices.Clone(m.Results), func(r Result) bool { return r.Case != name })
}

func (m Model) cases() []string {
	var names []string
	for _, r := range m.Results {
		if !slices.Contains(names, r.Case) {
			names = append(names, r.Case)
		}
	}
	return names
}

// ReadReport reads a report as WriteJSON writes it.
func ReadReport(data []byte) (Report, error) {
	var r Report
	if err := json.Unmarshal(data, &r); err != nil {
		return r, fmt.Errorf("reading the baseline: %w", err)
	}
	return r, nil
}

// Compare adds to a report what is worse and better than in a baseline, case by case. A score counts as worse if it is lower by more
// than a point and more than the spread of the repeats: models vary, and one run proves little.
func (r *Report) Compare(baseline Report) {
	for _, m := range r.Models {
		for _, before := range baseline.Models {
			if before.Name == m.Name {
				r.compare(m, before)
			}
		}
	}
}

func (r *Report) compare(now, before Model) {
	for _, name := range now.cases() {
		a, b := sum(before.ofCase(name)), sum(now.ofCase(name))
		if a.Articles == 0 {
			continue
		}
		label := now.Name + ", " + name
		r.differ(label+": articles finished", share(a.Finished, a), share(b.Finished, b), 0)
		r.differ(label+": articles without a failed gate", share(a.Finished-a.Gates, a), share(b.Finished-b.Gates, b), 0)
		if a.Finished > 0 && b.Finished > 0 {
			r.differ(label+": SEO score", a.SEO, b.SEO, math.Max(1, math.Max(a.SEOSpread, b.SEOSpread)))
		}
	}
}

// share is a part of a case's articles in percent.
func share(part int, s Sum) float64 {
	if s.Articles == 0 {
		return 0
	}
	const percent = 100
	return tenth(percent * float64(part) / float64(s.Articles))
}

func (r *Report) differ(what string, before, now, tolerance float64) {
	line := fmt.Sprintf("%s %.1f, was %.1f", what, now, before)
	switch {
	case now < before-tolerance:
		r.Worse = append(r.Worse, line)
	case now > before+tolerance:
		r.Better = append(r.Better, line)
	}
}
