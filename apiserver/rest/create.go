package rest

import (
	"context"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// CreateRequest is a written article.
type CreateRequest struct {
	SiteUID           SiteUID    `json:"site_uid"`
	Title             string     `json:"title" minLength:"1" maxLength:"300" example:"Trail running shoes"`
	ContentMarkdown   string     `json:"content_markdown" minLength:"1" maxLength:"262144" doc:"Without the title; at most 262144 bytes."`
	Slug              Slug       `json:"slug,omitempty" doc:"Made from the title where there is none."`
	MetaTitle         string     `json:"meta_title,omitempty" maxLength:"300"`
	MetaDescription   string     `json:"meta_description,omitempty" maxLength:"1000"`
	FAQ               []Question `json:"faq,omitempty" nullable:"false" maxItems:"50"`
	TargetKeyword     string     `json:"target_keyword,omitempty" minLength:"2" maxLength:"200" doc:"What the score looks for."`
	SecondaryKeywords []string   `json:"secondary_keywords,omitempty" nullable:"false" maxItems:"10" minLength:"1" maxLength:"200"`
}

// CreateInput is the input of create-article.
type CreateInput struct {
	InWorkspace
	Idempotent
	Body CreateRequest
}

// Resolve checks what the schema cannot say.
func (in *CreateInput) Resolve(ctx huma.Context) []error {
	errs := append(checkSite(ctx, in.Workspace, in.Body.SiteUID), emptyKey(ctx)...)
	errs = append(errs, checkBody(in.Body.ContentMarkdown)...)
	if in.Body.TargetKeyword == "" && len(in.Body.SecondaryKeywords) > 0 {
		errs = append(errs, withoutKeyword("secondary_keywords"))
	}
	return errs
}

// checkBody checks the size of a body in bytes: the schema counts characters.
func checkBody(markdown string) []error {
	if len(markdown) <= v1alpha1.MaxMarkdownBytes {
		return nil
	}
	message := fmt.Sprintf("must be at most %d bytes", v1alpha1.MaxMarkdownBytes)
	return []error{&huma.ErrorDetail{Location: "body.content_markdown", Message: message}}
}

func withoutKeyword(field string) error {
	return &huma.ErrorDetail{Location: "body." + field, Message: "needs a target_keyword"}
}

func (s *service) registerCreate() {
	op := s.operation(http.MethodPost, "/v1/api/blogs", "create-article", v1alpha1.ScopeWrite, creating...)
	op.Summary = "Create a written article"
	op.Description = "The author's own text, which waits for review like a generated one. Takes no credit."
	op.DefaultStatus = http.StatusCreated
	handle(s, op, s.createArticle)
}

func (s *service) createArticle(ctx context.Context, c *call, in *CreateInput) (*ArticleOutput, error) {
	site, ok := c.site(c.workspace, in.Body.SiteUID)
	if !ok {
		return nil, invalid(unknownSite())
	}
	made, err := in.creation(c.workspace, "create", in.Body)
	if err != nil {
		return nil, err
	}
	a := s.newArticle(ctx, c, made, site)
	in.Body.write(&a.Spec)
	err = s.articles.create(ctx, a)
	if apierrors.IsAlreadyExists(err) {
		a, err = s.earlier(ctx, client.ObjectKeyFromObject(a), made)
	}
	if err != nil {
		return nil, creationFailure(err)
	}
	return s.full(ctx, liveItem(a, s.Clock.Now()))
}

// write puts the text into an article. A keyword beside a text starts no generator: the score looks for it.
func (r *CreateRequest) write(spec *v1alpha1.ArticleSpec) {
	spec.Content = &v1alpha1.ArticleContent{
		Title: r.Title, Slug: string(r.Slug), Markdown: r.ContentMarkdown, MetaTitle: r.MetaTitle, MetaDescription: r.MetaDescription,
	}
	for _, q := range r.FAQ {
		spec.Content.FAQ = append(spec.Content.FAQ, v1alpha1.FAQ(q))
	}
	if r.TargetKeyword != "" {
		spec.Generate = &v1alpha1.GenerateRequest{Keyword: r.TargetKeyword, SecondaryKeywords: r.SecondaryKeywords}
	}
}
