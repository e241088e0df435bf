package revision

import (
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
	out := v1alpha1.Scores{Version: v1alpha1.ScoresVersion, SEOScore: bounded(report.SEOScore())}
	for _, group := range check.Groups() {
		if score, ok := report.GroupScore(group); ok {
			out.Groups = append(out.Groups, v1alpha1.ScoreGroup{Name: v1alpha1.CheckGroup(group), Score: bounded(score)})
		}
	}
	for _, f := range report.Findings {
		out.Checks = append(out.Checks, v1alpha1.ScoreCheck{
			Name: f.Check, Group: v1alpha1.CheckGroup(f.Group), Result: checkResults[f.Result],
			Points: bounded(f.Points), MaxPoints: bounded(f.MaxPoints), Message: f.Message,
		})
	}
	return out
}

// bounded keeps points and scores within the bounds of the API.
func bounded(points int) int32 { return int32(min(max(points, -100), 100)) }

var checkResults = map[check.Result]v1alpha1.CheckResult{
	check.Passed: v1alpha1.CheckPassed, check.Failed: v1alpha1.CheckFailed, check.NotApplicable: v1alpha1.CheckNotApplicable,
}
