package rest

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"k8s.io/utils/ptr"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// EditRequest changes the fields that it names and leaves the others as they are.
type EditRequest struct {
	Title             *string    `json:"title,omitempty" minLength:"1" maxLength:"300"`
	Slug              *Slug      `json:"slug,omitempty"`
	ContentMarkdown   *string    `json:"content_markdown,omitempty" minLength:"1" maxLength:"262144" doc:"At most 262144 bytes."`
	MetaTitle         *string    `json:"meta_title,omitempty" minLength:"1" maxLength:"300"`
	MetaDescription   *string    `json:"meta_description,omitempty" minLength:"1" maxLength:"1000"`
	FAQ               []Question `json:"faq,omitempty" maxItems:"50" doc:"Replaces the whole FAQ; an empty list removes it."`
	TargetKeyword     *string    `json:"target_keyword,omitempty" minLength:"2" maxLength:"200" doc:"Another one makes a new text."`
	SecondaryKeywords []string   `json:"secondary_keywords,omitempty" maxItems:"10" minLength:"1" maxLength:"200"`
	Tone              *string    `json:"tone,omitempty" maxLength:"200" doc:"Another one makes a new text."`
	Digest            Digest     `json:"digest,omitempty" doc:"revision_digest of the text that you read: 409 if there is another by now."`
}

// EditInput is the input of edit-article.
type EditInput struct {
	OnArticle
	IfMatch
	Body EditRequest
}

// Resolve checks what the schema cannot express.
func (in *EditInput) Resolve(huma.Context) []error {
	return checkMarkdown(ptr.Deref(in.Body.ContentMarkdown, ""))
}

var faqPolicy = []string{"spec", "content", "faqPolicy"}

// contentConcern lists the fields that edit-article may own.
var contentConcern = [][]string{
	{"spec", "content", "title"}, {"spec", "content", "slug"}, {"spec", "content", "markdown"},
	{"spec", "content", "metaTitle"}, {"spec", "content", "metaDescription"}, {"spec", "content", "faq"}, faqPolicy,
	{"spec", "generate"},
}

func (s *service) registerEdit() {
	g := s.group(tagArticles, v1alpha1.ScopeWrite)
	op := s.operation(http.MethodPatch, "/v1/api/blogs/{uid}", "edit-article", editing...)
	op.Summary = "Edit an article"
	op.Description = "Changed text is in review again. A published article no longer changes."
	handle(g, op, s.editArticle)
}

func (s *service) editArticle(ctx context.Context, c *call, in *EditInput) (*ArticleOutput, error) {
	return s.edit(ctx, c, in.UID, fieldEdit{
		manager: managerContent,
		concern: contentConcern,
		must:    precondition{in.IfMatch.IfMatch, string(in.Body.Digest)},
		decide: func(a *v1alpha1.Article) ([]assignment, error) {
			if a.Spec.Generate == nil && in.Body.TargetKeyword == nil {
				if err := in.Body.needsKeyword(); err != nil {
					return nil, err
				}
			}
			changes := in.Body.assignments(a)
			if err := s.editable(a, changes); err != nil {
				return nil, err
			}
			if in.Body.FAQ != nil && len(changes) > 0 {
				if err := keptInManifest(a.ManagedFields, managerContent, []string{".spec.content.faq"}); err != nil {
					return nil, err
				}
			}
			if err := s.roomForEdit(ctx, c, in.Body.longer(a)); err != nil {
				return nil, err
			}
			return s.completed(ctx, a, &in.Body, changes)
		},
	})
}

// editable returns a conflict if something is to change and the text may not.
func (s *service) editable(a *v1alpha1.Article, changes []assignment) error {
	if len(changes) == 0 {
		return nil
	}
	return s.possible(a, lifecycle.ActionEdit)
}

// edit makes an edit and returns the article after it.
func (s *service) edit(ctx context.Context, c *call, uid string, e fieldEdit) (*ArticleOutput, error) {
	key, err := s.locate(c, uid)
	if err != nil {
		return nil, err
	}
	decide := e.decide
	e.decide = func(a *v1alpha1.Article) ([]assignment, error) {
		if err := s.check(ctx, a, e.must); err != nil {
			return nil, err
		}
		return decide(a)
	}
	a, err := s.articles.apply(ctx, key, e)
	if err != nil {
		return nil, err
	}
	linkTrace(ctx, a)
	if c.local {
		s.awaitIndexed(ctx, a)
	}
	return s.full(ctx, liveItem(a, s.Clock.Now()))
}

// indexedWithin bounds how long a page waits for its own write.
const indexedWithin = 2 * time.Second

