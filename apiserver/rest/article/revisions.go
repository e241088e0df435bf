package article

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/maker"
)

// ArticleRevisionSummary is a revision of an article in a list.
type ArticleRevisionSummary struct {
	Number    int64          `json:"number" minimum:"1" doc:"Numbers grow; some may be missing." example:"3"`
	Current   bool           `json:"current" doc:"Whether it is the article's current text."`
	Live      bool           `json:"live" doc:"Whether it is the text that the site has."`
	Digest    string         `json:"digest" doc:"Names the text: the revision_digest of the article while it is current."`
	Title     string         `json:"title" doc:"Title of the article, which is not part of the body."`
	Source    string         `json:"source" enum:"generated,edited,written" doc:"Edited if a person has changed a generated text, written if nothing of it was generated."`
	Generator *TextGenerator `json:"generator" doc:"What wrote the text; null if an author did."`
	TextMaker
	CreatedAt string `json:"created_at" format:"date-time" doc:"In whole seconds."`
	SEOScore  int32  `json:"seo_score" minimum:"0" maximum:"100" doc:"Score of the group seo."`

	UnsupportedClaims *int32 `json:"unsupported_claims" minimum:"0" maximum:"1000" doc:"How many of its claims its brief does not support; null without a brief."`

	Review *ArticleReview `json:"review" doc:"The article's last decision if it was about this text, else null."`
}

// ArticleRevisionList is the answer of list-revisions.
type ArticleRevisionList struct {
	operation.Envelope
	Data []ArticleRevisionSummary `json:"data" maxItems:"7" doc:"What the answer is about."`
}

// ArticleRevision is the whole text of a revision.
type ArticleRevision struct {
	operation.Envelope
	ArticleRevisionSummary
	Slug            string `json:"slug" doc:"As the text proposes it; empty if it does not. The slug in use is the article's."`
	ContentMarkdown string `json:"content_markdown" doc:"Body without the title."`
	Content
	Grounding
}

type (
	// OnRevision is embedded in the input of every operation on one revision. The framework reads only embedded types that are exported.
	OnRevision struct {
		OnArticle
		Number int64 `path:"number" minimum:"1" maximum:"1000000000" doc:"The revision's number." example:"3"`
	}
	// RestoreRevisionInput is the input of restore-revision.
	RestoreRevisionInput struct {
		OnRevision
		operation.IfMatch
		Body *operation.NoRequest
	}
)

// ListRevisions lists the texts of an article.
var ListRevisions = operation.Operation[OnArticle, operation.Output[ArticleRevisionList]]{
	ID: "list-revisions", Method: http.MethodGet, Path: revisionsPath, Tag: operation.TagArticles, Scope: v1alpha1.ScopeRead,
	Errors: operation.ReadErrors,
}

func (s *Articles) listRevisions(ctx context.Context, c *operation.Call, in *OnArticle) (*operation.Output[ArticleRevisionList], error) {
	found, err := s.Find(ctx, c, in.UID)
	if err != nil {
		return nil, err
	}
	out := operation.Answer(ArticleRevisionList{Envelope: operation.Succeeded, Data: []ArticleRevisionSummary{}})
	for _, number := range lifecycle.KeptRevisions(found.Object) {
		t, err := s.earlier(ctx, found.Object, number)
		if err != nil {
			return nil, err
		}
		// One that was deleted by hand, or since the index has seen the article, is left out.
		if t != nil {
			out.Body.Data = append(out.Body.Data, presentRevision(found.Object, t))
		}
	}
	return out, nil
}

// kept returns an article with the text of one of its revisions. It looks for the number in the newest history if the index does not have
// it.
func (s *Articles) kept(ctx context.Context, c *operation.Call, in OnRevision) (*v1alpha1.Article, *Text, error) {
	found, err := s.Find(ctx, c, in.UID)
	if err != nil {
		return nil, nil, err
	}
	a, number := found.Object, int32(in.Number) //nolint:gosec // The parameter has the maximum of the field.
	if !slices.Contains(lifecycle.KeptRevisions(a), number) && number <= a.Status.LastRevisionNumber {
		return nil, nil, problem.NotFound("revision")
	}
	t, err := s.earlier(ctx, a, number)
	if err == nil && t == nil {
		err = problem.NotFound("revision")
	}
	return a, t, err
}

