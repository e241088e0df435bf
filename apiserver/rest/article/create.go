package article

import (
	"cmp"
	"context"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"go.opentelemetry.io/otel/trace"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/jsonbody"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/maker"
	"github.com/pressroom-dev/pressroom/internal/tracing"
)

// PreviewRequest is a text that a person has written.
type PreviewRequest struct {
	SiteUID           operation.SiteUID `json:"site_uid"`
	Title             string            `json:"title" minLength:"1" maxLength:"300" doc:"Title of the article, which is not part of the body." example:"Trail running shoes"`
	ContentMarkdown   string            `json:"content_markdown" minLength:"1" maxLength:"262144" doc:"Without the title; at most 262144 bytes."`
	Slug              Slug              `json:"slug,omitempty" doc:"Made from the title if absent."`
	MetaTitle         string            `json:"meta_title,omitempty" maxLength:"300" doc:"For the title element of HTML."`
	MetaDescription   string            `json:"meta_description,omitempty" maxLength:"1000" doc:"For the meta element description of HTML."`
	FAQ               []FAQEntryRequest `json:"faq,omitempty" maxItems:"50" doc:"Questions with their answers. They are not part of the body."`
	Tags              Tags              `json:"tags,omitempty" doc:"Of the post."`
	Category          Name              `json:"category,omitempty" doc:"Of the post in the CMS."`
	Author            Name              `json:"author,omitempty" doc:"One of the site's authors."`
	Image             Image             `json:"image,omitzero" doc:"The featured image of the post."`
	TargetKeyword     string            `json:"target_keyword,omitempty" minLength:"2" maxLength:"200" doc:"What the score looks for."`
	SecondaryKeywords []string          `json:"secondary_keywords,omitempty" maxItems:"10" minLength:"1" maxLength:"200" doc:"What the text should cover beside the target keyword."`
}

// CreateArticleRequest is a written article.
type CreateArticleRequest struct {
	PreviewRequest
	Draft bool `json:"draft,omitempty" doc:"Keeps the article out of review until it is submitted or published."`
}

// CreateInput is the input of create-article.
type CreateInput struct {
	operation.InWorkspace
	operation.Idempotent
	Body CreateArticleRequest

	site *v1alpha1.Site
}

// Resolve checks what the schema cannot express.
func (in *CreateInput) Resolve(ctx huma.Context) (errs []error) {
	in.site, errs = operation.SiteOf(ctx, in.Workspace, in.Body.SiteUID)
	return append(errs, in.Body.Check()...)
}

// Check returns what the schema cannot express of a text.
func (r *PreviewRequest) Check() []error {
	errs := checkMarkdown(r.ContentMarkdown)
	if r.TargetKeyword == "" && len(r.SecondaryKeywords) > 0 {
		missing := keywordMissing("secondary_keywords")
		errs = append(errs, &huma.ErrorDetail{Location: "body." + missing.Field, Message: missing.Message})
	}
	return errs
}

// checkMarkdown checks the size of a text in bytes: the schema counts characters.
func checkMarkdown(markdown string) []error {
	if len(markdown) <= v1alpha1.MaxMarkdownBytes {
		return nil
	}
	long := mustBeShorter()
	return []error{&huma.ErrorDetail{Location: "body." + long.Field, Message: long.Message}}
}

// mustBeShorter is the detail of a text of too many bytes.
func mustBeShorter() problem.ErrorDetail {
	message := fmt.Sprintf("must be at most %d bytes", v1alpha1.MaxMarkdownBytes)
	return problem.ErrorDetail{Field: "content_markdown", Message: message}
}

// keywordMissing is the detail of a field that makes sense with a target_keyword only.
func keywordMissing(field string) problem.ErrorDetail {
	return problem.ErrorDetail{Field: field, Message: "must come with a target_keyword"}
}

