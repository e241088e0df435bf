// Package articlelist has the lists of articles, which come from memory: by age, by publication, as a calendar, and as counts.
package articlelist

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// Service has the operations.
type Service struct{ *operation.Core }

// Register adds the operations.
func Register(core *operation.Core) {
	s := &Service{core}
	List.Handle(core, s.listArticles)
	Count.Handle(core, s.countArticles)
	GetSurroundings.Handle(core, s.getSurroundings)
	GetCalendar.Handle(core, s.getCalendar)
}

// ListInput is the input of list-articles.
type ListInput struct {
	operation.InWorkspace
	OfSite
	Limit          int          `query:"limit" minimum:"1" maximum:"100" default:"20" doc:"Articles on a page."`
	Cursor         Cursor       `query:"cursor" pattern:"^([0-9a-f]{24}|[0-9a-f]{56})$" patternDescription:"the nextCursor of a page before" doc:"The nextCursor of the page before." example:"0198f0a1b2c3d4e5f6a7b8c9"`
	Status         []Status     `query:"status" maxItems:"20" doc:"Only articles with one of these statuses." example:"review,failed"`
	Publication    string       `query:"publication" enum:"delivering,retry_scheduled,delivered,failed,cancelled" doc:"Only articles whose last delivery is in this state."`
	Slug           article.Slug `query:"slug" doc:"Only articles with this slug: one of each site."`
	Text           string       `query:"q" maxLength:"200" doc:"Only articles with all these words in their title, keyword or slug, the model that wrote the text, or the name of who decided on it; parts of words count, and case does not." example:"trail shoes"`
	Order          string       `query:"order" enum:"newest,oldest" default:"newest" doc:"Which come first, by creation."`
	UpdatedSince   time.Time    `query:"updated_since" doc:"Only articles that were changed at or after this time, in whole seconds. To mirror a site, use published_since or changed_since." example:"2026-11-20T09:00:00Z"`
	PublishedSince time.Time    `query:"published_since" doc:"Only articles that were published at this time or later, the earliest first. Pass the next_published_since of the last answer to miss none." example:"2026-11-20T09:00:00.000Z"`
	ChangedSince   time.Time    `query:"changed_since" doc:"Only articles that were published or updated at this time or later, and in gone those that were deleted or unpublished, the earliest change first. For mirrors: pass the next_changed_since of the last answer to miss none." example:"2026-11-20T09:00:00.000Z"`
}

// Status is a status that articles may be listed by.
type Status string

// Schema describes a Status.
func (Status) Schema(huma.Registry) *huma.Schema {
	out := &huma.Schema{Type: huma.TypeString}
	for _, status := range index.Statuses {
		out.Enum = append(out.Enum, operation.SnakeCase(string(status)))
	}
	return out
}

// phases returns the phases of articles with one of the statuses.
func phases(statuses []Status) []v1alpha1.ArticlePhase {
	out := make([]v1alpha1.ArticlePhase, len(statuses))
	for i, status := range statuses {
		out[i] = operation.ParseEnum(string(status), index.Statuses...)
	}
	return out
}

// OfSite is embedded in the input of every operation on the articles of a workspace that may be about one site alone.
type OfSite struct {
	SiteUID operation.SiteUID `query:"site_uid" doc:"Only articles of this site."`
}

// check checks what the schema cannot express. A site that does not exist is no error: the articles of a deleted one stay.
func (in OfSite) check() []error {
	if in.SiteUID != "" && !identity.IsUID(string(in.SiteUID)) {
		return []error{&huma.ErrorDetail{Location: "query.site_uid", Message: "must be the uid of a site"}}
	}
	return nil
}

// ArticlePage is the answer of list-articles.
type ArticlePage struct {
	operation.Envelope
	Data []article.ArticleSummary `json:"data" maxItems:"100" doc:"What the answer is about."`
	operation.Page

	Gone []GoneArticle `json:"gone" maxItems:"100" doc:"With changed_since, what to remove from your copy: articles that were unpublished, and for 90 days those that were deleted from sites of the type none. Otherwise empty."`

	NextChangedSince *string `json:"next_changed_since" format:"date-time" doc:"The changed_since of the next poll, as next_published_since is for published_since. Null without changed_since."`

	NextPublishedSince *string `json:"next_published_since" format:"date-time" doc:"The published_since of the next poll, as the last page has it: some articles come twice, none is missed. Null without published_since."`
}

// GoneArticle is an article that was unpublished or deleted.
type GoneArticle struct {
	UID    string `json:"uid" format:"uuid" doc:"Id, for the path of other operations."`
	Slug   string `json:"slug" doc:"Part of the address of the post that names the article."`
	GoneAt string `json:"gone_at" format:"date-time" doc:"When it was unpublished, or found to be deleted."`
}

