package rest

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// ListArticlesInput is the input of list-articles.
type ListArticlesInput struct {
	InWorkspace
	OfSite
	Limit          int       `query:"limit" minimum:"1" maximum:"100" default:"20" doc:"Articles on a page."`
	Cursor         Cursor    `query:"cursor"`
	Status         string    `query:"status" enum:"draft,generating,review,approved,rejected,scheduled,published,failed,archived" doc:"Only these."`
	Publication    string    `query:"publication" enum:"delivering,retry_scheduled,delivered,failed" doc:"Only articles whose last delivery is in this state."`
	Text           string    `query:"q" maxLength:"200" doc:"Only articles with all these words in their title, keyword or slug; parts of words count, and case does not." example:"trail shoes"`
	Order          string    `query:"order" enum:"newest,oldest" default:"newest" doc:"Which come first, by creation."`
	PublishedSince time.Time `query:"published_since" doc:"Only articles that were published at this time or later, the earliest first. Pass the next_published_since of the last answer to miss none." example:"2026-11-20T09:00:00.000Z"`
}

// OfSite is embedded in the input of every operation on the articles of a workspace that may be about one site alone.
type OfSite struct {
	SiteUID SiteUID `query:"site_uid" doc:"Only articles of this site."`
}

// check checks what the schema cannot express.
func (in OfSite) check() []error {
	if in.SiteUID != "" && !identity.IsUID(string(in.SiteUID)) {
		return []error{&huma.ErrorDetail{Location: "query.site_uid", Message: "must be the uid of a site"}}
	}
	return nil
}

// ListArticlesOutput is the answer of list-articles.
type ListArticlesOutput struct{ Body ArticlePage }

// Resolve checks what the schema cannot express. The framework reports its errors together with those of the schema.
func (in *ListArticlesInput) Resolve(huma.Context) []error {
	errs := in.check()
	if in.Cursor != "" && in.Cursor.isPublished() == in.PublishedSince.IsZero() {
		errs = append(errs, &huma.ErrorDetail{
			Location: "query.cursor", Message: "must be the nextCursor of a page of the same list: with published_since, or without it",
		})
	}
	return append(errs, in.checkPublished()...)
}

// checkPublished refuses what a list by time of publication does not have.
func (in *ListArticlesInput) checkPublished() []error {
	if in.PublishedSince.IsZero() {
		return nil
	}
	var errs []error
	for _, other := range []struct {
		name string
		set  bool
	}{{"order", in.Order == orderOldest}, {"publication", in.Publication != ""}, {"q", in.Text != ""}} {
		if other.set {
			errs = append(errs, &huma.ErrorDetail{Location: "query." + other.name, Message: "may not stand beside published_since"})
		}
	}
	return errs
}

// orderOldest is the value of the query parameter order that is not the default.
const orderOldest = "oldest"

func (s *service) registerLists() {
	g := s.group(tagArticles, v1alpha1.ScopeRead)
	op := s.operation(http.MethodGet, "/v1/api/blogs", "list-articles", inWorkspace...)
	op.Summary = "List articles"
	op.Description = "The articles of a workspace, newest first. Repeat with nextCursor until hasMore is false, with the " +
		"same filters and order. With published_since the articles that have been published, archived ones too, by " +
		"published_at, the earliest first."
	handle(g, op, s.listArticles)
}

func (s *service) listArticles(_ context.Context, c *call, in *ListArticlesInput) (*ListArticlesOutput, error) {
	q := index.Query{
		SiteUID: string(in.SiteUID), Status: named(index.Statuses, in.Status), Publication: named(index.Publications, in.Publication),
		Text: in.Text, OldestFirst: in.Order == orderOldest,
	}
	if !in.PublishedSince.IsZero() {
		return &ListArticlesOutput{Body: s.publishedPage(c, in, q)}, nil
	}
	items, more := s.Index.List(c.workspace, q, string(in.Cursor), in.Limit)
	page := articlePage(items)
	if more {
		page.HasMore, page.NextCursor = true, new(items[len(items)-1].ID)
	}
	return &ListArticlesOutput{Body: page}, nil
}

// publishedPage is a page by time of publication. A walk over several pages keeps the earliest next_published_since of its pages: an
// article may become visible behind the page that it would have been on, and a page may come from a replica that lags.
func (s *service) publishedPage(c *call, in *ListArticlesInput, q index.Query) ArticlePage {
	after, complete := in.Cursor.published()
	found := s.Index.Published(c.workspace, q, in.PublishedSince, after, in.Limit)
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

// named returns the value that an answer has under a name, "" if there is none.
func named[T ~string](values []T, name string) T {
	i := slices.IndexFunc(values, func(v T) bool { return snakeCase(string(v)) == name })
	if i < 0 {
		return ""
	}
	return values[i]
}
