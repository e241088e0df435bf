package evaluate

import (
	"encoding/json"
	"fmt"
	"math"
)

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
