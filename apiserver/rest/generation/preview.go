package generation

import (
	"context"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/jsonbody"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// TextPreview is what a text would be if it were stored.
type TextPreview struct {
	operation.Envelope
	Title           string `json:"title" doc:"Title of the article, which is not part of the body."`
	Slug            string `json:"slug" doc:"As the text proposes it; empty if it does not."`
	ContentMarkdown string `json:"content_markdown" doc:"Body without the title, as it would be stored."`
	article.Content
	Words int `json:"words" minimum:"0" doc:"Words of the body."`
}

// PreviewInput is the input of preview-text.
type PreviewInput struct {
	operation.InWorkspace
	Body article.PreviewRequest

	site *v1alpha1.Site
}

// Resolve checks what the schema cannot express.
func (in *PreviewInput) Resolve(ctx huma.Context) (errs []error) {
	in.site, errs = operation.SiteOf(ctx, in.Workspace, in.Body.SiteUID)
	return append(errs, in.Body.Check()...)
}

// Preview shows what would be stored of a text. A preview is only of use to those who write, and takes the time of a large body.
var Preview = operation.Operation[PreviewInput, operation.Output[TextPreview]]{
	ID: "preview-text", Method: http.MethodPost, Path: "/v1/api/preview", Tag: operation.TagArticles, Scope: v1alpha1.ScopeWrite,
	MaxBody: jsonbody.MaxContentBytes, WritesNothing: true, Errors: append([]int{http.StatusNotFound}, operation.BodyErrors...),
}

func (s *Service) preview(ctx context.Context, c *operation.Call, in *PreviewInput) (*operation.Output[TextPreview], error) {
	if in.site == nil {
		return nil, problem.Invalid(operation.UnknownSite())
	}
	end, err := c.Turn(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	var spec v1alpha1.ArticleSpec
	in.Body.Write(&spec)
	d, err := revision.Compose(content.Document{}, spec.Content, revision.Language(in.site))
	if err != nil {
		return nil, article.ContentProblem(err)
	}
	html, err := content.HTML(d.Markdown)
	if err != nil {
		return nil, article.ContentProblem(err)
	}
	checked := revision.WrittenInput(spec.Generate, in.site)
	checked.Document = d
	report := check.Run(checked)
	scores := revision.Scores(report)
	shown := article.PresentContent(d, html, &scores)
	for i, c := range shown.Scores.Checks {
		at := slices.IndexFunc(report.Findings, func(f check.Finding) bool { return f.Check == c.Name })
		shown.Scores.Checks[i].Passages = report.Findings[at].Passages
	}
	return operation.Answer(TextPreview{
		Envelope: operation.Succeeded, Title: d.Title, Slug: d.Slug, ContentMarkdown: d.Markdown, Content: shown, Words: report.Words,
	}), nil
}
