package eventhook

import (
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

// Body is the body of an event. It has the members type, timestamp and data.
type Body interface{ eventType() string }

// Event is the body of an event, schema 1. Like every answer it only ever grows; receivers ignore unknown fields.
type Event struct {
	Type      string           `json:"type" doc:"What happened, as in the header X-SERVICE-Event." example:"blog.published"`
	Timestamp string           `json:"timestamp" format:"date-time" doc:"When it happened." example:"2026-11-20T09:00:00.000Z"`
	Data      ArticleEventData `json:"data" doc:"The article: a summary, never its text, which get-article has."`
}

// ArticleEventData is the article of an event: the fields of an article in a list, its site and its workspace.
type ArticleEventData struct {
	ID            string  `json:"_id" doc:"Internal record id." example:"0198f0a1b2c3d4e5f6a7b8c9"`
	UID           string  `json:"uid" format:"uuid" doc:"Used in the path of get-article."`
	Title         string  `json:"title" doc:"Title of the article, which is not part of the body."`
	Slug          string  `json:"slug" doc:"Part of the address of the post that names the article." example:"trail-running-shoes"`
	Status        string  `json:"status" doc:"As of the event."`
	TargetKeyword string  `json:"target_keyword" doc:"Empty if the article was written without one."`
	SEOScore      *int32  `json:"seo_score" doc:"Null while there is no text."`
	PublishedURL  string  `json:"published_url" doc:"Empty if none is known."`
	PublishedAt   *string `json:"published_at" format:"date-time" doc:"Null until published."`
	SiteUID       string  `json:"site_uid" format:"uuid" doc:"uid of the site."`
	WorkspaceID   string  `json:"workspace_id" doc:"Workspace, for the header x-workspace-id." example:"acme-blog"`
}

// Test is the body of a test of a subscription.
type Test struct {
	Type      string   `json:"type" example:"subscription.test"`
	Timestamp string   `json:"timestamp" format:"date-time" doc:"When the test was asked for." example:"2026-11-20T09:00:00.000Z"`
	Data      TestData `json:"data"`
}

// TestData names the subscription of a test.
type TestData struct {
	SubscriptionUID string `json:"subscription_uid" format:"uuid"`
	WorkspaceID     string `json:"workspace_id" example:"acme-blog"`
}

// SiteEvent is the body of an event of a site.
type SiteEvent struct {
	Type      string   `json:"type" example:"site.failing"`
	Timestamp string   `json:"timestamp" format:"date-time" doc:"When it happened." example:"2026-11-20T09:00:00.000Z"`
	Data      SiteData `json:"data"`
}

// SiteData is the site of an event.
type SiteData struct {
	SiteUID     string `json:"site_uid" format:"uuid"`
	Name        string `json:"name" example:"Example Blog"`
	Domain      string `json:"domain" example:"blog.example.com"`
	Message     string `json:"message" doc:"What failed last."`
	WorkspaceID string `json:"workspace_id" example:"acme-blog"`
}

func (e Event) eventType() string     { return e.Type }
func (e SiteEvent) eventType() string { return e.Type }
func (e Test) eventType() string      { return e.Type }

// Encode returns the bytes that are sent of an event to a subscription with a format: the event itself, what people read of it, or what
// starts a workflow of GitHub with it.
func Encode(format v1alpha1.EventFormat, event Body, n Notice) ([]byte, error) {
	switch format {
	case v1alpha1.FormatGitHub:
		return publish.JSON(repositoryDispatch{EventType: dispatchPrefix + event.eventType(), ClientPayload: event})
	case v1alpha1.FormatSlack:
		return publish.JSON(n.slack())
	case v1alpha1.FormatTeams:
		return publish.JSON(n.teams())
	default:
		return publish.JSON(event)
	}
}

// Time formats a time in UTC, always with three digits after the second (docs/reference/contract.md, Requests and answers).
func Time(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