// Create stores a text that a person has written.
var Create = operation.Operation[CreateInput, Output]{
	ID: "create-article", Method: http.MethodPost, Path: articlesPath, Tag: operation.TagArticles, Scope: v1alpha1.ScopeWrite,
	Status: http.StatusCreated, MaxBody: jsonbody.MaxContentBytes, Errors: operation.CreateErrors,
}

func (s *Articles) createArticle(ctx context.Context, c *operation.Call, in *CreateInput) (*Output, error) {
	if in.site == nil {
		return nil, problem.Invalid(operation.UnknownSite())
	}
	request, err := in.Request(c.Workspace, "create", in.Body)
	if err != nil {
		return nil, err
	}
	a := s.New(ctx, c, request, in.site)
	in.Body.Write(&a.Spec)
	maker.RecordEditor(a, personOf(c.Principal), 0)
	if in.Body.Draft {
		a.Spec.Stage = v1alpha1.StageDraft
	}
	textBytes := lifecycle.TextBytes(a)
	places, err := s.RoomForArticle(ctx, c, request, copies*textBytes)
	if err != nil {
		return nil, err
	}
	err = cmp.Or(checkContent(a.Spec.Content), s.checkAuthor(a))
	if err == nil {
		err = c.TakeBytes(ctx, writes*textBytes)
	}
	if err == nil {
		a, err = s.CreateOnce(ctx, a, request)
	}
	c.Settle(places, err)
	if err != nil {
		return nil, operation.CreationProblem(err)
	}
	if a == nil {
		return nil, problem.Conflict(problem.ReasonGone, "the article that was created with this Idempotency-Key does not exist anymore")
	}
	return s.created(ctx, c, a)
}

// Write puts the text into an article. A keyword beside a text starts no run: the score looks for it.
func (r *PreviewRequest) Write(spec *v1alpha1.ArticleSpec) {
	spec.Content = &v1alpha1.ArticleContent{
		Title: r.Title, Slug: string(r.Slug), Markdown: r.ContentMarkdown, MetaTitle: r.MetaTitle, MetaDescription: r.MetaDescription,
		Tags: r.Tags, Category: string(r.Category), Author: string(r.Author), Image: r.Image.spec(),
	}
	for _, q := range r.FAQ {
		spec.Content.FAQ = append(spec.Content.FAQ, v1alpha1.FAQ(q))
	}
	if r.TargetKeyword != "" {
		spec.Generate = &v1alpha1.GenerateRequest{Keyword: r.TargetKeyword, SecondaryKeywords: r.SecondaryKeywords}
	}
}

// New returns an article as the REST API creates it: at the site's default stage, and with the request's trace.
func (s *Articles) New(ctx context.Context, c *operation.Call, request operation.Request, site *v1alpha1.Site) *v1alpha1.Article {
	a := &v1alpha1.Article{
		ObjectMeta: metav1.ObjectMeta{Namespace: c.Workspace, Name: request.Name},
		Spec:       v1alpha1.ArticleSpec{SiteRef: v1alpha1.LocalReference{Name: site.Name}, Stage: DefaultStage(site)},
	}
	metav1.SetMetaDataAnnotation(&a.ObjectMeta, v1alpha1.CreatedByAnnotation, c.Principal.Actor())
	request.Mark(&a.ObjectMeta)
	if request.Hash != "" {
		// The name is no UUIDv7, which would have the time.
		metav1.SetMetaDataAnnotation(&a.ObjectMeta, v1alpha1.CreatedAtAnnotation, operation.Milliseconds(s.Clock.Now()))
	}
	trace.SpanFromContext(ctx).SetAttributes(
		tracing.Workspace.String(a.Namespace), tracing.Article.String(a.Name), tracing.Site.String(site.Name))
	tracing.Inject(ctx, a)
	return a
}

// DefaultStage returns the stage at which the REST API creates the articles of a site.
func DefaultStage(site *v1alpha1.Site) v1alpha1.ArticleStage {
	return v1alpha1.ArticleStage(cmp.Or(site.Spec.Publishing.DefaultStage, v1alpha1.DefaultStageReview))
}