// RestoreRevision gives an article an earlier text back.
var RestoreRevision = operation.Operation[RestoreRevisionInput, Output]{
	ID: "restore-revision", Method: http.MethodPost, Path: revisionPath + "/restore", Tag: operation.TagArticles,
	Scope: v1alpha1.ScopeWrite, Errors: operation.EditErrors,
}

// restoreRevision writes the text of a revision into the manifest. A generated text that nothing lies over is the latest one again.
func (s *Articles) restoreRevision(ctx context.Context, c *operation.Call, in *RestoreRevisionInput) (*Output, error) {
	_, t, err := s.kept(ctx, c, in.OnRevision)
	if err != nil {
		return nil, err
	}
	return s.Change(ctx, c, in.UID, Guard{IfMatch: in.IfMatch}, func(a *v1alpha1.Article) error {
		old, d := a.DeepCopy(), t.Document
		a.Spec.Content = &v1alpha1.ArticleContent{
			Title: d.Title, Slug: d.Slug, Markdown: d.Markdown, MetaTitle: d.MetaTitle, MetaDescription: d.MetaDescription, FAQ: d.FAQ,
			Tags: d.Tags, Category: d.Category, Author: d.Author,
		}
		if d.Image != nil {
			a.Spec.Content.Image = &d.Image.ArticleImage
		}
		switch {
		case a.Spec.Generate != nil && t.source == v1alpha1.SourceGenerated && t.number == lifecycle.GeneratedNumber(a):
			a.Spec.Content = nil
		case len(d.FAQ) == 0:
			a.Spec.Content.FAQPolicy = v1alpha1.FAQNone
		}
		if !equality.Semantic.DeepEqual(old.Spec.Content, a.Spec.Content) {
			maker.RecordEditor(a, personOf(c.Principal), t.number)
		}
		return s.checkEdit(ctx, c, old, a)
	})
}

// GetRevision returns a text of an article.
var GetRevision = operation.Operation[OnRevision, operation.Output[ArticleRevision]]{
	ID: "get-revision", Method: http.MethodGet, Path: revisionPath, Tag: operation.TagArticles, Scope: v1alpha1.ScopeRead,
	Errors: operation.ReadErrors,
}

// getRevision returns the whole text of a revision.
func (s *Articles) getRevision(ctx context.Context, c *operation.Call, in *OnRevision) (*operation.Output[ArticleRevision], error) {
	a, t, err := s.kept(ctx, c, *in)
	if err != nil {
		return nil, err
	}
	return operation.Answer(ArticleRevision{
		Envelope: operation.Succeeded, ArticleRevisionSummary: presentRevision(a, t), Slug: t.Document.Slug,
		ContentMarkdown: t.Document.Markdown, Content: PresentContent(t.Document, t.html, t.scores),
		Grounding: presentGrounding(s.Core, c.Workspace, t),
	}), nil
}

func presentRevision(a *v1alpha1.Article, t *Text) ArticleRevisionSummary {
	out := ArticleRevisionSummary{
		Number: int64(t.number), Digest: t.Digest, Title: t.Document.Title, Source: strings.ToLower(string(t.source)),
		Generator: presentGenerator(t.generator), TextMaker: presentMaker(t.madeBy), CreatedAt: operation.Milliseconds(t.created),
		SEOScore:          t.scores.SEOScore,
		UnsupportedClaims: unsupported(a, t),
	}
	current := a.Status.Revision
	out.Current = current != nil && current.Number == t.number
	out.Live = t.Digest == lifecycle.LiveDigest(a)
	if review := a.Spec.Review; review != nil && (review.Digest == t.Digest || review.Digest == "" && out.Current) {
		out.Review = presentReview(review)
	}
	return out
}
