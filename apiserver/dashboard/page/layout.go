package page

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/pages"
)

// Plural returns a number with a noun, whose plural ends with s.
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Layout is the data of every page. Its methods are what templates call with $.
type Layout struct {
	*Visit

	Title  string
	Notice pages.Notice
	Nav    [6]navItem
	// Live is the address of the stream of the workspace's changes; empty if the page has no live updates.
	Live string
	// Body is the handler's part of the data.
	Body any
}

// NewLayout returns the data of the page of an answer.
func NewLayout(v *Visit, a *Answer, n pages.Notice) *Layout {
	l := &Layout{Visit: v, Title: a.title, Notice: n, Body: a.Body}
	if len(v.Person.Opens) == 1 && v.Workspace == "" {
		// The pages of the account lead back to the only workspace.
		v.Workspace = v.Person.Opens[0]
		l.Nav = v.navigation()
	} else if v.Workspace != "" {
		l.Nav = v.navigation()
		if a.Status == http.StatusOK && v.request.Method == http.MethodGet {
			l.Live = v.Path("live")
		}
	}
	return l
}

// navItem is a link of the navigation.
type navItem struct {
	Text, Path string
	// Key is the letter that leads there after g.
	Key string
	// Count is shown beside the text, if it is not 0, CountText says what it counts, and Late that it is no failure yet.
	Count     int
	CountText string
	Late      bool
	// More is how many articles have not arrived yet; 0 if Count says it.
	More    int
	Current bool
}

// navigation returns the links of the page's workspace. A number that is not known at the moment is not shown.
func (v *Visit) navigation() [6]navItem {
	n, _ := v.Counts(v.Workspace, "")
	items := [...]navItem{
		{Text: "Articles", Path: v.Path("articles"), Key: "l"},
		{Text: "Calendar", Path: v.Path("calendar"), Key: "c"},
		{Text: "Briefs", Path: v.Path("briefs"), Key: "b"},
		{Text: "Sites", Path: v.Path("sites"), Key: "s"},
		{Text: "Deliveries", Path: v.Path("deliveries"), Key: "d"},
		{Text: "Events", Path: v.Path("events")},
	}
	items[4].countDeliveries(n.ByPublication[StateFailed], n.ByPublication[StateRetrying])
	if v.May(v1alpha1.ScopeApprove) {
		items[0].Count, items[0].CountText = n.ByStatus[StatusReview], "in review"
	}
	for i := range items {
		items[i].Current = v.url.Path == items[i].Path || strings.HasPrefix(v.url.Path, items[i].Path+"/")
	}
	return items
}

// countDeliveries shows how many articles have failed, and how many have not arrived yet.
func (i *navItem) countDeliveries(failed, late int) {
	i.Count, i.CountText, i.More = failed, "failed", late
	if failed == 0 && late > 0 {
		i.Count, i.CountText, i.Late, i.More = late, "not arriving yet", true, 0
	}
}
