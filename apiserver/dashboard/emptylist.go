package dashboard

import (
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
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

// emptyList returns what a list without a row says.
func (v *visit) emptyList(f listFilter, counts map[string]int, sites int) *emptyList {
	mine := listFilter{Oldest: f.Oldest}
	switch {
	case f.Narrow():
		all := mine.tab(f.Status)
		return &emptyList{Title: "Nothing found", Text: v.askedFor(f) + ".", Links: []emptyLink{{"Clear the filter", all.path(v), true}}}
	case sites == 0:
		return v.withoutSite()
	case counts[allStatuses] == 0:
		return v.firstArticle()
	case f.Status == "review":
		return v.emptyQueue(f, counts)
	}
	return &emptyList{
		Title: "No article is here", Text: "None is " + strings.ToLower(statusWord(f.Status)) + " at the moment.",
		Links: []emptyLink{{"Show all articles", mine.tab(allStatuses).path(v), false}},
	}
}

// askedFor says what a filter without hits was.
func (v *visit) askedFor(f listFilter) string {
	text := "No article"
	if f.Status != allStatuses {
		text = "No article that is " + strings.ToLower(statusWord(f.Status))
	}
	if f.Site != "" {
		text += " of the chosen site"
	}
	if f.Text != "" {
		text += " has “" + f.Text + "” in its title, keyword or slug"
	} else {
		text += " is here"
	}
	return text
}

func (v *visit) withoutSite() *emptyList {
	e := &emptyList{Title: "There is no site yet", Text: "Articles belong to a site. Ask somebody who may manage sites to connect one."}
	if v.may(v1alpha1.ScopeManage) {
		e.Text = "Articles belong to a site, to which they are published."
		e.Links = []emptyLink{{"Connect a site", v.path("sites", "new"), true}}
	}
	return e
}

func (v *visit) firstArticle() *emptyList {
	e := &emptyList{Title: "No article yet", Text: "Articles appear here as soon as somebody makes them."}
	if v.may(v1alpha1.ScopeWrite) {
		e.Text = "Generate one from a keyword, or write it yourself. It waits here until somebody has reviewed it."
		e.Links = []emptyLink{
			{"Generate the first one", v.path("articles", "new") + "?kind=generate", true},
			{"Write one", v.path("articles", "new") + "?kind=write", false},
		}
	}
	return e
}

func (v *visit) emptyQueue(f listFilter, counts map[string]int) *emptyList {
	e := &emptyList{Title: "Nothing waits for you", Text: "Every text has been reviewed."}
	if n := counts["generating"]; n > 0 {
		e.Text = plural(n, "article") + " being generated will be here when done."
		e.Links = append(e.Links, emptyLink{"Show what is being generated", f.tab("generating").path(v), false})
	}
	e.Links = append(e.Links, emptyLink{"Show all articles", f.tab(allStatuses).path(v), false})
	return e
}
