package calendar

import (
	"net/http"
	"slices"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/articlelist"
	"github.com/pressroom-dev/pressroom/apiserver/rest/review"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
)

// siteColors is how many colours the calendar has for sites. The name stands beside each.
const siteColors = 6

// entryOf returns an article at its time in the zone of the calendar.
func entryOf(v *page.Visit, e articlelist.CalendarEntry, at time.Time, sites []restsite.Site, names map[string]string) calendarEntry {
	entry := calendarEntry{
		Title: page.TitleOf(e.ArticleSummary), Path: v.Path("articles", e.UID), Time: at.Format("15:04"),
		Mark:  page.StatusMark(e.ArticleSummary),
		Color: max(slices.IndexFunc(sites, func(s restsite.Site) bool { return s.UID == e.SiteUID }), 0) % siteColors,
	}
	if len(sites) > 1 {
		entry.SiteName = names[e.SiteUID]
	}
	if e.PublishedAt == nil && v.May(v1alpha1.ScopeWrite) {
		entry.MovePath = v.Path("calendar", e.UID)
	}
	return entry
}

// moveView is the data of the page on which a planned article gets another time.
type moveView struct {
	Article  restarticle.Article
	Title    string
	Schedule page.ScheduleView
	Problem  string
}

// showMove is the form that moves an article to another time, or unschedules it.
func showMove(v *page.Visit) (*page.Answer, error) {
	a, err := page.Call(v, restarticle.Get, restarticle.GetInput{OnArticle: v.OnArticle()})
	if err != nil {
		return nil, err
	}
	return movePage(v, moveView{Article: a.Body, Schedule: v.Schedule(a.Body.PublishAt)}), nil
}

func movePage(v *page.Visit, view moveView) *page.Answer {
	view.Title = page.TitleOf(view.Article.ArticleSummary)
	return v.Page("move.html", "Move: "+view.Title, view)
}

// move asks for publication at another time, of the text that was on the page.
func move(v *page.Visit, body review.PublishRequest) (*page.Answer, error) {
	at, schedule, problem := v.Scheduled()
	if problem != "" {
		return notMoved(v, schedule, problem)
	}
	body.PublishAt = &at
	a, err := page.Call(v, review.Publish, review.PublishInput{OnArticle: v.OnArticle(), Body: &body})
	if page.IsStatus(err, http.StatusConflict) {
		return notMoved(v, schedule, page.ProblemOf(err))
	}
	if err != nil {
		return nil, err
	}
	month := v.Path("calendar") + "?month=" + at.In(v.Zone).Format(monthForm)
	return v.Redirect(month, "Moved: “"+page.TitleOf(a.Body.ArticleSummary)+"” goes out "+bothZones(at)+"."), nil
}

func notMoved(v *page.Visit, schedule page.ScheduleView, problem string) (*page.Answer, error) {
	a, err := page.Call(v, restarticle.Get, restarticle.GetInput{OnArticle: v.OnArticle()})
	if err != nil {
		return nil, err
	}
	return movePage(v, moveView{Article: a.Body, Schedule: schedule, Problem: problem}).With(http.StatusUnprocessableEntity), nil
}

// bothZones says a time in its zone and in UTC.
func bothZones(at time.Time) string {
	text := at.Format("Mon 2 January 2006, 15:04 ") + at.Location().String()
	if at.Location().String() == "UTC" {
		return text
	}
	return text + " (" + at.UTC().Format("15:04") + " UTC)"
}

// unscheduleEntry takes the request to publish back.
func unscheduleEntry(v *page.Visit) (*page.Answer, error) {
	a, err := page.Call(v, review.CancelPublication, review.StageInput{OnArticle: v.OnArticle()})
	return v.Done(v.Path("calendar"),
		"Unscheduled: “"+page.TitleOf(a.Body.ArticleSummary)+"” stays as it is until somebody publishes it.", err)
}