// awaitIndexed waits for a moment until the index has what was written: the page that follows shows it.
func (s *service) awaitIndexed(ctx context.Context, a *v1alpha1.Article) {
	ctx, cancel := context.WithTimeout(ctx, indexedWithin)
	defer cancel()
	s.Index.Await(ctx, a.Namespace, liveItem(a, s.Clock.Now()).UID, a.ResourceVersion)
}

func (r *EditRequest) needsKeyword() error {
	if r.SecondaryKeywords != nil {
		return problem.Invalid(keywordMissing("secondary_keywords"))
	}
	if r.Tone != nil {
		return problem.Invalid(keywordMissing("tone"))
	}
	return nil
}

// longer returns by how many bytes the request makes the author's text longer.
func (r *EditRequest) longer(a *v1alpha1.Article) int64 {
	var old, edited v1alpha1.ArticleContent
	if a.Spec.Content != nil {
		old = *a.Spec.Content
	}
	edited = old
	edited.Title = ptr.Deref(r.Title, old.Title)
	edited.Markdown = ptr.Deref(r.ContentMarkdown, old.Markdown)
	edited.MetaTitle = ptr.Deref(r.MetaTitle, old.MetaTitle)
	edited.MetaDescription = ptr.Deref(r.MetaDescription, old.MetaDescription)
	if len(r.FAQ) > 0 {
		edited.FAQ = nil
		for _, q := range r.FAQ {
			edited.FAQ = append(edited.FAQ, v1alpha1.FAQ(q))
		}
	}
	return edited.TextBytes() - old.TextBytes()
}

// assignments returns the fields of the article that the request changes.
func (r *EditRequest) assignments(a *v1alpha1.Article) []assignment {
	var content v1alpha1.ArticleContent
	if a.Spec.Content != nil {
		content = *a.Spec.Content
	}
	var out []assignment
	for _, f := range []struct {
		wanted  *string
		current string
		path    []string
	}{
		{r.Title, content.Title, []string{"spec", "content", "title"}},
		{(*string)(r.Slug), content.Slug, []string{"spec", "content", "slug"}},
		{r.ContentMarkdown, content.Markdown, []string{"spec", "content", "markdown"}},
		{r.MetaTitle, content.MetaTitle, []string{"spec", "content", "metaTitle"}},
		{r.MetaDescription, content.MetaDescription, []string{"spec", "content", "metaDescription"}},
	} {
		if f.wanted != nil && *f.wanted != f.current {
			out = append(out, assignment{f.path, *f.wanted})
		}
	}
	out = append(out, r.faqAssignments(content)...)
	if generate := r.generateOf(a); lifecycle.RequestHash(generate) != lifecycle.RequestHash(a.Spec.Generate) {
		out = append(out, assignment{[]string{"spec", "generate"}, structValue(generate)})
	}
	return out
}

// generateOf returns spec.generate after the edit.
func (r *EditRequest) generateOf(a *v1alpha1.Article) *v1alpha1.GenerateRequest {
	if r.TargetKeyword == nil && r.Tone == nil && r.SecondaryKeywords == nil {
		return a.Spec.Generate
	}
	generate := ptr.Deref(a.Spec.Generate, v1alpha1.GenerateRequest{})
	assign(&generate.Keyword, r.TargetKeyword)
	assign(&generate.Tone, r.Tone)
	if r.SecondaryKeywords != nil {
		generate.SecondaryKeywords = r.SecondaryKeywords
	}
	return &generate
}

// faqAssignments change the FAQ. An empty one leaves content.faq as it is, because a field that another manager owns cannot be removed.
func (r *EditRequest) faqAssignments(content v1alpha1.ArticleContent) []assignment {
	none := content.FAQPolicy == v1alpha1.FAQNone
	same := slices.EqualFunc(r.FAQ, content.FAQ, func(a Question, b v1alpha1.FAQ) bool { return v1alpha1.FAQ(a) == b })
	switch {
	case r.FAQ == nil, len(r.FAQ) == 0 && none, len(r.FAQ) > 0 && same && !none:
		return nil
	case len(r.FAQ) == 0:
		return []assignment{{faqPolicy, string(v1alpha1.FAQNone)}}
	}
	out := []assignment{{[]string{"spec", "content", "faq"}, faqValue(r.FAQ)}}
	if none {
		out = append(out, assignment{faqPolicy, string(v1alpha1.FAQGenerated)})
	}
	return out
}

func faqValue(questions []Question) []any {
	out := make([]any, 0, len(questions))
	for _, q := range questions {
		out = append(out, map[string]any{"question": q.Question, "answer": q.Answer})
	}
	return out
}
