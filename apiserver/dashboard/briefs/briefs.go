// Package briefs has the pages of briefs: what texts may rest on.
package briefs

import (
	"embed"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/rest/brief"
)

//go:embed *.html
var templates embed.FS

// Area returns the routes of these pages, and their templates.
func Area() page.Area {
	const one = "/w/:workspace/briefs/:uid"
	return page.Area{Templates: templates, Routes: []page.Route{
		page.Show("/w/:workspace/briefs", v1alpha1.ScopeRead, showBriefs),
		page.Show("/w/:workspace/briefs/new", v1alpha1.ScopeWrite, newBrief),
		page.Form("/w/:workspace/briefs/new", brief.Create, page.Sent(createBrief)),
		page.Show(one, v1alpha1.ScopeRead, showBrief),
		page.Show(one+"/edit", v1alpha1.ScopeWrite, showEditBrief),
		page.Form(one+"/edit", brief.Update, page.Sent(editBrief)),
		page.Form(one+"/delete", brief.Delete, deleteBrief),
	}}
}

// briefsView is the data of the list of briefs.
type briefsView struct {
	Rows    []brief.BriefSummary
	MayEdit bool
	// First and Next are paths of pages of the list; empty if there is none.
	First, Next string
}

func showBriefs(v *page.Visit) (*page.Answer, error) {
	out, err := page.Call(v, brief.List, brief.ListInput{Cursor: v.Query("after")})
	if err != nil {
		return nil, err
	}
	view, here := briefsView{Rows: out.Body.Data, MayEdit: v.May(v1alpha1.ScopeWrite)}, v.Path("briefs")
	if v.Query("after") != "" {
		view.First = here
	}
	if next := out.Body.NextCursor; next != nil {
		view.Next = page.WithQuery(here, "after", *next)
	}
	return v.Page("briefs.html", "Briefs", view), nil
}

// briefView is the data of the page of a brief.
type briefView struct {
	brief.Brief

	MayEdit bool
}

func showBrief(v *page.Visit) (*page.Answer, error) {
	out, err := page.Call(v, brief.Get, onBrief(v))
	if err != nil {
		return nil, err
	}
	return v.Page("brief.html", "Brief "+out.Body.Name, briefView{out.Body.Brief, v.May(v1alpha1.ScopeWrite)}), nil
}

// onBrief names the brief of the page.
func onBrief(v *page.Visit) brief.OnBrief { return brief.OnBrief{UID: v.Param("uid")} }

func deleteBrief(v *page.Visit) (*page.Answer, error) {
	_, err := page.Call(v, brief.Delete, brief.DeleteInput{OnBrief: onBrief(v)})
	if page.IsStatus(err, http.StatusConflict) {
		return v.RedirectProblem(v.Path("briefs", v.Param("uid")), page.ProblemOf(err)), nil
	}
	return v.Done(v.Path("briefs"), "Deleted. Texts that were checked against it stay as they are.", err)
}
