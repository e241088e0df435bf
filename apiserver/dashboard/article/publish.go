package article

import (
	"k8s.io/utils/ptr"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/apiserver/rest/patch"
	"github.com/pressroom-dev/pressroom/apiserver/rest/review"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
)

// publish asks for publication of the text that was on the page, now.
func publish(v *page.Visit, form onText) (*page.Answer, error) {
	if form.Digest == "" {
		return notSeen(v), nil
	}
	body := &review.PublishRequest{Digest: form.Digest}
	published, err := page.Call(v, review.Publish, review.PublishInput{OnArticle: v.OnArticle(), Body: body})
	if err != nil {
		return outdated(v, form, err, "published")
	}
	done := "On its way to its site"
	if published.Body.Status == page.StatusReview {
		done = "Goes out once it is approved"
	}
	return goOn(v, form.Next, published.Body, done), nil
}

// handler returns the handler of an operation whose input has the form as its body.
func handler[I, Body any](op operation.Operation[I, restarticle.Output], done string, input func(*page.Visit, Body) I) page.Handler {
	return page.Sent(func(v *page.Visit, body Body) (*page.Answer, error) {
		out, err := page.Call(v, op, input(v, body))
		return v.Done(v.ArticlePath(out.Body.UID), done, err)
	})
}

func stageInput(v *page.Visit, _ struct{}) review.StageInput {
	return review.StageInput{OnArticle: v.OnArticle()}
}

// command charges or sends something, once for its form.
func command(v *page.Visit) restarticle.Command {
	return restarticle.Command{OnArticle: v.OnArticle(), Idempotent: v.Once()}
}

var (
	submit     = handler(review.Submit, "Submitted for review.", stageInput)
	unschedule = handler(review.CancelPublication, "Taken back: it is not published until you ask for it again.", stageInput)
	archive    = handler(review.Archive, "Archived. Publishing brings it back.", stageInput)
	regenerate = handler(restarticle.Regenerate, "Another text is being generated.", regenerateInput)
	redeliver  = handler(restarticle.Redeliver, "It is sent again.", redeliverInput)
	unpublish  = handler(restarticle.Unpublish, "The post is taken back from its site.", unpublishInput)
)

// regeneration is the form that asks for another text, with what its fields were shown with.
type regeneration struct {
	Brief, Instructions string
	WasBrief            string `json:"was_brief"`
	WasInstructions     string `json:"was_instructions"`
}

// regenerateInput sends what somebody has changed.
func regenerateInput(v *page.Visit, form regeneration) restarticle.RegenerateInput {
	var body restarticle.RegenerateRequest
	switch form.Brief {
	case form.WasBrief:
	case "":
		body.BriefUID = patch.Null[*operation.BriefUID]()
	default:
		body.BriefUID = patch.Of(new(operation.BriefUID(form.Brief)))
	}
	body.Instructions = changed(form.Instructions, form.WasInstructions)
	return restarticle.RegenerateInput{Command: command(v), Body: &body}
}

func redeliverInput(v *page.Visit, body restarticle.RedeliverRequest) restarticle.RedeliverInput {
	return restarticle.RedeliverInput{Command: command(v), Body: &body}
}

func unpublishInput(v *page.Visit, body restarticle.UnpublishRequest) restarticle.UnpublishInput {
	return restarticle.UnpublishInput{Command: command(v), Body: &body}
}

// remove deletes the article.
func remove(v *page.Visit, form struct{ Title string }) (*page.Answer, error) {
	_, err := page.Call(v, restarticle.Delete, restarticle.DeleteInput{OnArticle: v.OnArticle()})
	return v.Done(v.Path("articles"), "Deleted: “"+form.Title+"”. What the site has received stays there.", err)
}

// confirmation asks before something that takes away what people see.
type confirmation struct {
	Article restarticle.Article
	// Do is the last segment of the path that the form is sent to.
	Do, Question, Text, Button string
	Danger                     bool
	// Overwrite is sent with the form.
	Overwrite bool
	// Briefs is the field in which a brief is chosen; nil if the form has none.
	Briefs *page.BriefSelect
}

// confirmations are by their names in the address of the page.
var confirmations = map[string]confirmation{
	"delete": {
		Do: "delete", Question: "Delete this article?", Button: "Delete", Danger: true,
		Text: "Its text and all its revisions are gone for good. What its site has received stays there.",
	},
	"unpublish": {
		Do: "unpublish", Question: "Unpublish this article?", Button: "Unpublish", Danger: true,
		Text: "Its post is taken back: people no longer see it on the site. The article stays here, and can be published again.",
	},
	"overwrite": {
		Do: "redeliver", Question: "Overwrite the post?", Button: "Overwrite", Danger: true, Overwrite: true,
		Text: "Somebody has changed the post in the CMS. It gets the text of this article instead.",
	},
	"discard": {
		Do: "discard", Question: "Discard this text?", Button: "Discard it", Danger: true,
		Text: "The article gets the text of its site again. The discarded text stays in the history until it is the oldest there.",
	},
	"archive": {Do: "archive", Question: "Archive this article?", Button: "Archive", Danger: true},
	"regenerate": {
		Do: "regenerate", Question: "Generate another text?", Button: "Generate another text",
		Text: "It takes a credit, unless the text is the same again. " +
			"A new text is in review, and a decision on the present one no longer counts.",
	},
}

// archived says what becomes of an article that is archived, and of its post.
func archived(a restarticle.Article, site restsite.SiteAnswer) string {
	text := "It leaves the lists of what is to be done, and nothing is sent for it. Publishing brings it back."
	switch {
	case a.PublishedAt == nil:
		return text
	case site.Removal == "unpublish":
		return "Its post is unpublished: people no longer see it on the site. " + text
	}
	return "Its post stays on the site. " + text
}

// showConfirmation is the page that asks.
func showConfirmation(v *page.Visit) (*page.Answer, error) {
	view, ok := confirmations[v.Query("do")]
	if !ok {
		return v.NotFound(), nil
	}
	var err error
	if view.Article, err = getArticle(v); err != nil {
		return nil, err
	}
	view.Article.Title = page.TitleOf(view.Article.ArticleSummary)
	if view.Do == "archive" {
		site, err := readSite(v, view.Article.SiteUID)
		if err != nil {
			return nil, err
		}
		view.Text = archived(view.Article, site)
	}
	if p := view.Article.Publication; view.Do == "unpublish" && p != nil && p.Reason == "changed_at_site" && v.May(v1alpha1.ScopeApprove) {
		view.Overwrite = true
		view.Text += " Somebody has changed the post in the CMS. The CMS keeps it, and publishing the article again overwrites the change."
	}
	if view.Do == "regenerate" {
		briefs, err := v.BriefSelect(siteBrief, ptr.Deref(view.Article.BriefUID, ""))
		if err != nil {
			return nil, err
		}
		view.Briefs = &briefs
	}
	if view.Do == "regenerate" {
		view.Text += anotherText(view.Article)
	}
	return v.Page("confirm.html", view.Question, view), nil
}

// anotherText says what an article's generator writes if it is asked again.
func anotherText(a restarticle.Article) string {
	r, by := a.Review, a.Generator
	switch {
	case by == nil:
		return ""
	case by.Type == "builtin":
		return " The built-in generator writes the same text for the same keyword, tone, length and brief: change those first, under Edit."
	case r != nil && r.Decision == "rejected" && r.Note != "":
		return " The model is told why the text was rejected: “" + r.Note + "”"
	}
	return ""
}
