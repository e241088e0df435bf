package rest

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// RevisionSummary is a revision of an article in a list.
type RevisionSummary struct {
	Number    int64      `json:"number" minimum:"1" doc:"Numbers grow; some may be missing." example:"3"`
	Current   bool       `json:"current" doc:"Whether it is the article's current text."`
	Digest    string     `json:"digest" doc:"Names the text: the revision_digest of the article while it is current."`
	Title     string     `json:"title"`
	Source    string     `json:"source" enum:"generated,edited,written" doc:"Edited if a person has changed a generated text, written if nothing of it was generated."`
	Generator *Generator `json:"generator" doc:"What wrote the text; null if an author did."`
	CreatedAt string     `json:"created_at" format:"date-time" doc:"In whole seconds."`
	SEOScore  int32      `json:"seo_score" minimum:"0" maximum:"100"`
	Review    *Review    `json:"review" doc:"The article's last decision if it was about this text, else null."`
}

// RevisionList is the answer of list-revisions.
type RevisionList struct {
	Envelope
	Data []RevisionSummary `json:"data" maxItems:"7"`
}

// Revision is the whole text of a revision.
type Revision struct {
	Envelope
	RevisionSummary
	Slug            string     `json:"slug" doc:"As the text proposes it; empty if it does not. The slug in use is the article's."`
	ContentMarkdown string     `json:"content_markdown" doc:"Body without the title."`
	ContentHTML     string     `json:"content_html" doc:"Body as sanitised HTML, made from content_markdown."`
	MetaTitle       string     `json:"meta_title"`
	MetaDescription string     `json:"meta_description"`
	FAQ             []FAQEntry `json:"faq" doc:"Not part of the body."`
	Scores          Scores     `json:"scores"`
}

type (
	// ListRevisionsInput is the input of list-revisions.
	ListRevisionsInput struct{ OnArticle }
	// ListRevisionsOutput is the answer of list-revisions.
	ListRevisionsOutput struct{ Body RevisionList }

	// GetRevisionInput is the input of get-revision.
	GetRevisionInput struct {
		OnArticle
		Number int64 `path:"number" minimum:"1" maximum:"1000000000" doc:"The revision's number." example:"3"`
	}
	// GetRevisionOutput is the answer of get-revision.
	GetRevisionOutput struct{ Body Revision }
)

func (s *service) registerRevisions() {
	g := s.group(tagArticles, v1alpha1.ScopeRead)
	op := s.operation(http.MethodGet, "/v1/api/blogs/{uid}/revisions", "list-revisions", inWorkspace...)
	op.Summary = "List the revisions of an article"
	op.Description = "The revisions that are kept, newest first: the current text, the two before it, the first, and the " +
		"latest generated one. Others are deleted."
	handle(g, op, s.listRevisions)

	op = s.operation(http.MethodGet, "/v1/api/blogs/{uid}/revisions/{number}", "get-revision", inWorkspace...)
	op.Summary = "Get a revision of an article"
	op.Description = "The whole text of a revision that is kept. A revision never changes."
	handle(g, op, s.getRevision)
}

func (s *service) listRevisions(ctx context.Context, c *call, in *ListRevisionsInput) (*ListRevisionsOutput, error) {
	found, err := s.find(ctx, c, in.UID)
	if err != nil {
		return nil, err
	}
	out := &ListRevisionsOutput{Body: RevisionList{Envelope: succeeded, Data: []RevisionSummary{}}}
	for _, number := range lifecycle.KeptRevisions(found.Object) {
		t, err := s.texts.earlier(ctx, found.Object, number)
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

// getRevision looks for the number in the newest history if the index does not have it.
func (s *service) getRevision(ctx context.Context, c *call, in *GetRevisionInput) (*GetRevisionOutput, error) {
	found, err := s.find(ctx, c, in.UID)
	if err != nil {
		return nil, err
	}
	a, number := found.Object, int32(in.Number) //nolint:gosec // The parameter has the maximum of the field.
	if !slices.Contains(lifecycle.KeptRevisions(a), number) && number <= a.Status.LastRevisionNumber {
		return nil, problem.NotFound("revision")
	}
	t, err := s.texts.earlier(ctx, a, number)
	if err != nil {
		return nil, err
	}
	if t == nil {
		return nil, problem.NotFound("revision")
	}
	d := t.document
	return &GetRevisionOutput{Body: Revision{
		Envelope: succeeded, RevisionSummary: presentRevision(a, t), Slug: d.Slug, ContentMarkdown: d.Markdown, ContentHTML: t.html,
		MetaTitle: d.MetaTitle, MetaDescription: d.MetaDescription, FAQ: presentFAQ(d.FAQ), Scores: presentScores(*t.scores),
	}}, nil
}

func presentRevision(a *v1alpha1.Article, t *text) RevisionSummary {
	out := RevisionSummary{
		Number: int64(t.number), Digest: t.digest, Title: t.document.Title, Source: strings.ToLower(string(t.source)),
		Generator: presentGenerator(t.generator), CreatedAt: milliseconds(t.created), SEOScore: t.scores.SEOScore,
	}
	current := a.Status.Revision
	out.Current = current != nil && current.Number == t.number
	if review := a.Spec.Review; review != nil && (review.Digest == t.digest || review.Digest == "" && out.Current) {
		out.Review = presentReview(review)
	}
	return out
}
