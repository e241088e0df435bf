// Package article has the pages of one article: the one on which it is reviewed and published, its preview and changes, the editor, and
// the forms that generate or write new ones.
package article

import (
	"embed"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/review"
	"github.com/pressroom-dev/pressroom/apiserver/rest/share"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
)

// articleView is the data of an article's page.
type articleView struct {
	Article restarticle.Article
	Site    restsite.SiteAnswer
	// Text is the revision that the page shows and its forms name; nil while there is none.
	Text *restarticle.ArticleRevisionSummary
	// Revisions are those that are kept, newest first, and Since is the one that the text is compared with at first; 0 without one.
	Revisions []restarticle.ArticleRevisionSummary
	Since     int64
	// Story is what happened to the article, the last event first.
	Story []event
	// OlderGone says that it had more revisions.
	OlderGone bool
	// Editors have the editor of the article open, but for the person.
	Editors []string
	// Unready says why the text cannot be reviewed although it is stored; empty if it can be, or is about to be.
	Unready string
	// Fixed says why a published text cannot be changed; nil if it can be, or if it is not published.
	Fixed *fixed
	// Can are the names of the actions that are offered.
	Can map[string]bool
	// HasApproved means that the person has approved the text, which waits for other people.
	HasApproved bool
	// ApproveText is on the button that approves and nothing else.
	ApproveText string
	Checks      checks
	// Claims are those of the text that its brief does not support, and Evidence is what the brief says of the others.
	Claims   claims
	Evidence restarticle.Evidence
	// List is the one that the article was opened from, Place its place there, and Back the address of the list.
	List        page.List
	Place, Back string
	// Next and Previous are the paths of the articles beside this one in the list; empty if there are none.
	Next, Previous string
	// OpenNext ticks "and open the next".
	OpenNext bool
	// Reason that was sent without success, and what is wrong with it.
	Reason, ReasonProblem string
	// Schedule has the fields of a time.
	Schedule page.ScheduleView
	// Time that was sent is wrong.
	PublishProblem string
}

func articleRoutes() []page.Route {
	const article = "/w/:workspace/articles/:uid"
	return []page.Route{
		page.Show(article, v1alpha1.ScopeRead, showArticle),
		page.Show(article+"/preview", v1alpha1.ScopeRead, showPreview),
		page.Show(article+"/changes", v1alpha1.ScopeRead, showChanges),
		page.Show(article+"/confirm", v1alpha1.ScopeWrite, showConfirmation),
		page.Show(article+"/share", v1alpha1.ScopeWrite, showShare),
		page.Form(article+"/share", share.Create, page.Sent(makeLink)),
		page.Form(article+"/share/end", share.End, endLinks),
		page.Form(article+"/approve", review.Approve, page.Sent(approve)),
		page.Form(article+"/reject", review.Reject, page.Sent(reject)),
		page.Form(article+"/submit", review.Submit, submit),
		page.Form(article+"/publish", review.Publish, page.Sent(publish)),
		page.Form(article+"/schedule", review.Publish, page.Sent(schedule)),
		page.Form(article+"/unschedule", review.CancelPublication, unschedule),
		page.Form(article+"/discard", restarticle.RestoreRevision, discard),
		page.Form(article+"/archive", review.Archive, archive),
		page.Form(article+"/regenerate", restarticle.Regenerate, regenerate),
		page.Form(article+"/restore", restarticle.RestoreRevision, page.Sent(restore)),
		page.Form(article+"/redeliver", restarticle.Redeliver, redeliver),
		page.Form(article+"/unpublish", restarticle.Unpublish, unpublish),
		page.Form(article+"/delete", restarticle.Delete, page.Sent(remove)),
	}
}

func showArticle(v *page.Visit) (*page.Answer, error) {
	view, err := readArticle(v)
	if err != nil {
		return nil, err
	}
	a := articlePage(v, view)
	a.Cookies = v.Opens(view.Digest())
	return a, nil
}

func articlePage(v *page.Visit, view *articleView) *page.Answer {
	return v.Page("article.html", page.TitleOf(view.Article.ArticleSummary), view)
}

// readArticle reads what the page of an article shows.
func readArticle(v *page.Visit) (*articleView, error) {
	view := &articleView{OpenNext: v.Query("next") != ""}
	var err error
	if view.Article, err = getArticle(v); err != nil {
		return nil, err
	}
	if view.Site, err = readSite(v, view.Article.SiteUID); err != nil {
		return nil, err
	}
	history, err := page.Call(v, restarticle.GetHistory, restarticle.HistoryInput{
		OnArticle: v.OnArticle(), Digest: view.Article.RevisionDigest,
	})
	if err != nil {
		return nil, err
	}
	view.Revisions, view.Editors = history.Body.Revisions, history.Body.Editors
	view.Story = story(history.Body.Transitions, view.Revisions)
	view.OlderGone = olderGone(view.Revisions, history.Body.Transitions)
	view.Text, view.Since = compared(view.Revisions, view.Article.RevisionDigest)
	view.Can, view.Unready = actionsOn(v, view.Article), whyUnready(v, view.Article)
	view.ApproveText, view.HasApproved = approveText(v, view.Article), hasApproved(v, view.Article)
	view.Fixed = whyPublishedIsFixed(v, view.Article, view.Site, view.Can)
	view.Checks = sortChecks(view.Article.Scores.Checks)
	view.Claims, view.Evidence = sortClaims(view.Article), history.Body.Evidence
	view.Schedule = v.Schedule(view.Article.PublishAt)
	view.List = page.ListOf(v)
	if view.List.At > 0 || view.Article.Status == page.StatusReview {
		view.lookAround(v)
	}
	return view, nil
}

