package articles

import (
	"net/http"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
)

// bulkResultsView is the data of the page with the results.
type bulkResultsView struct {
	page.Results

	// DoneText says what has been done with those of Done.
	DoneText string
}

// showBulkResults shows what has become of each article.
func showBulkResults(v *page.Visit) (*page.Answer, error) {
	results, ok := v.Results()
	action, known := bulkActionNamed(results.Operation)
	if !ok || !known {
		return v.RedirectProblem(v.Path("articles"),
			"These results are not kept any more. The list shows what has become of the articles."), nil
	}
	for _, list := range [][]page.Result{results.Done, results.Failed} {
		for i := range list {
			asItIs(v, &list[i], results.Zone)
		}
	}
	title := action.Done + ": " + page.Plural(len(results.Done), "article")
	if n := len(results.Failed); n > 0 {
		title = page.Plural(n, "article") + " could not be changed"
	}
	return v.Page("bulk-done.html", title, bulkResultsView{results, action.Done}), nil
}

// asItIs brings a result up to date: an approved article has been published since, or not. zone is that in which its time was chosen.
func asItIs(v *page.Visit, r *page.Result, zone string) {
	out, err := page.Call(v, restarticle.Get, restarticle.GetInput{OnArticle: restarticle.OnArticle{UID: r.UID}})
	switch {
	case err == nil:
		a := out.Body
		a.StatusMessage = v.Status(a.ArticleSummary)
		r.Title, r.Status, r.Reason = page.TitleOf(a.ArticleSummary), a.Status, rowReason(a.ArticleSummary)
		r.Mark = page.StatusMark(a.ArticleSummary)
		if a.PublishRequested && a.PublishedAt == nil {
			r.Due = v.WhenIn(a.PublishAt, zone)
		}
	case page.IsStatus(err, http.StatusNotFound):
		r.Status = ""
	default:
		r.Mark = page.Mark{Class: r.Status, Text: page.StatusWord(r.Status)}
	}
}
