package article

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// changesView is the difference between two texts of an article.
type changesView struct {
	Article restarticle.ArticleSummary
	// Problem says why the page is shown, if it was not asked for.
	Problem string
	// From and To name the texts.
	From, To  textName
	Revisions []restarticle.ArticleRevisionSummary
	difference
	// Gone says that the text which was read is not kept any more.
	Gone bool
}

// textName names a text.
type textName struct {
	Number int64
	Text   string
	At     string
}

func nameOf(r restarticle.ArticleRevisionSummary) textName {
	return textName{Number: r.Number, Text: fmt.Sprintf("Revision %d, %s", r.Number, madeText{r}), At: r.CreatedAt}
}

// Made is a revision with what somebody did to make it.
func (changesView) Made(r restarticle.ArticleRevisionSummary) madeText { return madeText{r} }

// showChanges compares two revisions: those that the address names, else the current one with the one that has the last decision.
func showChanges(v *page.Visit) (*page.Answer, error) {
	a, err := getArticle(v)
	if err != nil {
		return nil, err
	}
	out, err := page.Call(v, restarticle.ListRevisions, v.OnArticle())
	if err != nil {
		return nil, err
	}
	list := out.Body
	from, to := v.Query("from"), v.Query("to")
	if len(list.Data) > 0 {
		current := list.Data[0]
		to = cmp.Or(to, strconv.FormatInt(current.Number, 10))
		if _, since := compared(list.Data, current.Digest); from == "" && since > 0 {
			from = strconv.FormatInt(since, 10)
		}
	}
	if from == "" || to == "" {
		return v.Message(http.StatusOK, "Nothing to compare", "The article has no other text yet."), nil
	}
	before, err := readRevision(v, from)
	if err != nil {
		return nil, err
	}
	after, err := readRevision(v, to)
	if err != nil {
		return nil, err
	}
	return v.Page("changes.html", "What changed", changesView{
		Article: a.ArticleSummary, Revisions: list.Data,
		From: nameOf(before.ArticleRevisionSummary), To: nameOf(after.ArticleRevisionSummary),
		difference: differences(documentOf(before), documentOf(after)),
	}), nil
}

// restore makes the text of an earlier revision that of the article again: a new revision, which is in review.
func restore(v *page.Visit, form struct {
	onText
	Number string
}) (*page.Answer, error) {
	if form.Digest == "" {
		return notSeen(v), nil
	}
	r, err := readRevision(v, form.Number)
	if err != nil {
		return nil, err
	}
	a, tag, err := getTagged(v)
	if err != nil {
		return nil, err
	}
	if a.RevisionDigest != string(form.Digest) {
		return changedPage(v, form.onText, a, "restored")
	}
	_, err = page.Call(v, restarticle.RestoreRevision, restarticle.RestoreRevisionInput{
		OnRevision: restarticle.OnRevision{OnArticle: v.OnArticle(), Number: r.Number}, IfMatch: operation.IfMatch{IfMatch: tag},
	})
	if page.IsStatus(err, http.StatusPreconditionFailed) {
		now, readErr := getArticle(v)
		if readErr == nil && now.RevisionDigest != string(form.Digest) {
			return changedPage(v, form.onText, now, "restored")
		}
	}
	return v.Done(v.ArticlePath(v.Param("uid")), fmt.Sprintf("Restored: the text of revision %d is in review again.", r.Number), err)
}

// changedPage answers a form about a text that is not the current one any more: nothing has been done, and the page shows what changed.
func changedPage(v *page.Visit, read onText, a restarticle.Article, done string) (*page.Answer, error) {
	view := changesView{Article: a.ArticleSummary, To: textName{Text: "The text as it is now", At: a.UpdatedAt}}
	view.Problem = "This text has changed since you opened it. Nothing has been " + done + "."
	before, err := readRevision(v, read.Revision)
	switch {
	case read.Revision == "", page.IsStatus(err, http.StatusNotFound), page.IsStatus(err, http.StatusBadRequest):
		view.Gone = true
	case err != nil:
		return nil, err
	case before.Digest != string(read.Digest):
		view.Gone = true
	default:
		view.From = nameOf(before.ArticleRevisionSummary)
		view.difference = differences(documentOf(before), currentDocument(a))
	}
	return v.Page("changes.html", "The text has changed", view).With(http.StatusConflict), nil
}