// lookAround finds the place of the article in its list, and the articles beside it. Where that is not known at the moment, none is shown.
func (a *articleView) lookAround(v *page.Visit) {
	around, _ := a.List.Around(v, a.Article.ID)
	next, previous := a.List, a.List
	if a.List.At > 0 {
		a.Place, a.Back = a.List.Place(v), a.List.Back(v, a.Article.UID)
		next.At, previous.At = next.At+1, max(1, previous.At-1)
	}
	if around.Next != "" {
		a.Next = next.Path(v, around.Next, a.OpenNext)
	}
	if around.Previous != "" {
		a.Previous = previous.Path(v, around.Previous, a.OpenNext)
	}
}

// getArticle reads the article of the page. A published one that has another text is shown as that text, in the status that it has: what is
// decided and edited is about it. Article.Pending is set then.
func getArticle(v *page.Visit) (restarticle.Article, error) {
	a, _, err := getTagged(v)
	return a, err
}

// getTagged is getArticle which also returns the ETag of the article.
func getTagged(v *page.Visit) (restarticle.Article, string, error) {
	out, err := page.Call(v, restarticle.Get, restarticle.GetInput{OnArticle: v.OnArticle(), Text: restarticle.TextPending})
	a := out.Body
	if a.Pending != nil && a.Status == page.StatusPublished {
		a.Status = a.Pending.Status
	}
	return a, out.ETag, err
}

// discard takes the other text of a published article back.
func discard(v *page.Visit) (*page.Answer, error) {
	list, err := page.Call(v, restarticle.ListRevisions, v.OnArticle())
	if err != nil {
		return nil, err
	}
	live := slices.IndexFunc(list.Body.Data, func(r restarticle.ArticleRevisionSummary) bool { return r.Live })
	if live < 0 {
		return v.Message(http.StatusConflict, "Nothing to discard", "The text that the site has is not kept."), nil
	}
	_, err = page.Call(v, restarticle.RestoreRevision, restarticle.RestoreRevisionInput{
		OnRevision: restarticle.OnRevision{OnArticle: v.OnArticle(), Number: list.Body.Data[live].Number},
	})
	return v.Done(v.ArticlePath(v.Param("uid")), "The article has the text of its site again.", err)
}

// readSite reads a site; it is empty if there is none any more.
func readSite(v *page.Visit, uid string) (restsite.SiteAnswer, error) {
	site, err := page.Call(v, restsite.Get, restsite.OnSite{UID: uid})
	if page.IsStatus(err, http.StatusNotFound) {
		err = nil
	}
	return site.Body, err
}

// compared returns the revision with a digest, and the number of the one that a reader wants it compared with: the one that the site
// has, or the last one that has a decision, else the one before.
func compared(revisions []restarticle.ArticleRevisionSummary, digest string) (text *restarticle.ArticleRevisionSummary, since int64) {
	for i := range revisions {
		r := &revisions[i]
		switch {
		case text == nil && r.Digest == digest:
			text = r
		case text == nil:
		case r.Review != nil, r.Live:
			return text, r.Number
		case since == 0:
			since = r.Number
		}
	}
	return text, since
}

// Message says why the article is in its status. The attempts of a run stand above it.
func (a *articleView) Message(l *page.Layout) string {
	if a.Article.Progress != nil {
		return l.Why(a.undecided())
	}
	return l.Status(a.undecided())
}

// HasPost reports whether the post has something beside its text.
func (a *articleView) HasPost() bool {
	return len(a.Article.Tags) > 0 || a.Article.Category != "" || a.Article.Author != "" || a.Article.Image != nil
}

// Made is a revision with what somebody did to make it.
func (*articleView) Made(r restarticle.ArticleRevisionSummary) madeText { return madeText{r} }

// EditFirst reports whether the next step is to edit the text: it was rejected.
func (a *articleView) EditFirst() bool { return a.Article.Status == "rejected" && a.Can["edit"] }

// undecided is the article without who decided, whom the line of the last decision names.
func (a *articleView) undecided() restarticle.ArticleSummary {
	summary := a.Article.ArticleSummary
	summary.StatusDetail.DecidedBy = ""
	return summary
}

// Waits reports whether a text is still to come.
func (a *articleView) Waits() bool { return a.Article.Status == page.StatusGenerating }

// FailsRequired reports whether the text fails a check which must pass: who approves it is asked whether they are sure.
func (a *articleView) FailsRequired() bool { return len(page.RequiredFailed(a.Article)) > 0 }

// FailsClaims reports whether the text fails because of claims: then approving it needs a note.
func (a *articleView) FailsClaims() bool { return page.FailsClaims(page.RequiredFailed(a.Article)) }

// Digest is the one that the page's forms send: only what was shown is decided on.
func (a *articleView) Digest() string { return a.Article.RevisionDigest }

// TextID tells the texts of an article apart within the page; empty while there is none that can be decided on. It is that of the digest
// which the forms send: the list of revisions may be older than the article.
func (a *articleView) TextID() string {
	digest := strings.TrimPrefix(a.Digest(), "sha256:")
	return digest[:min(len(digest), 12)]
}

// Revision is the number of the text that the page shows.
func (a *articleView) Revision() string {
	if a.Text == nil {
		return ""
	}
	return strconv.FormatInt(a.Text.Number, 10)
}

//go:embed *.html
var templates embed.FS

// Area returns the routes of these pages, and their templates.
func Area() page.Area {
	return page.Area{Routes: slices.Concat(articleRoutes(), editRoutes(), makeRoutes()), Templates: templates}
}
