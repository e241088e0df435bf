package articles

import (
	"net/http"
	"strings"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/review"
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
	action, known := bulkActionNamed(v, results.Operation)
	if !ok || !known {
		return v.RedirectProblem(v.Path("articles"),
			"These results are not kept any more. The list shows what has become of the articles."), nil
	}
	for _, list := range [][]page.Result{results.Done, results.Failed} {
		for i := range list {
			asItIs(v, &list[i])
		}
	}
	title := action.Done + ": " + page.Plural(len(results.Done), "article")
	if n := len(results.Failed); n > 0 {
		title = page.Plural(n, "article") + " could not be changed"
	}
	return v.Page("bulk-done.html", title, bulkResultsView{results, action.Done}), nil
}

// asItIs brings a result up to date: an approved article has been published since, or not.
func asItIs(v *page.Visit, r *page.Result) {
	a, err := page.Call[restarticle.Article](v, rest.Request{Operation: "get-article", Path: map[string]string{"uid": r.UID}})
	switch {
	case err == nil:
		a.StatusMessage = v.Status(a.ArticleSummary)
		r.Title, r.Status, r.Reason = page.TitleOf(a.ArticleSummary), a.Status, rowReason(a.ArticleSummary)
	case page.IsStatus(err, http.StatusNotFound):
		r.Status = ""
	}
}

// bulkProblem says why an article was not changed. Digests say nothing to people.
func bulkProblem(message string) string {
	if strings.HasPrefix(message, "the text has changed") {
		return "Its text has changed since you saw the list. Read it again."
	}
	return page.Sentence(message)
}

// bulkResults returns what has become of the articles of a form.
func bulkResults(v *page.Visit, view *bulkView, got review.BulkAnswer) page.Results {
	titles, out := v.Forms("title"), page.Results{Operation: view.Name, Back: view.Back}
	for i, r := range got.Data {
		result := page.Result{UID: r.UID, Status: r.Status}
		if i < len(titles) {
			result.Title = titles[i]
		}
		if r.Done {
			out.Done = append(out.Done, result)
			continue
		}
		if r.Problem != nil {
			result.Problem = bulkProblem(r.Problem.Message)
		}
		out.Failed = append(out.Failed, result)
	}
	return out
}
