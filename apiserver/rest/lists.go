package rest

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// ListArticlesInput is the input of list-articles.
type ListArticlesInput struct {
	InWorkspace
	Limit          int       `query:"limit" minimum:"1" maximum:"100" default:"20" doc:"Articles on a page."`
	Cursor         Cursor    `query:"cursor"`
	SiteUID        SiteUID   `query:"site_uid" doc:"Only articles of this site."`
	Status         string    `query:"status" enum:"draft,generating,review,approved,rejected,scheduled,published,failed,archived" doc:"Only these."`
	PublishedSince time.Time `query:"published_since" doc:"Only articles that were published at this time or later, the earliest first. Pass the next_published_since of the last answer to miss none." example:"2026-11-20T09:00:00.000Z"`
}

// ListArticlesOutput is the answer of list-articles.
type ListArticlesOutput struct{ Body ArticlePage }

// Resolve checks what the schema cannot express. The framework reports its errors together with those of the schema.
func (in *ListArticlesInput) Resolve(huma.Context) []error {
	var errs []error
	if in.SiteUID != "" && !identity.IsUID(string(in.SiteUID)) {
		errs = append(errs, &huma.ErrorDetail{Location: "query.site_uid", Message: "must be the uid of a site"})
	}
	if in.Cursor != "" && in.Cursor.isPublished() == in.PublishedSince.IsZero() {
		errs = append(errs, &huma.ErrorDetail{
			Location: "query.cursor", Message: "must be the nextCursor of a page of the same list: with published_since, or without it",
		})
	}
	return errs
}

func (s *service) registerLists() {
	g := s.group(tagArticles, v1alpha1.ScopeRead)
	op := s.operation(http.MethodGet, "/v1/api/blogs", "list-articles", inWorkspace...)
	op.Summary = "List articles"
	op.Description = "The articles of a workspace, newest first. Repeat with nextCursor until hasMore is false. With published_since the " +
		"articles that have been published, archived ones too, by published_at, the earliest first."
	handle(g, op, s.listArticles)
}

func (s *service) listArticles(_ context.Context, c *call, in *ListArticlesInput) (*ListArticlesOutput, error) {
	filter := index.Filter{SiteUID: string(in.SiteUID), Status: phaseOf(in.Status)}
	if !in.PublishedSince.IsZero() {
		return &ListArticlesOutput{Body: s.publishedPage(c, in, filter)}, nil
	}
	items, more := s.Index.List(c.workspace, filter, string(in.Cursor), in.Limit)
	page := articlePage(items)
	if more {
		page.HasMore, page.NextCursor = true, new(items[len(items)-1].ID)
	}
	return &ListArticlesOutput{Body: page}, nil
}

// publishedPage is a page by time of publication. A walk over several pages keeps the earliest next_published_since of its pages: an
// article may become visible behind the page that it would have been on, and a page may come from a replica that lags.
func (s *service) publishedPage(c *call, in *ListArticlesInput, f index.Filter) ArticlePage {
	after, complete := in.Cursor.published()
	found := s.Index.Published(c.workspace, f, in.PublishedSince, after, in.Limit)
	if in.Cursor == "" || found.Complete.Before(complete) {
		complete = found.Complete
	}
	page := articlePage(found.Articles)
	page.NextPublishedSince = new(milliseconds(complete))
	if found.More {
		page.HasMore, page.NextCursor = true, new(string(publishedCursor(found.Cursor, complete)))
	}
	return page
}

func articlePage(items []index.Article) ArticlePage {
	page := ArticlePage{Envelope: succeeded, Data: make([]ArticleSummary, 0, len(items))}
	for _, i := range items {
		page.Data = append(page.Data, presentSummary(i))
	}
	return page
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
