package check_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/pressroom-dev/pressroom/internal/check"
)

// near is the distance in points up to which two scores are about the same.
const near = 5

// agreement of our scores with recorded ones of the npm package yoastseo, over documents. The zero value is ready for use.
type agreement struct {
	ours, theirs []float64
	// Far names the documents whose scores differ by more than 5 points, with both.
	Far []string
	// Checks by our name.
	Checks map[string]*checkAgreement
}

// checkAgreement is how often one check is equal.
type checkAgreement struct {
	Equal, All int
	// Differ names the documents in which it is not, with our points and theirs.
	Differ []string
}

// share of the documents in which the check is equal, in percent.
func (c *checkAgreement) share() float64 { return 100 * float64(c.Equal) / float64(c.All) }

// add compares our report on a document with what is recorded of it.
func (a *agreement) add(name string, report check.Report, theirs recorded) {
	ours := report.SEOScore()
	a.ours, a.theirs = append(a.ours, float64(ours)), append(a.theirs, float64(theirs.total))
	if d := ours - theirs.total; d > near || d < -near {
		a.Far = append(a.Far, fmt.Sprintf("%s %d for %d", name, ours, theirs.total))
	}
	points := map[string]string{}
	for _, f := range report.Findings {
		if f.Result != check.NotApplicable {
			points[f.Check] = strconv.Itoa(f.Points)
		}
	}
	for i, check := range recordedChecks {
		a.compare(check, name, points[check], theirs.points[i])
	}
}

func (a *agreement) compare(check, name, ours, theirs string) {
	if ours == "" && theirs == notApplicable {
		return
	}
	if a.Checks == nil {
		a.Checks = map[string]*checkAgreement{}
	}
	c := a.Checks[check]
	if c == nil {
		c = &checkAgreement{}
		a.Checks[check] = c
	}
	c.All++
	if ours == theirs {
		c.Equal++
	} else {
		c.Differ = append(c.Differ, fmt.Sprintf("%s %s for %s", name, ours, theirs))
	}
}

// names of the checks that apply to a document, sorted.
func (a *agreement) names() []string { return slices.Sorted(maps.Keys(a.Checks)) }

// figures of all documents.
type figures struct {
	Documents int
	// Distance between the scores, on average; Within is the percentage of documents in which it is at most 5.
	Distance, Within float64
	// Correlation of the ranks, Spearman's; not a number if all scores are the same.
	Correlation float64
}

// figures returns the figures of all documents.
func (a *agreement) figures() figures {
	sum := 0.0
	for i := range a.ours {
		sum += math.Abs(a.ours[i] - a.theirs[i])
	}
	n := float64(len(a.ours))
	return figures{
		Documents: len(a.ours), Distance: sum / n, Within: 100 - 100*float64(len(a.Far))/n, Correlation: rankCorrelation(a.ours, a.theirs),
	}
}

// String returns the figures on one line.
func (f figures) String() string {
	return fmt.Sprintf("%d documents, mean distance %.2f, %.1f %% within 5, rank correlation %.3f",
		f.Documents, f.Distance, f.Within, f.Correlation)
}
