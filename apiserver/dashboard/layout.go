package dashboard

import (
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/pages"
)

//go:embed templates
var files embed.FS

func readTemplates() (*template.Template, error) {
	t, err := template.New("").Funcs(template.FuncMap{
		"name": pages.DisplayName, "word": statusWord, "short": shortName, "lower": strings.ToLower, "plural": plural,
		"sentence": sentence, "cms": cmsName, "checkName": checkName, "scope": scopeWord,
	}).ParseFS(files, "templates/*.html")
	if err != nil {
		return nil, fmt.Errorf("reading the templates of the dashboard: %w", err)
	}
	return t, nil
}

// plural returns a number with a noun, whose plural ends with s.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// layout is the data of every page. Its methods are what templates call with $.
type layout struct {
	Title      string
	Person     login.Person
	Workspace  string
	Workspaces []string
	Notice     pages.Notice
	Nav        [5]navItem
	// Live is the address of the page's live updates; empty if it has none.
	Live string
	// Body is the handler's part of the data.
	Body any

	visit *visit
}

func (d *Dashboard) layout(v *visit, a *answer, n pages.Notice) *layout {
	l := &layout{
		Title: a.title, Person: v.person, Workspace: v.workspace, Workspaces: v.workspaces, Notice: n, Body: a.body, visit: v,
	}
	if len(v.workspaces) == 1 && v.workspace == "" {
		// The pages of the account lead back to the only workspace.
		v.workspace, l.Workspace = v.workspaces[0], v.workspaces[0]
		l.Nav = v.navigation()
	} else if v.workspace != "" {
		l.Nav = v.navigation()
		if a.status == http.StatusOK && v.request.Method == http.MethodGet {
			l.Live = v.path("live") + "?" + url.Values{"page": {v.here()}}.Encode()
		}
	}
	return l
}

// Ticket is the token of the page's forms.
func (l *layout) Ticket() (string, error) { return l.visit.newTicket() }

// May reports whether the person has a scope.
func (l *layout) May(scope string) bool {
	for _, s := range l.Person.Scopes {
		if strings.EqualFold(string(s), scope) {
			return true
		}
	}
	return false
}

// In returns a path of the page's workspace.
func (l *layout) In(segments ...string) string { return l.visit.path(segments...) }

// Here is the path and the query of the page.
func (l *layout) Here() string { return l.visit.here() }

// Zone is the name of the person's time zone.
func (l *layout) Zone() string { return l.visit.zone().String() }

// ZoneChosen reports whether the person has chosen it.
func (l *layout) ZoneChosen() bool { return l.visit.settings.Zone != "" }

// Linked returns a message whose uids of articles are links to them.
func (l *layout) Linked(message string) []linkedText { return l.visit.linked(message) }

// Said returns a message of the controller as a sentence for people, with its times in the person's zone.
func (l *layout) Said(message string) string { return sentence(plainMessage(message, l.visit.zone())) }

// When shows a time, a time.Time or a text of RFC 3339, in the person's zone, and how far it is from now.
func (l *layout) When(at any) template.HTML { return l.visit.when(at) }

// Ago says how far a time is from now, such as "3 minutes ago".
func (l *layout) Ago(at any) string { return l.visit.ago(at) }

func (v *visit) when(at any) template.HTML {
	t, ok := timeOf(at)
	if !ok {
		return ""
	}
	return timeHTML(t, v.zone(), v.ago(t))
}

func (v *visit) ago(at any) string {
	t, ok := timeOf(at)
	if !ok {
		return ""
	}
	return humanize.RelTime(t, v.now(), "ago", "from now")
}

// timeForm is how pages show a time.
const timeForm = "2 Jan 2006, 15:04 MST"

func timeHTML(t time.Time, zone *time.Location, ago string) template.HTML {
	text := t.In(zone).Format(timeForm)
	//nolint:gosec // times and zones have no characters that mean anything in HTML
	return template.HTML(`<time datetime="` + t.UTC().Format(time.RFC3339) + `" title="` + ago + `">` + text + `</time>`)
}

// timeOf returns a time that is given as a time.Time or as a text of RFC 3339, or as a pointer to one.
func timeOf(at any) (time.Time, bool) {
	switch at := at.(type) {
	case time.Time:
		return at, !at.IsZero()
	case *time.Time:
		return timeOrZero(at), at != nil
	case string:
		t, err := time.Parse(time.RFC3339, at)
		return t, err == nil
	case *string:
		if at != nil {
			return timeOf(*at)
		}
	}
	return time.Time{}, false
}

func timeOrZero(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

// scopeNames are those of the scopes over REST.
func scopeNames(scopes []v1alpha1.Scope) []string {
	names := make([]string, 0, len(scopes))
	for _, s := range scopes {
		names = append(names, strings.ToLower(string(s)))
	}
	return names
}
