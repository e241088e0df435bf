package page

import (
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// navItem is a link of the navigation.
type navItem struct {
	Text, Path string
	// Key is the letter that leads there after g.
	Key string
	// Count is shown beside the text, if it is not 0, and CountText says what it counts.
	Count     int
	CountText string
	Current   bool
}

// navigation returns the links of the page's workspace. A number that is not known at the moment is not shown.
func (v *Visit) navigation() [5]navItem {
	n, err := v.Counts(v.Workspace, "")
	if err != nil {
		n.ByStatus.Review, n.ByPublication.Failed = 0, 0
	}
	items := [...]navItem{
		{Text: "Articles", Path: v.Path("articles"), Key: "l"},
		{Text: "Calendar", Path: v.Path("calendar"), Key: "c"},
		{Text: "Sites", Path: v.Path("sites"), Key: "s"},
		{Text: "Deliveries", Path: v.Path("deliveries"), Key: "d", Count: n.ByPublication.Failed, CountText: "failed"},
		{Text: "Events", Path: v.Path("events")},
	}
	if v.May(v1alpha1.ScopeApprove) {
		items[0].Count, items[0].CountText = n.ByStatus.Review, "in review"
	}
	for i := range items {
		items[i].Current = v.url.Path == items[i].Path || strings.HasPrefix(v.url.Path, items[i].Path+"/")
	}
	return items
}
