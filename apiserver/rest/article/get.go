package article

import (
	"context"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/apiserver/rest/reason"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// OnArticle is embedded in the input of every operation on one article.
type OnArticle struct {
	operation.InWorkspace
	UID string `path:"uid" doc:"The article's uid." example:"0198f0a1-b2c3-7d4e-95f6-a7b8c9d0e1f2"`
}

// GetInput is the input of get-article.
type GetInput struct {
	OnArticle
	Text string `query:"text" enum:"live,pending" doc:"Which text of a published article: live, that its site has, or pending, the other one, if there is one. Live if absent. A site that pulls asks for live: an article that was unpublished is 410 GONE then if its site is of the type none, and is answered as any other without the parameter."`
}

// The values of the query parameter text.
const (
	// TextLive is what a site asks for that pulls: what it is to show.
	TextLive = "live"
	// TextPending is the text that a site does not have yet.
	TextPending = "pending"
)

// Output is a full article as an answer.
type Output struct {
	ETag string `header:"ETag" doc:"Names this state of the article. If-Match takes it until people or the generator write another one."`
	Body Article
}

// Get returns a full article.
var Get = operation.Operation[GetInput, Output]{
	ID: "get-article", Method: http.MethodGet, Path: articlePath, Tag: operation.TagArticles, Scope: v1alpha1.ScopeRead,
	Errors: append([]int{http.StatusGone}, operation.ReadErrors...),
}

func (s *Articles) getArticle(ctx context.Context, c *operation.Call, in *GetInput) (*Output, error) {
	i, err := s.Find(ctx, c, in.UID)
	if err != nil {
		return nil, err
	}
	i.other = in.Text == TextPending
	if in.Text == TextLive && lifecycle.Unpublished(i.Object) && s.isPulled(i.Object) {
		return nil, problem.Gone("the article was unpublished")
	}
	return s.full(ctx, i)
}

// isPulled reports whether the site of an article asks for what it shows: nothing is sent to it.
func (s *Articles) isPulled(a *v1alpha1.Article) bool {
	site, ok := SiteOf(s.Core, a)
	return ok && site.Spec.CMS.Type == v1alpha1.CMSNone
}

// output returns the answer with what the credential may read of an article, and its entity tag. current is nil if it has no text.
func (s *Articles) output(ctx context.Context, i Item, current *Text) (*Output, error) {
	c := operation.CallOf(ctx)
	body := readable(c, present(c, i, current))
	if r := i.Object.Status.Revision; current == nil && r != nil {
		body.StatusMessage = reason.Of(v1alpha1.ReasonRevisionMissing).Sentence
	}
	tag, err := operation.Tag(writtenTag(i.Object), body)
	if err != nil {
		return nil, err
	}
	return &Output{ETag: tag, Body: body}, nil
}

// LogEntry names the text or the article for the log.
func (out *Output) LogEntry() operation.LogEntry {
	return operation.LogEntry{Article: out.Body.UID, Digest: out.Body.RevisionDigest}
}

// ArticleTransition is something that happened to an article.
type ArticleTransition struct {
	Type     string `json:"type" enum:"ready_for_review,approved,rejected,published,failed" doc:"What it is."`
	Revision int64  `json:"revision" minimum:"1" doc:"Number of the revision that it is about; for a failed generation, of the revision that was not made."`
	At       string `json:"occurred_at" format:"date-time" doc:"When it was found to have happened."`
	By       string `json:"decided_by" doc:"Who decided; empty if nobody did, as when the site's policy approves." example:"Mara (api-key:aa3kq2vxw5ntb6ha)"`
	Message  string `json:"message" doc:"The beginning of the reviewer's note, or the reason and the cause of a failure, of at most 200 bytes; empty if there is none."`
}

// ArticleTransitions is the answer of list-article-transitions.
type ArticleTransitions struct {
	operation.Envelope
	Data []ArticleTransition `json:"data" maxItems:"12" doc:"The last ones, oldest first."`
}

// ListTransitions lists the transitions of an article.
var ListTransitions = operation.Operation[OnArticle, operation.Output[ArticleTransitions]]{
	ID: "list-article-transitions", Method: http.MethodGet, Path: articlePath + "/transitions", Tag: operation.TagEditorial,
	Scope: v1alpha1.ScopeRead, Errors: operation.ReadErrors,
}

func (s *Articles) listArticleTransitions(
	ctx context.Context, c *operation.Call, in *OnArticle,
) (*operation.Output[ArticleTransitions], error) {
	found, err := s.FindWhole(ctx, c, in.UID)
	if err != nil {
		return nil, err
	}
	out := ArticleTransitions{Envelope: operation.Succeeded, Data: []ArticleTransition{}}
	for _, t := range found.Object.Status.Transitions {
		out.Data = append(out.Data, ArticleTransition{
			Type: operation.SnakeCase(string(t.Type)), Revision: int64(t.RevisionNumber), At: operation.Milliseconds(t.Time.Time),
			By: t.By, Message: t.Message,
		})
	}
	return operation.Answer(out), nil
}
