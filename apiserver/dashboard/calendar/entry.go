package calendar

import (
	"net/http"
	"slices"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/review"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
)

// siteColors is how many colours the calendar has for sites. The name stands beside each.
const siteColors = 6

// calendarEntry is an article in the calendar.
type calendarEntry struct {
	// Time is empty of one that has no date.
	Title, Path, Time, SiteName string
	Mark                        page.Mark
	// Color is the number of the site's colour.
	Color int
	// MovePath leads to the form that gives it another time; empty if it cannot have one. It has the zone of the calendar as a parameter.
	MovePath string
}

// entryOf returns an article in the calendar of a zone.
func entryOf(
	v *page.Visit, a restarticle.ArticleSummary, zone *time.Location, sites []restsite.Site, names map[string]string,
) calendarEntry {
	entry := calendarEntry{
		Title: page.TitleOf(a), Path: v.Path("articles", a.UID), Mark: page.StatusMark(a),
		Color: max(slices.IndexFunc(sites, func(s restsite.Site) bool { return s.UID == a.SiteUID }), 0) % siteColors,
	}
	if len(sites) > 1 {
		entry.SiteName = names[a.SiteUID]
	}
	if a.PublishedAt == nil && v.May(v1alpha1.ScopeWrite) {
		entry.MovePath = page.WithQuery(v.Path("calendar", a.UID), "zone", zone.String())
	}
	return entry
}

// tray are the approved articles that have no date.
type tray struct {
	Entries []calendarEntry
	// Path is that of the list of all approved articles if the tray may not have all; empty otherwise.
	Path string
}

// trayLimit is how many approved articles the tray looks at, those first that were made first.
const trayLimit = 30

// trayOf returns the approved articles of a site, or of all sites, for which nobody has asked for publication.
func trayOf(v *page.Visit, site string, zone *time.Location, sites []restsite.Site, names map[string]string) (tray, error) {
	approved := page.List{Query: page.Parameters("status", "approved", "site", site, "order", "oldest")}
	found, err := approved.Articles(v, "", false, trayLimit)
	if err != nil {
		return tray{}, err
	}
	var out tray
	for _, a := range found.Data {
		if !a.PublishRequested {
			out.Entries = append(out.Entries, entryOf(v, a, zone, sites, names))
		}
	}
	if found.HasMore {
		out.Path = v.Path("articles") + "?" + approved.From()
	}
	return out, nil
}

// moveView is the data of the page on which a planned article gets another time.
type moveView struct {
	Article  restarticle.Article
	Title    string
	Schedule page.ScheduleView
	Problem  string
	// Dragged means that the form has the day to which somebody has dragged the article. Nothing is done yet.
	Dragged bool
}

// showMove is the form that moves an article to another time, or unschedules it.
func showMove(v *page.Visit) (*page.Answer, error) {
	a, err := page.Call(v, restarticle.Get, restarticle.GetInput{OnArticle: v.OnArticle()})
	if err != nil {
		return nil, err
	}
	zone, ok := page.ZoneNamed(v.Query("zone"))
	if !ok {
		zone = v.Zone
	}
	view := moveView{Article: a.Body, Schedule: v.ScheduleIn(a.Body.PublishAt, zone)}
	view.dragTo(v.Query("day"), zone)
	return movePage(v, view), nil
}

// plannedAt is the time of day that an article gets which had no date.
const plannedAt = "09:00"

// dragTo fills in the day of the calendar to which somebody has dragged the article. It keeps its time of day in the zone of the
// calendar.
func (m *moveView) dragTo(day string, zone *time.Location) {
	if _, err := time.Parse(dayForm, day); err != nil {
		return
	}
	clock := plannedAt
	if at, ok := page.TimeOf(m.Article.PublishAt); ok {
		clock = at.In(zone).Format("15:04")
	}
	m.Dragged, m.Schedule.At = true, day+"T"+clock
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
	return v.Redirect(month, "“"+page.TitleOf(a.Body.ArticleSummary)+"” goes out "+v.InZones(at)+"."), nil
}

func notMoved(v *page.Visit, schedule page.ScheduleView, problem string) (*page.Answer, error) {
	a, err := page.Call(v, restarticle.Get, restarticle.GetInput{OnArticle: v.OnArticle()})
	if err != nil {
		return nil, err
	}
	return movePage(v, moveView{Article: a.Body, Schedule: schedule, Problem: problem}).With(http.StatusUnprocessableEntity), nil
}

// unscheduleEntry takes the request to publish back.
func unscheduleEntry(v *page.Visit) (*page.Answer, error) {
	a, err := page.Call(v, review.CancelPublication, review.StageInput{OnArticle: v.OnArticle()})
	return v.Done(v.Path("calendar"),
		"Unscheduled: “"+page.TitleOf(a.Body.ArticleSummary)+"” stays as it is until somebody publishes it.", err)
}