// Resolve checks what the schema cannot express. The framework reports its errors together with those of the schema.
func (in *ListInput) Resolve(huma.Context) []error {
	errs := in.check()
	if in.Cursor != "" && in.Cursor.isPublished() == (in.PublishedSince.IsZero() && in.ChangedSince.IsZero()) {
		errs = append(errs, &huma.ErrorDetail{
			Location: "query.cursor",
			Message:  "must be the nextCursor of a page of the same list: with published_since or changed_since, or without them",
		})
	}
	return append(errs, in.checkByTime()...)
}

// checkByTime refuses what a list by time of publication or change does not have.
func (in *ListInput) checkByTime() []error {
	since := "changed_since"
	switch {
	case in.PublishedSince.IsZero() && in.ChangedSince.IsZero():
		return nil
	case in.ChangedSince.IsZero():
		since = "published_since"
	}
	var errs []error
	for _, other := range []struct {
		name string
		set  bool
	}{
		{"published_since", since == "changed_since" && !in.PublishedSince.IsZero()},
		{"status", since == "changed_since" && len(in.Status) > 0},
		{"order", in.Order == orderOldest}, {"publication", in.Publication != ""}, {"q", in.Text != ""}, {"slug", in.Slug != ""},
		{"updated_since", !in.UpdatedSince.IsZero()},
	} {
		if other.set {
			errs = append(errs, &huma.ErrorDetail{Location: "query." + other.name, Message: "may not stand beside " + since})
		}
	}
	return errs
}

// orderOldest is the value of the query parameter order that is not the default.
const orderOldest = "oldest"

// List lists articles.
var List = operation.Operation[ListInput, operation.Output[ArticlePage]]{
	ID: "list-articles", Method: http.MethodGet, Path: "/v1/api/blogs", Tag: operation.TagArticles, Scope: v1alpha1.ScopeRead,
	Errors: operation.ReadErrors,
}

func (s *Service) listArticles(ctx context.Context, c *operation.Call, in *ListInput) (*operation.Output[ArticlePage], error) {
	q := in.query()
	if q.Text != "" {
		end, err := c.Turn(ctx)
		if err != nil {
			return nil, err
		}
		defer end()
	}
	if !in.PublishedSince.IsZero() || !in.ChangedSince.IsZero() {
		return operation.Answer(s.pageByTime(c, in, q)), nil
	}
	items, more := s.Index.List(c.Workspace, q, string(in.Cursor), in.Limit)
	page := pageOf(c, items)
	if more {
		page.Page = operation.Next(items[len(items)-1].ID)
	}
	return operation.Answer(page), nil
}

// query is what the list has, without its bounds by time.
func (in *ListInput) query() index.Query {
	return index.Query{
		SiteUID: string(in.SiteUID), Statuses: phases(in.Status),
		Publication: operation.ParseCycleState(in.Publication, index.Publications...),
		Text:        in.Text, Slug: string(in.Slug), UpdatedSince: in.UpdatedSince, OldestFirst: in.Order == orderOldest,
	}
}

// pageByTime is a page by time of publication or change. A walk over several pages keeps the earliest next_published_since of its pages: an
// article may become visible behind the page that it would have been on, and a page may come from a replica that lags.
func (s *Service) pageByTime(c *operation.Call, in *ListInput, q index.Query) ArticlePage {
	after, complete := in.Cursor.published()
	changed := !in.ChangedSince.IsZero()
	var found index.Page
	if changed {
		found = s.Index.Changed(c.Workspace, q.SiteUID, in.ChangedSince, after, in.Limit)
	} else {
		found = s.Index.Published(c.Workspace, q, in.PublishedSince, after, in.Limit)
	}
	if in.Cursor == "" || found.Complete.Before(complete) {
		complete = found.Complete
	}
	page := pageOf(c, found.Articles)
	if next := new(operation.Milliseconds(complete)); changed {
		page.NextChangedSince = next
	} else {
		page.NextPublishedSince = next
	}
	if found.More {
		page.Page = operation.Next(fmt.Sprintf("%s%016x", found.Cursor, max(complete.UnixMicro(), 0)))
	}
	return page
}

func pageOf(c *operation.Call, items []index.Article) ArticlePage {
	page := ArticlePage{Envelope: operation.Succeeded, Data: make([]article.ArticleSummary, 0, len(items)), Gone: []GoneArticle{}}
	for _, i := range items {
		if !i.Gone.IsZero() {
			page.Gone = append(page.Gone, GoneArticle{UID: i.UID, Slug: i.Slug(), GoneAt: operation.Milliseconds(i.Gone)})
			continue
		}
		page.Data = append(page.Data, article.PresentSummary(c, i))
	}
	return page
}
