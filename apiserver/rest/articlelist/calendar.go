package articlelist

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// maxCalendar bounds the time of one calendar: a quarter, with the weeks around it.
const maxCalendar = 100 * 24 * time.Hour

// CalendarEntry is an article at its time.
type CalendarEntry struct {
	article.ArticleSummary
	At string `json:"scheduled_at" format:"date-time" doc:"published_at if the article is published, else publish_at." example:"2026-12-01T09:00:00.000Z"`
}

// ArticleCalendar is the answer of get-calendar.
type ArticleCalendar struct {
	operation.Envelope
	Data []CalendarEntry `json:"data" maxItems:"500" doc:"What the answer is about."`
	operation.Page
}

// GetCalendarInput is the input of get-calendar.
type GetCalendarInput struct {
	operation.InWorkspace
	OfSite
	From   time.Time `query:"from" required:"true" doc:"The first time that is in it." example:"2026-12-01T00:00:00Z"`
	To     time.Time `query:"to" required:"true" doc:"The first time after from that is not in it: at most 100 days later." example:"2027-01-01T00:00:00Z"`
	Limit  int       `query:"limit" minimum:"1" maximum:"500" default:"100" doc:"Articles on a page."`
	Cursor string    `query:"cursor" pattern:"^[0-9a-f]{40}$" patternDescription:"the nextCursor of a page before" doc:"The nextCursor of the page before."`
}

// Resolve checks what the schema cannot express.
func (in *GetCalendarInput) Resolve(huma.Context) []error {
	errs := in.check()
	if length := in.To.Sub(in.From); length <= 0 || length > maxCalendar {
		errs = append(errs, &huma.ErrorDetail{Location: "query.to", Message: "must be after from, and at most 100 days after it"})
	}
	return errs
}

// GetCalendar lists articles by the time of their publication.
var GetCalendar = operation.Operation[GetCalendarInput, operation.Output[ArticleCalendar]]{
	ID: "get-calendar", Method: http.MethodGet, Path: "/v1/api/calendar", Tag: operation.TagEditorial, Scope: v1alpha1.ScopeRead,
	Errors: operation.ReadErrors,
}

func (s *Service) getCalendar(_ context.Context, c *operation.Call, in *GetCalendarInput) (*operation.Output[ArticleCalendar], error) {
	found := s.Index.Between(c.Workspace, string(in.SiteUID), in.From, in.To, in.Cursor, in.Limit)
	out := ArticleCalendar{Envelope: operation.Succeeded, Data: make([]CalendarEntry, 0, len(found.Articles))}
	for _, i := range found.Articles {
		at, _ := index.TimeOf(i)
		out.Data = append(out.Data, CalendarEntry{ArticleSummary: article.PresentSummary(c, i), At: operation.Milliseconds(at)})
	}
	if found.More {
		out.Page = operation.Next(found.Cursor)
	}
	return operation.Answer(out), nil
}
