package article

import (
	"fmt"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/batch"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/rest/account"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/generation"
)

// makeView is the data of the page on which articles are made.
type makeView struct {
	textFields

	// Kind is generate or write.
	Kind  string
	Sites []siteChoice
	// Credits says how many are left.
	Credits string
	// Briefs is the field in which a brief is chosen.
	Briefs page.BriefSelect
	generateForm
}

// generateForm is the form that generates. The keywords are one on each line.
type generateForm struct {
	Keywords, Secondary, Tone, Length, Site string
	// Brief is the uid of the one that is chosen; empty for that of the site.
	Brief, Instructions string
	// Lines are those of which it is not known whether they made an article: see lineKey.
	Lines []string `json:"line"`
}

// siteChoice is a site that articles can be made for.
type siteChoice struct{ UID, Name, Today string }

// newPath is the path of the page, below that of the workspace.
const newPath = "/w/:workspace/articles/new"

func makeRoutes() []page.Route {
	return []page.Route{
		page.Show(newPath, v1alpha1.ScopeWrite, showMake),
		batch.Route(),
		page.Form(batch.Path, generation.Generate, page.Sent(generate)),
		page.Form(newPath+"/write", restarticle.Create, page.Sent(write)).From("?kind=write"),
		page.Form(newPath+"/preview", generation.Preview, makePreview).From("?kind=write"),
		page.LocalForm(PathPaste, v1alpha1.ScopeWrite, page.Sent(paste)).WithText(),
		page.Show(newPath+"/links", v1alpha1.ScopeRead, showLinks),
	}
}

func showMake(v *page.Visit) (*page.Answer, error) {
	return makePage(v, makeView{Kind: v.Query("kind"), generateForm: generateForm{Site: v.Query("site")},
		textFields: textFields{Text: textForm{Site: v.Query("site")}}})
}

// siteBrief is what an article has that names no brief.
const siteBrief = "That of the site, if it has one"

// makePage completes the data of the page: the sites of the workspace, and what is left of credits and of the day's articles.
func makePage(v *page.Visit, view makeView) (*page.Answer, error) {
	sites, err := v.Sites()
	if err != nil {
		return nil, err
	}
	usage, err := readUsage(v)
	if err != nil {
		return nil, err
	}
	for _, s := range sites {
		view.Sites = append(view.Sites, siteChoice{s.UID, s.Name, leftToday(usage, s.UID)})
	}
	view.Credits, view.Preview = creditsLeft(usage), v.Path("articles", "new", "preview")
	title := "Generate articles"
	if view.Kind == "write" {
		title, view.Field = "Write an article", fieldOf(v, "")
	} else {
		view.Kind = "generate"
		if view.Briefs, err = v.BriefSelect(siteBrief, view.Brief); err != nil {
			return nil, err
		}
	}
	return v.Page("new.html", title, view).WithStyles(view.Field.Nonce), nil
}

// readUsage returns the account's credits and articles of the day, or nil if the person may write and not read.
func readUsage(v *page.Visit) (*account.AccountUsage, error) {
	usage, err := page.Call(v, account.GetUsage, struct{}{})
	if page.IsStatus(err, http.StatusForbidden) {
		return nil, nil
	}
	return &usage.Body, err
}

func creditsLeft(u *account.AccountUsage) string {
	switch {
	case u == nil:
		return ""
	case u.Credits.Left == nil:
		return "Each line takes one credit. There is no limit of credits."
	}
	return fmt.Sprintf("Each line takes one credit. %d are left.", *u.Credits.Left)
}

func leftToday(u *account.AccountUsage, site string) string {
	if u != nil {
		for _, s := range u.Day.Sites {
			if s.SiteUID == site {
				return fmt.Sprintf("%d of %d left today", s.Left, s.Limit)
			}
		}
	}
	return ""
}

// write stores a text of one's own. The form creates one article, however often it is sent.
func write(v *page.Visit, button struct{ Draft bool }) (*page.Answer, error) {
	text, err := sentText(v)
	if err != nil {
		return nil, err
	}
	body, done := restarticle.CreateArticleRequest{PreviewRequest: text.whole(), Draft: button.Draft}, "Saved. It waits for review."
	if body.Draft {
		done = "Saved as a draft. Reviewers see it once you submit it."
	}
	made, err := page.Call(v, restarticle.Create, restarticle.CreateInput{Idempotent: v.Once(), Body: body})
	a := made.Body
	if err == nil && whyUnready(v, a) != "" {
		// The editor says why.
		return v.Redirect(v.ArticlePath(a.UID, "edit"), "Saved."), nil
	}
	if err == nil {
		return v.Redirect(v.ArticlePath(a.UID), done), nil
	}
	refused, ok := page.Refusal(err)
	if !ok || refused.GetStatus() == http.StatusForbidden {
		return nil, err
	}
	view := makeView{Kind: "write", textFields: textFields{
		Text: text, Problem: "Not stored: " + page.ProblemOf(err), Problems: page.FieldProblems(err),
	}}
	status := refused.GetStatus()
	if status == http.StatusBadRequest {
		view.Problem, status = "Not stored. Look at the fields that are marked.", http.StatusUnprocessableEntity
	}
	return makeAgain(v, view, status)
}

// makeAgain shows the form again, with what was sent.
func makeAgain(v *page.Visit, view makeView, status int) (*page.Answer, error) {
	a, err := makePage(v, view)
	if err != nil {
		return nil, err
	}
	return a.With(status), nil
}

// makePreview is previewEdit for a text that is not an article yet.
func makePreview(v *page.Visit) (*page.Answer, error) {
	text, err := sentText(v)
	if err != nil {
		return nil, err
	}
	if text.Row != "" {
		text.changeRow()
		return makePage(v, makeView{Kind: "write", textFields: textFields{Text: text}})
	}
	site, err := readSite(v, text.Site)
	if err != nil {
		return nil, err
	}
	return previewText(v, text, site, nil)
}
