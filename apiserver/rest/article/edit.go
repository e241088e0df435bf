package article

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/utils/ptr"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/jsonbody"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/apiserver/rest/patch"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// UpdateArticleRequest changes the fields that it names and leaves the others as they are. null clears a field: it is then what the text
// gives.
type UpdateArticleRequest struct {
	Title             *string                         `json:"title,omitempty" minLength:"1" maxLength:"300" doc:"Title of the article, which is not part of the body."`
	Slug              patch.Member[Slug]              `json:"slug,omitzero" doc:"Part of the address of the post that names the article."`
	ContentMarkdown   patch.Member[string]            `json:"content_markdown,omitzero" minLength:"1" maxLength:"262144" doc:"At most 262144 bytes. null gives the generated text back."`
	MetaTitle         patch.Member[string]            `json:"meta_title,omitzero" minLength:"1" maxLength:"300" doc:"For the title element of HTML."`
	MetaDescription   patch.Member[string]            `json:"meta_description,omitzero" minLength:"1" maxLength:"1000" doc:"For the meta element description of HTML."`
	FAQ               patch.Member[[]FAQEntryRequest] `json:"faq,omitzero" maxItems:"50" doc:"Replaces the whole FAQ; an empty list removes it, and null gives the generated one back."`
	Tags              patch.Member[Tags]              `json:"tags,omitzero" doc:"Replaces all tags; null or an empty list removes them."`
	Category          patch.Member[Name]              `json:"category,omitzero" doc:"Of the post in the CMS; null removes it."`
	Author            patch.Member[Name]              `json:"author,omitzero" doc:"One of the site's authors."`
	Image             patch.Member[Image]             `json:"image,omitzero" doc:"The featured image of the post; null removes it."`
	TargetKeyword     *string                         `json:"target_keyword,omitempty" minLength:"2" maxLength:"200" doc:"Another one makes a new text."`
	SecondaryKeywords patch.Member[[]string]          `json:"secondary_keywords,omitzero" maxItems:"10" minLength:"1" maxLength:"200" doc:"What the text should cover beside the target keyword."`
	Tone              patch.Member[string]            `json:"tone,omitzero" maxLength:"200" doc:"Another one makes a new text."`
	Digest            Digest                          `json:"digest,omitempty" doc:"revision_digest of the text that you read: 409 if there is another by now."`
}

// UpdateInput is the input of update-article.
type UpdateInput struct {
	OnArticle
	operation.IfMatch
	Body UpdateArticleRequest
}

// Resolve checks what the schema cannot express.
func (in *UpdateInput) Resolve(huma.Context) []error {
	return checkMarkdown(in.Body.ContentMarkdown.Value)
}

// Update edits an article.
var Update = operation.Operation[UpdateInput, Output]{
	ID: "update-article", Method: http.MethodPatch, Path: articlePath, Tag: operation.TagArticles, Scope: v1alpha1.ScopeWrite,
	MaxBody: jsonbody.MaxContentBytes, Errors: operation.EditErrors,
}

func (s *Articles) edit(ctx context.Context, c *operation.Call, in *UpdateInput) (*Output, error) {
	return s.Change(ctx, c, in.UID, Guard{in.IfMatch, in.Body.Digest}, func(a *v1alpha1.Article) error {
		old := a.DeepCopy()
		if err := in.Body.apply(a); err != nil {
			return err
		}
		return s.checkEdit(ctx, c, old, a)
	})
}

// checkEdit refuses an edit of a text that may not change, that is too long for the account, or that could not become a revision.
func (s *Articles) checkEdit(ctx context.Context, c *operation.Call, old, a *v1alpha1.Article) error {
	if equality.Semantic.DeepEqual(old.Spec, a.Spec) {
		return nil
	}
	if err := s.Possible(old, lifecycle.ActionEdit); err != nil {
		return err
	}
	if !equality.Semantic.DeepEqual(old.Spec.Content, a.Spec.Content) {
		if err := s.takeRoomForEdit(ctx, c, old, copies*lifecycle.TextBytes(a)-lifecycle.TextBytes(old)); err != nil {
			return err
		}
	}
	if err := s.keepTitle(ctx, old, a); err != nil {
		return err
	}
	if err := s.checkAuthor(a); err != nil {
		return err
	}
	return checkContent(a.Spec.Content)
}

// keepTitle gives an author's body the title of the text before: a body takes nothing over from an earlier text.
func (s *Articles) keepTitle(ctx context.Context, old, a *v1alpha1.Article) error {
	c := a.Spec.Content
	if c == nil || c.Markdown == "" || c.Title != "" {
		return nil
	}
	before, err := s.revisionText(ctx, old, true)
	if err == nil && before != nil {
		c.Title = before.Document.Title
	}
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

func (r *UpdateArticleRequest) apply(a *v1alpha1.Article) error {
	c := ptr.Deref(a.Spec.Content, v1alpha1.ArticleContent{})
	c.Title = ptr.Deref(r.Title, c.Title)
	r.MetaTitle.Change(&c.MetaTitle)
	r.MetaDescription.Change(&c.MetaDescription)
	r.ContentMarkdown.Change(&c.Markdown)
	r.Slug.Change((*Slug)(&c.Slug))
	if r.Tags.Given {
		c.Tags = append([]string(nil), r.Tags.Value...)
	}
	r.Category.Change((*Name)(&c.Category))
	r.Author.Change((*Name)(&c.Author))
	if r.Image.Given {
		c.Image = r.Image.Value.spec()
	}
	r.applyFAQ(&c)
	switch {
	case !equality.Semantic.DeepEqual(c, v1alpha1.ArticleContent{}):
		a.Spec.Content = &c
	case a.Spec.Generate == nil:
		return problem.Invalid(problem.ErrorDetail{Field: "content_markdown", Message: "is required: the article has no other text"})
	default:
		a.Spec.Content = nil
	}
	return r.applyRequest(a)
}

// applyFAQ changes the FAQ: an empty one means that the article has none, null that it has the generated one.
func (r *UpdateArticleRequest) applyFAQ(c *v1alpha1.ArticleContent) {
	if !r.FAQ.Given {
		return
	}
	c.FAQ, c.FAQPolicy = nil, ""
	for _, q := range r.FAQ.Value {
		c.FAQ = append(c.FAQ, v1alpha1.FAQ(q))
	}
	if len(c.FAQ) == 0 && r.FAQ.Value != nil {
		c.FAQPolicy = v1alpha1.FAQNone
	}
}

// applyRequest changes what is asked of the generator.
func (r *UpdateArticleRequest) applyRequest(a *v1alpha1.Article) error {
	if r.TargetKeyword == nil && !r.Tone.Given && !r.SecondaryKeywords.Given {
		return nil
	}
	if a.Spec.Generate == nil && r.TargetKeyword == nil {
		field := "tone"
		if r.SecondaryKeywords.Given {
			field = "secondary_keywords"
		}
		return problem.Invalid(keywordMissing(field))
	}
	g := ptr.Deref(a.Spec.Generate, v1alpha1.GenerateRequest{})
	g.Keyword = ptr.Deref(r.TargetKeyword, g.Keyword)
	r.Tone.Change(&g.Tone)
	r.SecondaryKeywords.Change(&g.SecondaryKeywords)
	a.Spec.Generate = &g
	return nil
}

// LogEntry names the text or the article for the log.
func (in *UpdateInput) LogEntry() operation.LogEntry {
	return operation.LogEntry{Digest: string(in.Body.Digest)}
}
