package dashboard

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// articleView is the data of an article's page.
type articleView struct {
	Article rest.Article
	Site    rest.SiteAnswer
	// Text is the revision that the page shows and its forms name; nil while there is none.
	Text *rest.RevisionSummary
	// Revisions are those that are kept, newest first, and Since is the one that the text is compared with at first; 0 without one.
	Revisions []rest.RevisionSummary
	Since     int64
	// Story is what happened to the article, the last event first.
	Story []event
	Can   actions
	// ApproveText is on the button that approves and nothing else.
	ApproveText string
	Checks      checks
	// Next and Previous are the paths of the articles beside this one in the queue of review; empty if there are none.
	Next, Previous string
	// OpenNext ticks "and open the next".
	OpenNext bool
	// Reason that was sent without success, and what is wrong with it.
	Reason, ReasonProblem string
	// Schedule has the fields of a time.
	Schedule scheduleView
	// Time that was sent is wrong.
	PublishProblem string
}

func articleRoutes() []route {
	const article = "/w/:workspace/articles/:uid"
	return []route{
		page(article, v1alpha1.ScopeRead, showArticle),
		page(article+"/preview", v1alpha1.ScopeRead, showPreview),
		page(article+"/changes", v1alpha1.ScopeRead, showChanges),
		page(article+"/confirm", v1alpha1.ScopeWrite, showConfirmation),
		form(article+"/approve", v1alpha1.ScopeApprove, "approve-article", approve),
		form(article+"/reject", v1alpha1.ScopeApprove, "reject-article", reject),
		form(article+"/submit", v1alpha1.ScopeWrite, "submit-article", submit),
		form(article+"/publish", v1alpha1.ScopeWrite, "publish-article", publish),
		form(article+"/unschedule", v1alpha1.ScopeWrite, "unschedule-article", unschedule),
		form(article+"/archive", v1alpha1.ScopeWrite, "archive-article", archive),
		form(article+"/regenerate", v1alpha1.ScopeWrite, "regenerate-article", regenerate),
		form(article+"/redeliver", v1alpha1.ScopeWrite, "redeliver-article", redeliver),
		form(article+"/delete", v1alpha1.ScopeWrite, "delete-article", remove),
	}
}

// onArticle calls an operation on the article of the page.
func onArticle[O any](v *visit, operation string, body any) (O, error) {
	return call[O](v, rest.Request{Operation: operation, Path: map[string]string{"uid": v.param("uid")}, Body: body})
}

// articlePath is a path of an article, such as that of its changes.
func (v *visit) articlePath(uid string, more ...string) string {
	return v.path(append([]string{"articles", uid}, more...)...)
}

func showArticle(v *visit) (*answer, error) {
	view, err := v.article()
	if err != nil {
		return nil, err
	}
	a := v.articlePage(view)
	a.cookies = v.opens(view.Digest())
	return a, nil
}

func (v *visit) articlePage(view *articleView) *answer {
	return v.page("article.html", titleOf(view.Article.ArticleSummary), view)
}

// titleOf is the name of an article that may have no title yet.
func titleOf(a rest.ArticleSummary) string { return cmp.Or(a.Title, a.TargetKeyword, "Untitled") }

// article reads what the page of an article shows.
func (v *visit) article() (*articleView, error) {
	view := &articleView{OpenNext: v.query("next") != ""}
	var err error
	if view.Article, err = onArticle[rest.Article](v, "get-article", nil); err != nil {
		return nil, err
	}
	if view.Site, err = v.site(view.Article.SiteUID); err != nil {
		return nil, err
	}
	list, err := onArticle[rest.RevisionList](v, "list-revisions", nil)
	if err != nil {
		return nil, err
	}
	if view.Story, err = v.story(); err != nil {
		return nil, err
	}
	view.Revisions = list.Data
	view.Text, view.Since = compared(list.Data, view.Article.RevisionDigest)
	view.Can = v.actionsOn(view.Article)
	view.ApproveText = v.approveText(view.Article)
	view.Checks = sortChecks(view.Article.Scores.Checks)
	view.Schedule = v.schedule(view.Article.PublishAt)
	if view.Article.Status == statusReview {
		view.Next, view.Previous = v.inQueue(view, "oldest"), v.inQueue(view, "newest")
	}
	return view, nil
}

// site reads a site; it is empty if there is none any more.
func (v *visit) site(uid string) (rest.SiteAnswer, error) {
	site, err := call[rest.SiteAnswer](v, rest.Request{Operation: "get-site", Path: map[string]string{"uid": uid}})
	if isStatus(err, http.StatusNotFound) {
		err = nil
	}
	return site, err
}

// compared returns the revision with a digest, and the number of the one that a reader wants it compared with: the last one that has a
// decision, else the one before.
func compared(revisions []rest.RevisionSummary, digest string) (text *rest.RevisionSummary, since int64) {
	for i := range revisions {
		r := &revisions[i]
		switch {
		case text == nil && r.Digest == digest:
			text = r
		case text == nil:
		case r.Review != nil:
			return text, r.Number
		case since == 0:
			since = r.Number
		}
	}
	return text, since
}

// beside returns the path of the article in review that comes after one with an _id, in an order; empty if there is none.
func (v *visit) beside(id, order string) string {
	query := url.Values{"status": {statusReview}, "limit": {"1"}, "order": {order}}
	if id != "" {
		query.Set("cursor", id)
	}
	list, err := call[rest.ArticlePage](v, rest.Request{Operation: "list-articles", Query: query})
	if err != nil || len(list.Data) == 0 {
		return ""
	}
	return v.articlePath(list.Data[0].UID)
}

// inQueue is beside for the links to the next and to the previous article: who goes through the queue goes on with it.
func (v *visit) inQueue(view *articleView, order string) string {
	path := v.beside(view.Article.ID, order)
	if path != "" && view.OpenNext {
		path = withQuery(path, "next", "1")
	}
	return path
}

// Waits reports whether a text is still to come.
func (a *articleView) Waits() bool { return a.Article.Status == statusGenerating }

// Digest is the one that the page's forms send: only what was shown is decided on.
func (a *articleView) Digest() string { return a.Article.RevisionDigest }

// TextID tells the texts of an article apart within the page; empty while there is none that can be decided on.
func (a *articleView) TextID() string {
	if a.Text == nil {
		return ""
	}
	return strings.TrimPrefix(a.Text.Digest, "sha256:")[:12]
}

// Revision is the number of the text that the page shows.
func (a *articleView) Revision() string {
	if a.Text == nil {
		return ""
	}
	return strconv.FormatInt(a.Text.Number, 10)
}
