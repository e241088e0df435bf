package revision

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
)

// Score runs the checks on a document.
func Score(doc content.Document, in check.Input) v1alpha1.Scores {
	in.Document = doc
	return Scores(check.Run(in))
}

// Scores are a report as a revision has it.
func Scores(report check.Report) v1alpha1.Scores {
	scoreOf := func(group check.Group) *int32 {
		score, applies := report.GroupScore(group)
		if !applies {
			return nil
		}
		return new(bounded(score))
	}
	out := v1alpha1.Scores{
		SEOScore: bounded(report.SEOScore()), ReadabilityScore: scoreOf(check.GroupReadability), StyleScore: scoreOf(check.GroupStyle),
		SiteScore: scoreOf(check.GroupSite), GroundingScore: scoreOf(check.GroupGrounding),
	}
	for _, f := range report.Findings {
		lines := linesOf(&out, f.Result)
		*lines = append(*lines, line(f))
	}
	return out
}

// bounded keeps a score within the bounds of the API.
func bounded(score int) int32 { return int32(min(max(score, 0), 100)) }

// GroupScore is the score of a group of checks, 0 to 100.
type GroupScore struct {
	Group check.Group
	Score int32
}

// GroupScores returns the scores of the groups that have one, in the order of a report.
func GroupScores(s *v1alpha1.Scores) []GroupScore {
	scores := []GroupScore{{check.GroupSEO, s.SEOScore}}
	for _, of := range []struct {
		group check.Group
		score *int32
	}{
		{check.GroupReadability, s.ReadabilityScore}, {check.GroupStyle, s.StyleScore}, {check.GroupSite, s.SiteScore},
		{check.GroupGrounding, s.GroundingScore},
	} {
		if of.score != nil {
			scores = append(scores, GroupScore{of.group, *of.score})
		}
	}
	return scores
}

// Findings returns what the checks found in a revision, in the order of a report. What a model would be told is not in them.
func Findings(s *v1alpha1.Scores) []check.Finding {
	var findings []check.Finding
	for _, result := range []check.Result{check.Passed, check.Failed, check.NotApplicable} {
		for _, l := range *linesOf(s, result) {
			findings = append(findings, finding(l, result))
		}
	}
	slices.SortStableFunc(findings, func(a, b check.Finding) int { return check.Order(a.Check) - check.Order(b.Check) })
	return findings
}

func linesOf(s *v1alpha1.Scores, result check.Result) *[]string {
	switch result {
	case check.Passed:
		return &s.Passed
	case check.Failed:
		return &s.Failed
	default:
		return &s.NotApplicable
	}
}

// line writes a finding as a revision has it, such as "SEO/text-length 9/9: the text has 812 words".
func line(f check.Finding) string {
	points := ""
	if f.MaxPoints > 0 {
		points = fmt.Sprintf(" %d/%d", f.Points, f.MaxPoints)
	}
	return fmt.Sprintf("%s/%s%s: %s", f.Group, f.Check, points, f.Message)
}

// finding reads what line has written. The CRD's pattern keeps other lines out.
func finding(line string, result check.Result) check.Finding {
	head, message, _ := strings.Cut(line, ": ")
	head, points, _ := strings.Cut(head, " ")
	group, name, _ := strings.Cut(head, "/")
	f := check.Finding{
		Check: name, Group: check.Group(group), Result: result, Message: message,
		Must: result == check.Failed && check.Group(group) == check.GroupGate,
	}
	given, most, _ := strings.Cut(points, "/")
	f.Points, _ = strconv.Atoi(given)
	f.MaxPoints, _ = strconv.Atoi(most)
	return f
}
