// Package batch has the page of the articles that one form has generated together.
//
// The address of the page has their uids, so that it can be opened again, and sent to other people. What the form has beside them,
// the lines that were refused, is sealed in the address for the session that sent it: nothing is stored.
package batch

import (
	"net/http"
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// Route returns the route of the page. Anyone who may read articles may open it. Its template, batch.html, stands with that of the form,
// which answers with the page too.
func Route() page.Route { return page.Show(Path, v1alpha1.ScopeRead, show) }

// Path of the page, below Root. The form that generates is sent to it.
const Path = "/w/:workspace/articles/new/generate"

// MaxArticles is how many articles a batch has at most.
const MaxArticles = 50

// The parameters of the page's address, and what the refused lines are sealed for.
const (
	fieldArticles  = "articles"
	fieldRefused   = "refused"
	purposeRefused = "app refused lines"
)

// Refused are the lines of a form that made no article, with what they are sent with again.
type Refused struct {
	Lines []Line
	Form  Form
}

// Line is a line of the form that made no article.
type Line struct {
	// Number of the line in the form, from 0.
	Number int
	// Keyword of the line, and Problem why it made none.
	Keyword, Problem string
	// Key is the Idempotency-Key under which the line goes on if it is not known whether it made an article; empty if it made none.
	Key string `json:",omitempty"`
}

// Form has what all lines of a form have in common.
type Form struct{ Site, Secondary, Tone, Length, Brief, Instructions string }

// LeadTo answers a form with a redirect to the page of its batch: loading that again generates nothing. If the refused lines are too long
// for an address, the page answers the form itself.
func LeadTo(v *page.Visit, made []string, refused Refused) (*page.Answer, error) {
	sealed := ""
	if len(refused.Lines) > 0 {
		var err error
		if sealed, err = v.Seal(purposeRefused, refused); err != nil {
			return nil, err
		}
	}
	path := page.WithQuery(v.Path("articles", "new", "generate"), fieldArticles, strings.Join(made, " "), fieldRefused, sealed)
	if len(path) > page.MaxAddress {
		return batchPage(v, made, refused, false)
	}
	return v.Redirect(path, ""), nil
}

// show is the page of a batch. Without one, its address leads to the form.
func show(v *page.Visit) (*page.Answer, error) {
	var made []string
	for uid := range strings.FieldsSeq(v.Query(fieldArticles)) {
		if identity.IsUID(uid) && !slices.Contains(made, uid) && len(made) < MaxArticles {
			made = append(made, uid)
		}
	}
	var refused Refused
	lost := v.Query(fieldRefused) != "" && !v.Open(purposeRefused, fieldRefused, &refused)
	if len(made)+len(refused.Lines) == 0 {
		return v.Redirect(v.Path("articles", "new")+"?kind=generate", ""), nil
	}
	return batchPage(v, made, refused, lost)
}

// view is the data of the page.
type view struct {
	Rows []row
	// Made is how many articles the batch has, Done how many of them are not being generated any more, and Failed how many of these failed.
	Made, Done, Failed int
	// Waiting is how many are in review, and ReviewPath leads to them.
	Waiting    int
	ReviewPath string
	// Lost means that the address has refused lines which this session cannot open.
	Lost bool
	// Refused are the lines that can be sent again.
	Refused
	// sites are those of the articles in review.
	sites []string
}

// row is an article of the batch, or a line that made none.
type row struct {
	// UID and Path are those of the article; empty if there is none.
	UID, Path, Title string
	Mark             page.Mark
	Reason           string
	// Progress of the run; nil if none is in progress.
	Progress *restarticle.GenerationProgress
}

// batchPage is the page of a batch, whose rows are in the order of the lines.
func batchPage(v *page.Visit, made []string, refused Refused, lost bool) (*page.Answer, error) {
	b := view{Made: len(made), Lost: lost, Refused: refused}
	for _, uid := range made {
		out, err := page.Call(v, restarticle.Get, restarticle.GetInput{OnArticle: restarticle.OnArticle{UID: uid}})
		switch {
		case page.IsStatus(err, http.StatusNotFound):
			b.Done++
			b.Rows = append(b.Rows, row{UID: uid, Title: "An article", Mark: page.Mark{Text: "Deleted"}})
		case err != nil:
			return nil, err
		default:
			b.add(v, out.Body.ArticleSummary)
		}
	}
	for _, line := range refused.Lines {
		b.refuse(line)
	}
	site := ""
	if len(b.sites) == 1 {
		site = b.sites[0]
	}
	b.ReviewPath = page.WithQuery(v.Path("articles"), "status", page.StatusReview, "site", site)
	return v.Page("batch.html", b.title(), b), nil
}

// add adds an article to the batch.
func (b *view) add(v *page.Visit, a restarticle.ArticleSummary) {
	r := row{UID: a.UID, Path: v.ArticlePath(a.UID), Title: page.TitleOf(a), Mark: page.StatusMark(a), Progress: a.Progress}
	switch a.Status {
	case page.StatusGenerating:
		r.Mark.Text = "Begun"
		switch {
		case a.Progress == nil:
			r.Reason = v.Status(a)
		case a.Progress.NextAttemptAt != nil:
			r.Reason = v.Why(a)
		}
	case statusFailed:
		b.Failed++
		r.Reason = v.Status(a)
	case page.StatusReview:
		b.Waiting++
		if !slices.Contains(b.sites, a.SiteUID) {
			b.sites = append(b.sites, a.SiteUID)
		}
	}
	if a.Status != page.StatusGenerating {
		b.Done++
	}
	b.Rows = append(b.Rows, r)
}

// refuse adds a line that made no article, in its place.
func (b *view) refuse(line Line) {
	r := row{Title: line.Keyword, Mark: page.Mark{Class: statusFailed, Text: "Not made"}, Reason: line.Problem}
	if line.Key != "" {
		r.Mark = page.Mark{Class: "warn", Text: "Not known"}
	}
	b.Rows = slices.Insert(b.Rows, min(max(line.Number, 0), len(b.Rows)), r)
}

// title says how far the batch is.
func (b *view) title() string {
	switch {
	case b.Made == 0 && slices.ContainsFunc(b.Lines, func(l Line) bool { return l.Key != "" }):
		return "It is not known what was generated"
	case b.Made == 0:
		return "Nothing was generated"
	case b.Failed == b.Made:
		return "Generating failed"
	case b.Done < b.Made:
		return "Generating " + page.Plural(b.Made, "article")
	}
	return page.Plural(b.Made-b.Failed, "article") + " generated"
}

const statusFailed = "failed"
