package article

import (
	"context"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// OnArticle is embedded in the input of every operation on one article.
type OnArticle struct {
	operation.InWorkspace
	UID string `path:"uid" doc:"The article's uid." example:"0198f0a1-b2c3-7d4e-95f6-a7b8c9d0e1f2"`
}

// GetArticleInput is the input of get-article.
type GetArticleInput struct {
	OnArticle
	Text string `query:"text" enum:"live,pending" default:"live" doc:"Of a published article, the text that its site has, or the other one, if there is one."`
}

// Output is a full article as an answer.
type Output struct {
	ETag string `header:"ETag" doc:"Names this state of the article. If-Match takes it until people or the generator write another one."`
	Body Article
}

func (s *Articles) getArticle(ctx context.Context, c *operation.Call, in *GetArticleInput) (*Output, error) {
	i, err := s.Find(ctx, c, in.UID)
	if err != nil {
		return nil, err
	}
	i.other = in.Text == "pending"
	return s.full(ctx, i)
}

// output returns the answer with what the credential may read of an article, and its entity tag. current is nil if it has no text.
func (s *Articles) output(ctx context.Context, i Item, current *Text) (*Output, error) {
	c := operation.CallOf(ctx)
	body := readable(c, present(c, i, current))
	if r := i.Object.Status.Revision; current == nil && r != nil {
		body.StatusMessage = sentences[v1alpha1.ReasonRevisionMissing]
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
