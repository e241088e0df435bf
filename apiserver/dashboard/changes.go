package dashboard

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// changesView is the difference between two texts of an article.
type changesView struct {
	Article rest.ArticleSummary
	// Problem says why the page is shown, if it was not asked for.
	Problem string
	// From and To name the texts.
	From, To  textName
	Revisions []rest.RevisionSummary
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

func nameOf(r rest.RevisionSummary) textName {
	return textName{Number: r.Number, Text: fmt.Sprintf("Revision %d, %s", r.Number, r.Source), At: r.CreatedAt}
}

// showChanges compares two revisions: those that the address names, else the current one with the one that has the last decision.
func showChanges(v *visit) (*answer, error) {
	a, err := onArticle[rest.Article](v, "get-article", nil)
	if err != nil {
		return nil, err
	}
	list, err := onArticle[rest.RevisionList](v, "list-revisions", nil)
	if err != nil {
		return nil, err
	}
	from, to := v.query("from"), v.query("to")
	if len(list.Data) > 0 {
		current := list.Data[0]
		if to == "" {
			to = strconv.FormatInt(current.Number, 10)
		}
		if _, since := compared(list.Data, current.Digest); from == "" && since > 0 {
			from = strconv.FormatInt(since, 10)
		}
	}
	if from == "" || to == "" {
		return v.message(http.StatusOK, "Nothing to compare", "The article has no other text yet."), nil
	}
	before, err := v.revision(from)
	if err != nil {
		return nil, err
	}
	after, err := v.revision(to)
	if err != nil {
		return nil, err
	}
	return v.page("changes.html", "What changed", changesView{
		Article: a.ArticleSummary, From: nameOf(before.RevisionSummary), To: nameOf(after.RevisionSummary), Revisions: list.Data,
		difference: differences(documentOf(before), documentOf(after)),
	}), nil
}

// changedPage answers a form about a text that is not the current one any more: nothing has been done, and the page shows what changed.
func (v *visit) changedPage(a rest.Article, done string) (*answer, error) {
	view := changesView{Article: a.ArticleSummary, To: textName{Text: "The text as it is now", At: a.UpdatedAt}}
	view.Problem = "This text has changed since you opened it. Nothing has been " + done + "."
	before, err := v.revision(v.form("revision"))
	switch {
	case v.form("revision") == "", isStatus(err, http.StatusNotFound), isStatus(err, http.StatusBadRequest):
		view.Gone = true
	case err != nil:
		return nil, err
	case before.Digest != v.form("digest"):
		view.Gone = true
	default:
		view.From = nameOf(before.RevisionSummary)
		view.difference = differences(documentOf(before), currentDocument(a))
	}
	return v.page("changes.html", "The text has changed", view).with(http.StatusConflict), nil
}
