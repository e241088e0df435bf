package article

import (
	"fmt"
	"net/http"
	"time"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/review"
)

// thenSchedule is what follows an approval by the form of a time, and the last segment of the path of that form.
const thenSchedule = "schedule"

// schedule asks for publication at a time of the text that was on the page, and approves the text if the form says so. These are two
// operations. The time is set before the approval: an article whose publication was asked for is published as soon as it is approved.
func schedule(v *page.Visit, form struct {
	approval
	Approve bool
}) (*page.Answer, error) {
	if form.Digest == "" {
		return notSeen(v), nil
	}
	at, fields, problem := v.Scheduled()
	if problem != "" {
		return askAgain(v, form.onText, fields, problem)
	}
	if form.Then = thenSchedule; form.Approve && (!form.Sure || form.noteProblem() != "") {
		if asked, err := askAboutRequired(v, form.approval); asked != nil || err != nil {
			return asked, err
		}
	}
	body := &review.PublishRequest{Digest: form.Digest, PublishAt: &at}
	planned, err := page.Call(v, review.Publish, review.PublishInput{OnArticle: v.OnArticle(), Body: body})
	if err != nil {
		return outdated(v, form.onText, err, "scheduled")
	}
	if !form.Approve {
		return goOn(v, form.Next, planned.Body, goesOut(v, planned.Body, at)), nil
	}
	approved, err := page.Call(v, review.Approve, review.ApproveInput{
		OnArticle: v.OnArticle(), Body: &review.ApproveRequest{Digest: form.Digest, Note: form.Note},
	})
	if err != nil {
		problem := "The time is set, but the text is not approved: " + page.ProblemOf(err)
		return v.RedirectProblem(v.ArticlePath(v.Param("uid")), problem), nil
	}
	a := approved.Body
	return goOn(v, form.Next, a, "Approved"+ofApprovals(a)+". "+goesOut(v, a, at)), nil
}

// askAgain shows the page with what is wrong with the fields of a time. Nothing is decided on another text than the one that was read.
func askAgain(v *page.Visit, read onText, fields page.ScheduleView, problem string) (*page.Answer, error) {
	view, err := readArticle(v)
	if err != nil {
		return nil, err
	}
	if view.Digest() != string(read.Digest) {
		return changedPage(v, read, view.Article, "scheduled")
	}
	view.Schedule, view.PublishProblem, view.OpenNext = fields, problem, read.Next
	return articlePage(v, view).With(http.StatusUnprocessableEntity), nil
}

// goesOut says when an article is published, in the zone in which the time was chosen and in the person's own.
func goesOut(v *page.Visit, a restarticle.Article, at time.Time) string {
	done := "Goes out " + v.InZones(at)
	switch missing := missingApprovals(a); {
	case a.Status == page.StatusReview && missing > 0 && len(a.Approvals.Given) > 0:
		return fmt.Sprintf("%s, once it has all %d approvals", done, a.Approvals.Required)
	case a.Status == page.StatusReview || a.Status == page.StatusDraft:
		return done + ", if it is approved by then, else once it is"
	}
	return done
}
