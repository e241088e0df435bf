package dashboard

import (
	"html/template"
	"strings"
)

// topView is what the top of a page is made of: its head, and the navigation.
type topView struct {
	Title string
	// Style and Script are the addresses of the files of the pages.
	Style, Script string
	// Live is the address of the page's live updates; empty if it has none.
	Live string
	// Shortcuts says that letters move the focus.
	Shortcuts bool
	Workspace string
	// others are the names of all workspaces, each on a line.
	others string
	Nav    [5]navItem
	// Person is the id of who is signed in; empty if nobody is.
	Person, PersonName, Account, AccountName string
	// Reads, Manages and Limited say which pages of the account are offered.
	Reads, Manages, Limited bool
}

// Workspaces returns the names of all workspaces.
func (t topView) Workspaces() []string { return strings.Split(t.others, "\n") }

// Top returns the beginning of the page.
func (l *layout) Top() (template.HTML, error) {
	d, p := l.visit.dashboard, l.Person
	return fragmentOf(d, "page-top", topView{
		Title: l.Title, Style: d.static.style.path, Script: d.static.script.path, Live: l.Live, Shortcuts: l.shortcuts(),
		Workspace: l.Workspace, others: strings.Join(l.Workspaces, "\n"), Nav: l.Nav,
		Person: p.ID, PersonName: p.Name, Account: p.Account, AccountName: p.AccountName,
		Reads: l.May("read"), Manages: l.May("manage"), Limited: len(p.Workspaces) > 0,
	})
}

// bottomView is what the end of a page is made of.
type bottomView struct {
	SignedIn bool
	// Zone is the name of the person's time zone, and ZoneChosen says that they have chosen it.
	Zone       string
	ZoneChosen bool
	Shortcuts  bool
}

// Bottom returns the end of the page.
func (l *layout) Bottom() (template.HTML, error) {
	return fragmentOf(l.visit.dashboard, "page-bottom", bottomView{l.Person.ID != "", l.Zone(), l.ZoneChosen(), l.shortcuts()})
}

func (l *layout) shortcuts() bool { return !l.visit.settings.NoShortcuts }
