package dashboard

import (
	"net/http"
	"slices"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// siteColors is how many colours the calendar has for sites. The name stands beside each.
const siteColors = 6

// calendarEntry returns an article at its time in the zone of the calendar.
func (v *visit) calendarEntry(e rest.CalendarEntry, at time.Time, sites []rest.Site, names map[string]string) calendarEntry {
	entry := calendarEntry{
		Title: titleOf(e.ArticleSummary), Path: v.path("articles", e.UID), Time: at.Format("15:04"), Status: e.Status,
		Color: max(slices.IndexFunc(sites, func(s rest.Site) bool { return s.UID == e.SiteUID }), 0) % siteColors,
	}
	if len(sites) > 1 {
		entry.SiteName = names[e.SiteUID]
	}
	if e.PublishedAt == nil && v.may(v1alpha1.ScopeWrite) {
		entry.MovePath = v.path("calendar", e.UID)
	}
	return entry
}

// moveView is the data of the page on which a planned article gets another time.
type moveView struct {
	Article  rest.Article
	Title    string
	Schedule scheduleView
	Problem  string
}

// showMove is the form that moves an article to another time, or unschedules it.
func showMove(v *visit) (*answer, error) {
	a, err := onArticle[rest.Article](v, "get-article", nil)
	if err != nil {
		return nil, err
	}
	return v.movePage(moveView{Article: a, Schedule: v.schedule(a.PublishAt)}), nil
}

func (v *visit) movePage(view moveView) *answer {
	view.Title = titleOf(view.Article.ArticleSummary)
	return v.page("move.html", "Move: "+view.Title, view)
}

// move asks for publication at another time, of the text that was on the page.
func move(v *visit) (*answer, error) {
	at, schedule, problem := v.scheduled()
	if problem != "" {
		return v.notMoved(schedule, problem)
	}
	body := rest.PublishRequest{PublishAt: &at, Digest: rest.Digest(v.form("digest"))}
	a, err := onArticle[rest.Article](v, "publish-article", body)
	if isStatus(err, http.StatusConflict) {
		return v.notMoved(schedule, problemOf(err))
	}
	if err != nil {
		return nil, err
	}
	return v.redirect(v.monthOf(at), "Moved: “"+titleOf(a.ArticleSummary)+"” goes out "+bothZones(at)+"."), nil
}

func (v *visit) notMoved(schedule scheduleView, problem string) (*answer, error) {
	a, err := onArticle[rest.Article](v, "get-article", nil)
	if err != nil {
		return nil, err
	}
	return v.movePage(moveView{Article: a, Schedule: schedule, Problem: problem}).with(http.StatusUnprocessableEntity), nil
}

// monthOf is the address of the calendar with a time in it.
func (v *visit) monthOf(at time.Time) string {
	return v.path("calendar") + "?month=" + at.In(v.zone()).Format(monthForm)
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
func unscheduleEntry(v *visit) (*answer, error) {
	a, err := onArticle[rest.Article](v, "unschedule-article", nil)
	if err != nil {
		return nil, err
	}
	return v.redirect(v.path("calendar"), "Unscheduled: “"+titleOf(a.ArticleSummary)+"” stays as it is until somebody publishes it."), nil
}
