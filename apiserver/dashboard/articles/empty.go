package articles

import (
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
)

// emptyList says why a list has no row, and leads on.
type emptyList struct {
	Title, Text string
	Links       []emptyLink
}

type emptyLink struct {
	Text, Path string
	Primary    bool
}

// whyEmpty returns what a list without a row says.
func whyEmpty(v *page.Visit, f listFilter, counts map[string]int, sites int) *emptyList {
	mine := listFilter{Oldest: f.Oldest}
	switch {
	case f.Narrow():
		all := mine.tab(f.Status)
		return &emptyList{Title: "Nothing found", Text: askedFor(f) + ".", Links: []emptyLink{{"Clear the filter", all.path(v), true}}}
	case sites == 0:
		return withoutSite(v)
	case counts[page.AllStatuses] == 0:
		return firstArticle(v)
	case f.Status == "review":
		return emptyQueue(v, f, counts)
	}
	return &emptyList{
		Title: "No article is here", Text: "None is " + strings.ToLower(page.StatusWord(f.Status)) + " at the moment.",
		Links: []emptyLink{{"Show all articles", mine.tab(page.AllStatuses).path(v), false}},
	}
}

// askedFor says what a filter without hits was.
func askedFor(f listFilter) string {
	text := "No article"
	if f.Status != page.AllStatuses {
		text = "No article that is " + strings.ToLower(page.StatusWord(f.Status))
	}
	if f.Site != "" {
		text += " of the chosen site"
	}
	if f.Text != "" {
		text += " has “" + f.Text + "” in its title, keyword, slug, model or reviewer"
	} else {
		text += " is here"
	}
	return text
}

func withoutSite(v *page.Visit) *emptyList {
	e := &emptyList{Title: "There is no site yet", Text: "Articles belong to a site. Ask somebody who may manage sites to connect one."}
	if v.May(v1alpha1.ScopeManage) {
		e.Text = "Articles belong to a site, to which they are published."
		e.Links = []emptyLink{{"Connect a site", v.Path("sites", "new"), true}}
	}
	return e
}

func firstArticle(v *page.Visit) *emptyList {
	e := &emptyList{Title: "No article yet", Text: "Articles appear here as soon as somebody makes them."}
	if v.May(v1alpha1.ScopeWrite) {
		e.Text = "Generate one from a keyword, or write it yourself. It waits here until somebody has reviewed it."
		e.Links = []emptyLink{
			{"Generate the first one", v.Path("articles", "new") + "?kind=generate", true},
			{"Write one", v.Path("articles", "new") + "?kind=write", false},
		}
	}
	return e
}

func emptyQueue(v *page.Visit, f listFilter, counts map[string]int) *emptyList {
	e := &emptyList{Title: "Nothing waits for you", Text: "Every text has been reviewed."}
	if n := counts["generating"]; n > 0 {
		e.Text = page.Plural(n, "article") + " being generated will be here when done."
		e.Links = append(e.Links, emptyLink{"Show what is being generated", f.tab("generating").path(v), false})
	}
	e.Links = append(e.Links, emptyLink{"Show all articles", f.tab(page.AllStatuses).path(v), false})
	return e
}
