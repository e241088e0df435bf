package articles

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/review"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// bulkView is the data of the page that asks before something is done with many articles.
type bulkView struct {
	bulkAction

	// Items are the articles that allow it, Others those that do not.
	Items, Others []bulkItem
	bulkForm

	Problem  string
	Schedule page.ScheduleView
	// More says that more articles match than can be changed at once.
	More bool
}

// bulkForm is the form that does one action with several articles.
type bulkForm struct {
	// Do is the name of the action. Sure means that the person has confirmed it.
	Do   string
	Sure bool
	// Chosen are the articles that are ticked, each with its digest in the list, and Titles what the confirmed ones are called. All means
	// all that the filter of the list finds.
	Chosen []string `json:"item"`
	Titles []string `json:"item_title"`
	All    bool
	// Given is the reason that was typed.
	Given string `json:"reason"`
	// When is "at" if a time was chosen, or "spread" if that is the first of several which are Hours apart.
	When, Hours string
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
	Required []restarticle.ScoreCheck
	// NeedsNote means that the text can only be approved on its own page, with a note.
	NeedsNote bool
	// Changed means that the text is another than the one in the list, and Unread that the person has not opened it since they signed in.
	Changed, Unread bool
}

// changeMany asks before it does something with the selected articles, and then does it.
func changeMany(v *page.Visit, form bulkForm) (*page.Answer, error) {
	action, ok := bulkActionNamed(form.Do)
	if !ok {
		return v.Message(http.StatusUnprocessableEntity, "Nothing has been done", "Choose one of the actions below the list."), nil
	}
	form.Back, form.Hours = backToList(v, form.Back), cmp.Or(form.Hours, "24")
	items, more, err := form.selected(v)
	switch {
	case err != nil:
		return nil, err
	case len(items) == 0:
		return v.RedirectProblem(form.Back, "Nothing is selected. Tick the articles first, then choose what to do with them."), nil
	case len(items) > page.MaxBulk:
		return v.RedirectProblem(form.Back, fmt.Sprintf("At most %d articles can be changed at once.", page.MaxBulk)), nil
	}
	view := &bulkView{bulkAction: action, bulkForm: form, More: more}
	if !form.Sure {
		view.Schedule = v.Schedule(nil)
		return askAboutMany(v, view, items, http.StatusOK)
	}
	return doMany(v, view, items)
}

// backToList is the address of the list that the form was sent from. Another address than one of that list leads to its first page.
func backToList(v *page.Visit, back string) string {
	if strings.HasPrefix(back, v.Path("articles")+"?") {
		return back
	}
	return v.Path("articles")
}

// askAboutMany is the page that asks.
func askAboutMany(v *page.Visit, view *bulkView, items []bulkItem, status int) (*page.Answer, error) {
	seen := v.Opened()
	for _, item := range items {
		out, err := page.Call(v, restarticle.Get,
			restarticle.GetInput{OnArticle: restarticle.OnArticle{UID: item.UID}, Text: restarticle.TextPending})
		if page.IsStatus(err, http.StatusNotFound) {
			item.Title, item.Status = "Deleted", "deleted meanwhile"
			view.Others = append(view.Others, item)
			continue
		}
		if err != nil {
			return nil, err
		}
		a := out.Body
		item.Title, item.Path, item.Status, item.Score = page.TitleOf(a.ArticleSummary), v.Path("articles", item.UID), a.Status, a.SEOScore
		item.Unread = view.approves() && !seen.Has(a.RevisionDigest)
		item.Changed = view.OfText && item.Digest != a.RevisionDigest
		for _, c := range a.Scores.Checks {
			if c.Result == "failed" {
				item.Failed = append(item.Failed, c.Message)
			}
		}
		if view.approves() {
			item.Required = page.RequiredFailed(a)
			item.NeedsNote = page.FailsClaims(item.Required)
		}
		if item.Changed || item.NeedsNote || !view.possible(a.ArticleSummary) {
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
	body := review.BulkRequest{}
	if view.Reason {
		if body.Reason = view.Given; body.Reason == "" {
			view.Problem = "Say why: the reason is recorded with each of them."
		}
	}
	at := publishTimes(v, view)
	if view.Problem != "" {
		return askAboutMany(v, view, items, http.StatusUnprocessableEntity)
	}
	titles, typed := map[string]string{}, view.Titles
	for i, item := range items {
		one := review.BulkItem{UID: item.UID}
		if view.OfText {
			one.Digest = restarticle.Digest(item.Digest)
		}
		if i < len(typed) {
			titles[item.UID] = typed[i]
		}
		body.Items = append(body.Items, one)
	}
	results := page.Results{Operation: string(view.Name), Back: view.Back}
	if at != nil {
		results.Zone = view.Schedule.Zone
	}
	for i, operation := range view.operations() {
		before := len(results.Failed)
		body.Operation = string(operation)
		schedule(body.Items, operation, at)
		done, err := results.Bulk(v, body, titles)
		if err != nil {
			return nil, err
		}
		for n := range results.Failed[before:] {
			if r := &results.Failed[before+n]; i > 0 {
				r.Problem = "Its publication is asked for, but it is not approved: " + r.Problem
			}
		}
		body.Items = done
	}
	return v.RedirectResults(results)
}

// schedule gives each article its time if the operation publishes; none if that is now.
func schedule(items []review.BulkItem, operation lifecycle.ActionName, at func(n int) *time.Time) {
	for n := range items {
		if items[n].PublishAt = nil; at != nil && operation == lifecycle.ActionPublish {
			items[n].PublishAt = at(n)
		}
	}
}

// maxHours bounds the hours between two publications: four weeks.
const maxHours = 4 * 7 * 24

// publishTimes returns when the articles of a form are published, by their number from 0; nil if that is now. Hours that make whole days
// keep the time of day when the clocks change.
func publishTimes(v *page.Visit, view *bulkView) func(n int) *time.Time {
	if !view.Time || view.When != "at" && view.When != "spread" {
		return nil
	}
	first, schedule, problem := v.Scheduled()
	view.Schedule, view.Problem = schedule, problem
	if view.When == "at" {
		return func(int) *time.Time { return &first }
	}
	apart, err := strconv.Atoi(view.Hours)
	if problem == "" && (err != nil || apart < 1 || apart > maxHours) {
		view.Problem = fmt.Sprintf("Choose from 1 to %d hours.", maxHours)
	}
	return func(n int) *time.Time {
		hours := n * apart
		return new(first.AddDate(0, 0, hours/24).Add(time.Duration(hours%24) * time.Hour))
	}
}
