package article

import (
	"fmt"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/review"
)

// onText is in each form about a text: the digest and the number of the text that was on the page, and whether the next article of the list
// is opened.
type onText struct {
	Digest   restarticle.Digest
	Revision string
	Next     bool
}

// maxReason bounds the reason of a rejection, in characters.
const maxReason = 2000

// notSeen answers a form without the digest of a text: nobody decides on what they have not seen.
func notSeen(v *page.Visit) *page.Answer {
	return v.Message(http.StatusUnprocessableEntity, "Nothing has been done",
		"The form does not say which text it is about. Open the article again, and decide there.")
}

// approval is the form that approves a text. Then says what follows: "publish", or "schedule" in the form of a time, or anything else for
// nothing. Sure is set if the person knows which checks that must pass have failed, or if none has, and NoteAsked if they were asked for a
// note.
type approval struct {
	onText
	Then, Note string
	Sure       bool
	NoteAsked  bool `json:"note_asked"`
}

// noteProblem says what is wrong with the note; empty if nothing is.
func (a approval) noteProblem() string {
	switch {
	case a.NoteAsked && a.Note == "":
		return "Say why: the record of the post keeps it."
	case len([]rune(a.Note)) > maxReason:
		return "At most 2000 characters."
	}
	return ""
}

// approve approves the text that was on the page, and publishes it if the button says so. These are two operations: if the second one
// fails the page says so, and offers it again.
func approve(v *page.Visit, form approval) (*page.Answer, error) {
	if form.Digest == "" {
		return notSeen(v), nil
	}
	if !form.Sure || form.noteProblem() != "" {
		if asked, err := askAboutRequired(v, form); asked != nil || err != nil {
			return asked, err
		}
	}
	approved, err := page.Call(v, review.Approve, review.ApproveInput{
		OnArticle: v.OnArticle(), Body: &review.ApproveRequest{Digest: form.Digest, Note: form.Note},
	})
	if err != nil {
		return outdated(v, form.onText, err, "approved")
	}
	a := approved.Body
	if form.Then != "publish" || !v.May(v1alpha1.ScopeWrite) {
		return goOn(v, form.Next, a, "Approved"+ofApprovals(a)), nil
	}
	request := &review.PublishRequest{Digest: form.Digest}
	if _, err := page.Call(v, review.Publish, review.PublishInput{OnArticle: v.OnArticle(), Body: request}); err != nil {
		problem := "Approved, but not published: " + page.ProblemOf(err) + " Publish is still offered here."
		return v.RedirectProblem(v.ArticlePath(v.Param("uid")), problem), nil
	}
	if missingApprovals(a) > 0 {
		return goOn(v, form.Next, a, "Approved"+ofApprovals(a)+", and published once it has all"), nil
	}
	return goOn(v, form.Next, a, "Approved, and on its way"), nil
}

// ofApprovals says how many people have approved the text; empty if nobody must yet.
func ofApprovals(a restarticle.Article) string {
	if missingApprovals(a) == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d of %d)", len(a.Approvals.Given), a.Approvals.Required)
}

// requiredView asks before a text is approved that fails a check which must pass.
type requiredView struct {
	approval

	Article restarticle.Article
	Failed  []restarticle.ScoreCheck
	List    page.List
	// Claims are those that the text fails for, if it does: then approving needs a note.
	Claims claims
	// NoteProblem is what is wrong with the note that was sent.
	NoteProblem string
	// Do is the last segment of the path that the form is sent to, and Time has the fields of a time if that is "schedule".
	Do   string
	Time timeFields
}

// timeFields are the fields of a time as they were sent.
type timeFields struct{ At, Zone, Instant string }

// FailsClaims reports whether the text fails because of claims.
func (r requiredView) FailsClaims() bool { return page.FailsClaims(r.Failed) }

// askAboutRequired returns the page that asks, or nil if the text fails no check which must pass. Approving another text is refused
// anyway.
func askAboutRequired(v *page.Visit, form approval) (*page.Answer, error) {
	a, err := getArticle(v)
	failed := page.RequiredFailed(a)
	if err != nil || len(failed) == 0 || a.RevisionDigest != string(form.Digest) {
		return nil, err
	}
	view := requiredView{
		approval: form, Article: a, Failed: failed, List: page.ListOf(v), Claims: sortClaims(a), NoteProblem: form.noteProblem(),
		Do: "approve",
	}
	if form.Then == thenSchedule {
		view.Do = thenSchedule
		if view.Time, err = page.FormAs[timeFields](v); err != nil {
			return nil, err
		}
	}
	answer := v.Page("required.html", "Approve it anyway?", view)
	if view.NoteProblem != "" {
		return answer.With(http.StatusUnprocessableEntity), nil
	}
	return answer, nil
}

// reject rejects the text that was on the page.
func reject(v *page.Visit, form struct {
	onText
	Reason string
}) (*page.Answer, error) {
	if form.Digest == "" {
		return notSeen(v), nil
	}
	problem := ""
	switch {
	case form.Reason == "":
		problem = "Say why: the author needs to know."
	case len([]rune(form.Reason)) > maxReason:
		problem = "At most 2000 characters."
	}
	if problem != "" {
		view, err := readArticle(v)
		if err != nil {
			return nil, err
		}
		if view.Digest() != string(form.Digest) {
			return changedPage(v, form.onText, view.Article, "rejected")
		}
		view.Reason, view.ReasonProblem, view.OpenNext = form.Reason, problem, form.Next
		return articlePage(v, view).With(http.StatusUnprocessableEntity), nil
	}
	request := review.RejectRequest{Reason: form.Reason, Digest: form.Digest}
	rejected, err := page.Call(v, review.Reject, review.RejectInput{OnArticle: v.OnArticle(), Body: request})
	if err != nil {
		return outdated(v, form.onText, err, "rejected")
	}
	return goOn(v, form.Next, rejected.Body, "Rejected"), nil
}

// goOn leads back to the article, or on to the next one that waits for review.
func goOn(v *page.Visit, openNext bool, a restarticle.Article, done string) *page.Answer {
	if !openNext {
		return v.Redirect(v.ArticlePath(a.UID), done+".")
	}
	done += ": “" + page.TitleOf(a.ArticleSummary) + "”."
	list := page.ListOf(v)
	next := list
	if list.At > 0 && list.Query.Get("status") == page.AllStatuses {
		next.At++
	}
	around, _ := list.Around(v, a.ID)
	uid := around.Next
	if uid == "" {
		uid, next.At = around.First, min(next.At, 1)
	}
	// The list may still have the article itself.
	if uid != "" && uid != a.UID {
		return v.Redirect(next.Path(v, uid, true), done)
	}
	if list.Whole() {
		return v.Redirect(v.Path("articles"), done+" Nothing else waits for review.")
	}
	return v.Redirect(v.Path("articles")+"?"+list.From(), done+" That was the last one of the list.")
}

// outdated answers a form whose operation was refused: with what has changed if the article has another text than the one that was on
// the page.
func outdated(v *page.Visit, read onText, err error, done string) (*page.Answer, error) {
	if !page.IsStatus(err, http.StatusConflict) {
		return nil, err
	}
	a, readErr := getArticle(v)
	if readErr != nil || a.RevisionDigest == string(read.Digest) {
		return nil, err
	}
	return changedPage(v, read, a, done)
}
