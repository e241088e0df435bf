package dashboard

import (
	"net/http"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// maxBulk is how many articles a bulk action may be about, as in the REST API.
const maxBulk = 50

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
	Schedule scheduleView
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
	// Changed means that the text is another than the one in the list, and Unread that the person has not opened it since they signed in.
	Changed, Unread bool
}

func bulkRoutes() []route {
	return []route{
		form("/w/:workspace/articles/bulk", v1alpha1.ScopeRead, "bulk-articles", changeMany),
	}
}

// changeMany asks before it does something with the selected articles, and then does it.
func changeMany(v *visit) (*answer, error) {
	action, ok := v.bulkAction(v.form("do"))
	if !ok {
		return v.message(http.StatusForbidden, "You may not do this", "Choose one of the actions below the list."), nil
	}
	items := v.selected()
	if len(items) == 0 {
		return v.redirectProblem(v.backToList(), "Nothing is selected. Tick the articles first, then choose what to do with them."), nil
	}
	if len(items) > maxBulk {
		return v.redirectProblem(v.backToList(), "At most 50 articles can be changed at once."), nil
	}
	view := &bulkView{bulkAction: action, Back: v.backToList(), Given: v.form("reason"), When: v.form("when")}
	if v.form("sure") == "" {
		view.Schedule = v.schedule(nil)
		return v.askAboutMany(view, items, http.StatusOK)
	}
	return v.doMany(view, items)
}

// selected returns the articles that the form names, with the digests of their texts in the list.
func (v *visit) selected() []bulkItem {
	values := v.forms("item")
	items := make([]bulkItem, 0, len(values))
	for _, value := range values {
		uid, digest, _ := strings.Cut(value, " ")
		items = append(items, bulkItem{UID: uid, Digest: digest})
	}
	return items
}

// backToList is the address of the list that the form was sent from. Another address than one of that list leads to its first page.
func (v *visit) backToList() string {
	if back := v.form("back"); strings.HasPrefix(back, v.path("articles")+"?") {
		return back
	}
	return v.path("articles")
}

// askAboutMany is the page that asks.
func (v *visit) askAboutMany(view *bulkView, items []bulkItem, status int) (*answer, error) {
	seen := v.opened()
	for _, item := range items {
		a, err := call[rest.Article](v, rest.Request{Operation: "get-article", Path: map[string]string{"uid": item.UID}})
		if isStatus(err, http.StatusNotFound) {
			item.Title, item.Status = "Deleted", "deleted meanwhile"
			view.Others = append(view.Others, item)
			continue
		}
		if err != nil {
			return nil, err
		}
		item.Title, item.Path, item.Status, item.Score = titleOf(a.ArticleSummary), v.path("articles", item.UID), a.Status, a.SEOScore
		item.Unread = view.Name == "approve" && !seen.has(a.RevisionDigest)
		item.Changed = view.digest && item.Digest != a.RevisionDigest
		for _, c := range a.Scores.Checks {
			if c.Result == "failed" {
				item.Failed = append(item.Failed, c.Message)
			}
		}
		if item.Changed || !view.possible(a.ArticleSummary) {
			view.Others = append(view.Others, item)
			continue
		}
		view.Items = append(view.Items, item)
	}
	return v.page("bulk.html", view.Question+" "+plural(len(view.Items), "article"), view).with(status), nil
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

// doMany does what was confirmed, and shows what has become of each article.
func (v *visit) doMany(view *bulkView, items []bulkItem) (*answer, error) {
	body := rest.BulkRequest{Operation: view.Name}
	if view.Reason {
		if body.Reason = strings.TrimSpace(view.Given); body.Reason == "" {
			view.Problem = "Say why: the reason is recorded with each of them."
		}
	}
	if view.Time && view.When == "at" {
		at, schedule, problem := v.scheduled()
		view.Schedule, view.Problem = schedule, problem
		body.PublishAt = &at
	}
	if view.Problem != "" {
		return v.askAboutMany(view, items, http.StatusUnprocessableEntity)
	}
	for _, item := range items {
		one := rest.BulkItem{UID: item.UID}
		if view.digest {
			one.Digest = rest.Digest(item.Digest)
		}
		body.Items = append(body.Items, one)
	}
	got, err := call[rest.BulkAnswer](v, rest.Request{Operation: "bulk-articles", Body: body})
	if err != nil {
		return nil, err
	}
	return v.page("bulk-done.html", bulkTitle(view.bulkAction, got), v.bulkResults(view, got)), nil
}
