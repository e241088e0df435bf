package rest

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// ListArticlesInput is the input of list-articles.
type ListArticlesInput struct {
	InWorkspace
	Limit   int     `query:"limit" minimum:"1" maximum:"100" default:"20" doc:"Articles on a page."`
	Cursor  Cursor  `query:"cursor"`
	SiteUID SiteUID `query:"site_uid" doc:"Only articles of this site."`
	Status  string  `query:"status" enum:"draft,generating,review,approved,rejected,scheduled,published,failed,archived" doc:"Only these."`
}

// ListArticlesOutput is the answer of list-articles.
type ListArticlesOutput struct{ Body ArticlePage }

// Resolve checks what the schema cannot express. The framework reports its errors together with those of the schema.
func (in *ListArticlesInput) Resolve(huma.Context) []error {
	if in.SiteUID == "" || identity.IsUID(string(in.SiteUID)) {
		return nil
	}
	return []error{&huma.ErrorDetail{Location: "query.site_uid", Message: "must be the uid of a site"}}
}

func (s *service) registerLists() {
	g := s.group(tagArticles, v1alpha1.ScopeRead)
	op := s.operation(http.MethodGet, "/v1/api/blogs", "list-articles", inWorkspace...)
	op.Summary = "List articles"
	op.Description = "The articles of a workspace, newest first. Repeat with nextCursor until hasMore is false."
	handle(g, op, s.listArticles)
}

func (s *service) listArticles(_ context.Context, c *call, in *ListArticlesInput) (*ListArticlesOutput, error) {
	filter := index.Filter{SiteUID: string(in.SiteUID), Status: phaseOf(in.Status)}
	items, more := s.Index.List(c.workspace, filter, string(in.Cursor), in.Limit)
	page := ArticlePage{Envelope: succeeded, Data: make([]ArticleSummary, 0, len(items)), HasMore: more}
	for _, i := range items {
		page.Data = append(page.Data, presentSummary(i))
	}
	if more {
		page.NextCursor = new(items[len(items)-1].ID)
	}
	return &ListArticlesOutput{Body: page}, nil
}

// phases are those that the query parameter status may name.
var phases = []v1alpha1.ArticlePhase{
	v1alpha1.PhaseDraft, v1alpha1.PhaseGenerating, v1alpha1.PhaseReview, v1alpha1.PhaseApproved, v1alpha1.PhaseRejected,
	v1alpha1.PhaseScheduled, v1alpha1.PhasePublished, v1alpha1.PhaseFailed, v1alpha1.PhaseArchived,
}

func phaseOf(status string) v1alpha1.ArticlePhase {
	i := slices.IndexFunc(phases, func(p v1alpha1.ArticlePhase) bool { return strings.EqualFold(string(p), status) })
	if i < 0 {
		return ""
	}
	return phases[i]
}
