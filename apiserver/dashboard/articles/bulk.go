package articles

import (
	"net/http"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/review"
)

// bulkView is the data of the page that asks before something is done with many articles.
type bulkView struct {
	bulkAction

	// Items are the articles that allow it, Others those that do not.
	Items, Others []bulkItem
	// Given is the reason that was typed.
	Given   string
	Problem string
	// When is "at" if a time was chosen, with the fields of that.
	When     string
	Schedule page.ScheduleView
	// Back is the address of the list.
	Back string
}

// bulkItem is a selected article.
type bulkItem struct {
	UID, Digest, Title, Path string
	Status                   string
	Score                    *int32
	// Failed are the checks that the text fails.
	Failed []string
	// Required are those of them that must pass.
	Required []restarticle.Check
	// Changed means that the text is another than the one in the list, and Unread that the person has not opened it since they signed in.
	Changed, Unread bool
}

func bulkRoutes() []page.Route {
	return []page.Route{
		page.Show("/w/:workspace/articles/bulk", v1alpha1.ScopeRead, showBulkResults),
		page.Form("/w/:workspace/articles/bulk", v1alpha1.ScopeRead, "bulk-articles", changeMany),
	}
}

// changeMany asks before it does something with the selected articles, and then does it.
func changeMany(v *page.Visit) (*page.Answer, error) {
	action, ok := bulkActionNamed(v, v.Form("do"))
	if !ok {
		return v.Message(http.StatusForbidden, "You may not do this", "Choose one of the actions below the list."), nil
	}
	items := selected(v)
	if len(items) == 0 {
		return v.RedirectProblem(backToList(v), "Nothing is selected. Tick the articles first, then choose what to do with them."), nil
	}
	if len(items) > page.MaxBulk {
		return v.RedirectProblem(backToList(v), "At most 50 articles can be changed at once."), nil
	}
	view := &bulkView{bulkAction: action, Back: backToList(v), Given: v.Form("reason"), When: v.Form("when")}
	if v.Form("sure") == "" {
		view.Schedule = v.Schedule(nil)
		return askAboutMany(v, view, items, http.StatusOK)
	}
	return doMany(v, view, items)
}

// selected returns the articles that the form names, with the digests of their texts in the list.
func selected(v *page.Visit) []bulkItem {
	values := v.Forms("item")
	items := make([]bulkItem, 0, len(values))
	for _, value := range values {
		uid, digest, _ := strings.Cut(value, " ")
		items = append(items, bulkItem{UID: uid, Digest: digest})
	}
	return items
}

// backToList is the address of the list that the form was sent from. Another address than one of that list leads to its first page.
func backToList(v *page.Visit) string {
	if back := v.Form("back"); strings.HasPrefix(back, v.Path("articles")+"?") {
		return back
	}
	return v.Path("articles")
}

// askAboutMany is the page that asks.
func askAboutMany(v *page.Visit, view *bulkView, items []bulkItem, status int) (*page.Answer, error) {
	seen := v.Opened()
	for _, item := range items {
		a, err := page.Call[restarticle.Article](v, rest.Request{Operation: "get-article", Path: map[string]string{"uid": item.UID}})
		if page.IsStatus(err, http.StatusNotFound) {
			item.Title, item.Status = "Deleted", "deleted meanwhile"
			view.Others = append(view.Others, item)
			continue
		}
		if err != nil {
			return nil, err
		}
		item.Title, item.Path, item.Status, item.Score = page.TitleOf(a.ArticleSummary), v.Path("articles", item.UID), a.Status, a.SEOScore
		item.Unread = view.Name == "approve" && !seen.Has(a.RevisionDigest)
		item.Changed = view.digest && item.Digest != a.RevisionDigest
		for _, c := range a.Scores.Checks {
			if c.Result == "failed" {
				item.Failed = append(item.Failed, c.Message)
			}
		}
		if view.Name == "approve" {
			item.Required = page.RequiredFailed(a)
		}
		if item.Changed || !view.possible(a.ArticleSummary) {
			view.Others = append(view.Others, item)
			continue
		}
		view.Items = append(view.Items, item)
	}
	return v.Page("bulk.html", view.Question+" "+page.Plural(len(view.Items), "article"), view).With(status), nil
}

// Unread is how many of the texts the person has not opened.
func (b *bulkView) Unread() int {
	n := 0
	for _, item := range b.Items {
		if item.Unread {
			n++
		}
	}
	return n
}

// doMany does what was confirmed, and leads to what has become of each article.
func doMany(v *page.Visit, view *bulkView, items []bulkItem) (*page.Answer, error) {
	body := review.BulkRequest{Operation: view.Name}
	if view.Reason {
		if body.Reason = strings.TrimSpace(view.Given); body.Reason == "" {
			view.Problem = "Say why: the reason is recorded with each of them."
		}
	}
	if view.Time && view.When == "at" {
		at, schedule, problem := v.Scheduled()
		view.Schedule, view.Problem = schedule, problem
		body.PublishAt = &at
	}
	if view.Problem != "" {
		return askAboutMany(v, view, items, http.StatusUnprocessableEntity)
	}
	for _, item := range items {
		one := review.BulkItem{UID: item.UID}
		if view.digest {
			one.Digest = restarticle.Digest(item.Digest)
		}
		body.Items = append(body.Items, one)
	}
	got, err := page.Call[review.BulkAnswer](v, rest.Request{Operation: "bulk-articles", Header: v.Once(), Body: body})
	if err != nil {
		return nil, err
	}
	return v.RedirectResults(bulkResults(v, view, got))
}
