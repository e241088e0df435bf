package rest

import (
	"maps"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// What the examples of answers are about.
const (
	exampleArticle      = "0198f0a1-b2c3-7d4e-95f6-a7b8c9d0e1f2"
	exampleSite         = "d4086b5a-5de3-5036-8f07-23666ca97b3f"
	exampleSubscription = "0198f0a1-b2c3-7d4e-95f6-a7b8c9d0e1f3"
	exampleDelivery     = "fe670f5e-4d3c-8d4e-95f6-a7b8c9d0e1f2"
	exampleNonce        = "0198f0a1-b2c3-7d4e-95f6-a7b8c9d0e1f4"
	exampleTime         = "2026-11-20T09:00:00.000Z"
	exampleDigest       = "sha256:32b2e5a9cb4d8e0c7f0e9fcc4db3abdd12b80e31c50115e7d2889fa925268bb1"
	exampleMessage      = "accepted by the receiver"
)

// documentExamples gives every 2xx answer with a body an example.
func documentExamples(document *huma.OpenAPI) {
	examples := answerExamples()
	operations(document, func(op *huma.Operation) {
		for _, media := range op.Responses[strconv.Itoa(op.DefaultStatus)].Content {
			media.Example = examples[op.OperationID]
		}
	})
}

// answerExamples are the examples by operation.
func answerExamples() map[string]any {
	article, site, app := articleExample(), siteExample(), appExample()
	subscription, delivery := subscriptionExample(), deliveryExample()
	secret := EventSecretAnswer{
		Envelope: succeeded, EventSubscription: subscription, Secret: "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=",
	}
	client := AppAnswer{Envelope: succeeded, Data: app}
	withSecret := client
	withSecret.Data.ClientSecret = "pr_cs_aa3kq2vxw5ntb6ha_..."
	one := EventSubscriptionAnswer{Envelope: succeeded, EventSubscription: subscription}
	sent := EventDeliveryAnswer{Envelope: succeeded, EventDelivery: delivery}
	out := map[string]any{
		"whoami":               whoamiExample(),
		"get-usage":            usageExample(),
		"list-sites":           SiteList{Envelope: succeeded, Data: []Site{site}},
		"get-site":             SiteAnswer{Envelope: succeeded, Site: site, SiteDetails: siteDetailsExample()},
		"test-site-connection": ConnectionTestStarted{Envelope: succeeded, Nonce: exampleNonce},
		"list-workspaces":      WorkspaceList{Envelope: succeeded, Data: []Workspace{{WorkspaceID: exampleWorkspace, Account: "acme"}}},
		"list-articles":        ArticlePage{Envelope: succeeded, Data: []ArticleSummary{article.ArticleSummary}},
		"count-articles": ArticleCounts{
			Envelope: succeeded, All: 3, ByStatus: StatusCounts{Review: 2, Published: 1}, ByPublication: PublicationCounts{Delivered: 1},
		},
		"get-calendar": Calendar{Envelope: succeeded, Data: []CalendarEntry{{ArticleSummary: article.ArticleSummary, At: exampleTime}}},
		"bulk-articles": BulkAnswer{Envelope: succeeded, Done: 1, Failed: 1, Data: []BulkResult{
			{UID: exampleArticle, Done: true, Status: "approved"},
			{UID: exampleSubscription, Problem: &problem.NotFound("article").Problem},
		}},
		"generate-article": GenerateAnswer{
			Success: true, RunID: exampleArticle + "-0198f0a1-1", BlogUID: exampleArticle,
		},
		"list-revisions": RevisionList{Envelope: succeeded, Data: []RevisionSummary{revisionExample().RevisionSummary}},
		"get-revision":   revisionExample(),
		"preview-text": Preview{
			Envelope: succeeded, Title: article.Title, Slug: article.Slug, ContentMarkdown: article.ContentMarkdown,
			ContentHTML: article.ContentHTML, MetaTitle: article.MetaTitle, MetaDescription: article.MetaDescription, FAQ: article.FAQ,
			Scores: article.Scores,
		},
		"get-article-delivery": ArticleDelivery{
			Envelope: succeeded, Status: "delivered", StatusMessage: exampleMessage, DeliveryRecord: delivery.DeliveryRecord,
		},
		"list-article-deliveries":   articleDeliveriesExample(delivery),
		"list-article-transitions":  transitionsExample(),
		"create-event-subscription": secret, "rotate-event-secret": secret,
		"get-event-subscription": one, "edit-event-subscription": one, "resume-event-subscription": one,
		"list-event-subscriptions": EventSubscriptionList{Envelope: succeeded, Data: []EventSubscription{subscription}},
		"test-event-subscription":  TestEventStarted{Envelope: succeeded, Nonce: exampleNonce},
		"list-event-deliveries":    EventDeliveryList{Envelope: succeeded, Data: []EventDelivery{delivery}},
		"get-event-delivery":       sent, "redeliver-event": sent,
		"register-oauth-client": withSecret, "rotate-oauth-client": withSecret, "get-oauth-client": client,
		"list-oauth-grants":  GrantList{Envelope: succeeded, Data: []Grant{grantExample()}},
		"list-oauth-clients": AppList{Envelope: succeeded, Data: []App{app}},
		"exchange-code": oauth.TokenAnswer{
			AccessToken: "pr_at_aa3kq2vxw5ntb6ha_...", TokenType: "Bearer", Scope: "read write", ExpiresIn: 31536000,
		},
		"introspect-token": oauth.Introspection{Active: true},
	}
	maps.Copy(out, managingExamples(SiteAnswer{Envelope: succeeded, Site: site, SiteDetails: siteDetailsExample()}))
	for _, id := range []string{
		"get-article", "create-article", "edit-article", "submit-article", "approve-article", "reject-article", "publish-article",
		"unschedule-article", "archive-article", "regenerate-article", "redeliver-article",
	} {
		out[id] = article
	}
	return out
}

func whoamiExample() Whoami {
	return Whoami{
		Envelope: succeeded, Kind: "api_key", ID: "aa3kq2vxw5ntb6ha", Name: "Mara", Account: "acme", Scopes: []string{"read", "write"},
		ExpiresAt: new("2027-11-20T09:00:00.000Z"), Workspaces: []string{exampleWorkspace},
	}
}

func usageExample() Usage {
	return Usage{
		Envelope: succeeded, Account: "acme", Credits: CreditUsage{Used: 12, Limit: new(int64(100)), Left: new(int64(88))},
		Minute: MinuteUsage{Used: 1, Limit: 60, Left: 59, FreeAt: new("2026-11-20T09:01:00.000Z")},
		Day: DayUsage{EndsAt: "2026-11-21T00:00:00.000Z", Sites: []SiteUsage{
			{SiteUID: exampleSite, WorkspaceID: exampleWorkspace, Used: 1, Limit: 50, Left: 49},
		}},
	}
}

func siteExample() Site {
	return Site{
		ID: "0198f0a1b2c3d4e5f6a7b8c9", UID: exampleSite, Domain: "blog.example.com", Name: "Example Blog", CMSType: "headless",
		Status: "active", WorkspaceID: exampleWorkspace, StatusMessage: "the site is configured", Waiting: 3,
		Connection: Connection{
			Status: "connected", Reason: "receiver_accepted", Message: "the receiver accepted the test", LastTest: &ConnectionTest{
				Nonce: exampleNonce, AttemptResult: deliveryExample().Attempts[0].AttemptResult, Snippet: "ok",
			},
		},
	}
}

func siteDetailsExample() SiteDetails {
	return SiteDetails{
		Host: "blog.example.com", ReviewPolicy: "manual", DefaultStage: "review",
		Voice: Voice{Tone: "friendly and precise", Language: "en", Audience: "hikers",
			AvoidWords: []string{"unleash"}, Examples: []string{}},
	}
}

func articleExample() Article {
	return Article{
		Envelope: succeeded,
		ArticleSummary: ArticleSummary{
			ID: "0198f0a1b2c3a7b8c9d0e1f2", UID: exampleArticle,
			Title: "Trail running shoes", Slug: "trail-running-shoes", Status: "published",
			TargetKeyword: "trail running shoes", SEOScore: new(int32(90)), PublishedURL: "https://blog.example.com/trail-running-shoes",
			PublishedAt: new(exampleTime), CreatedAt: "2026-11-20T08:00:00.000Z", UpdatedAt: exampleTime,
			Reasons: Reasons{Ready: "delivered", Generated: "succeeded", Approved: "approved", Published: "delivered"},
			Review:  &Review{Decision: "approved", By: "Mara", Note: "good", Digest: exampleDigest},
			SiteUID: exampleSite, RevisionDigest: exampleDigest, StatusMessage: exampleMessage,
			Publication: &Publication{State: "delivered", Attempts: 1, HTTPStatus: new(int32(200))}, PublishRequested: true,
		},
		SecondaryKeywords: []string{"trail shoes for wet rock"}, Tone: "friendly",
		ContentMarkdown: "Some *text*.", ContentHTML: "<p>Some <em>text</em>.</p>", MetaTitle: "Trail running shoes",
		MetaDescription: "Which shoes grip.",
		FAQ:             []FAQEntry{{Question: "Which shoes grip on wet rock?", Answer: "Those with a soft sole."}},
		Scores: Scores{
			Version: 2, SEOScore: new(int32(90)), Groups: []ScoreGroup{{Name: "seo", Score: 90}},
			Checks: []Check{{
				Name: "keyphrase-in-slug", Group: "seo", Result: "passed", Points: 9, MaxPoints: 9, Weight: 9,
				Message: "the slug has the keyword",
			}},
		},
		Generator: &Generator{
			Type: "openai", Model: "qwen3-32b", PromptVersion: "2", Turns: 3, Repairs: 1,
			InputTokens: 4100, CachedTokens: 1900, OutputTokens: 2600, Cost: &Cost{Amount: "0.001890", Currency: "USD"},
		},
	}
}

func revisionExample() Revision {
	a := articleExample()
	return Revision{
		Envelope: succeeded,
		RevisionSummary: RevisionSummary{
			Number: 3, Current: true, Digest: exampleDigest, Title: a.Title, Source: "generated", Generator: a.Generator,
			CreatedAt: exampleTime, SEOScore: 90, Review: a.Review,
		},
		Slug: a.Slug, ContentMarkdown: a.ContentMarkdown, ContentHTML: a.ContentHTML, MetaTitle: a.MetaTitle,
		MetaDescription: a.MetaDescription, FAQ: a.FAQ, Scores: a.Scores,
	}
}

func subscriptionExample() EventSubscription {
	return EventSubscription{
		UID: exampleSubscription, URL: "https://example.com/hooks/pressroom", Events: []string{"blog.published"}, Status: "active",
		StatusMessage: "events are sent", CreatedAt: exampleTime,
	}
}

func deliveryExample() EventDelivery {
	return EventDelivery{
		UID: exampleDelivery, Event: "blog.published", ArticleUID: new(exampleArticle), Status: "delivered", StatusMessage: exampleMessage,
		OccurredAt: exampleTime, DeliveryRecord: DeliveryRecord{
			Attempts: []EventAttempt{{Cycle: 1, Number: 1, AttemptResult: AttemptResult{
				StartedAt: exampleTime, Outcome: "accepted", HTTPStatus: new(int32(200)), Milliseconds: 12,
			}}},
			LastAnswer: &EventAnswer{HTTPStatus: 200, Snippet: "ok"},
		},
	}
}

func articleDeliveriesExample(d EventDelivery) ArticleDeliveries {
	return ArticleDeliveries{
		Envelope: succeeded, Status: "delivered", StatusMessage: exampleMessage, Reason: "delivered",
		Data: []DeliveryCycle{{Cycle: 1, Status: "delivered", Attempts: d.Attempts}}, LastAnswer: d.LastAnswer,
		Request: &SentRequest{
			Method: http.MethodPost, Host: "blog.example.com", Path: "/hooks/pressroom",
			Headers: []HeaderField{{Name: "Content-Type", Value: "application/json"}, {Name: "X-SERVICE-Event", Value: "post.publish"}},
			Body: `{"title":"Trail running shoes","slug":"trail-running-shoes","status":"publish","content_format":"markdown",` +
				`"content":"Some *text*."}`,

			Signature: signatureNote, RevisionDigest: exampleDigest,
		},
	}
}

func appExample() App {
	return App{
		ClientID: "pr_ci_aa3kq2vxw5ntb6ha", Name: "Acme newsletter", ClientType: "confidential",
		RedirectURIs: []string{"https://app.example.com/callback"}, Scopes: []string{"read", "write"}, LoopbackPort: "registered",
		Contacts: []string{"dev@example.com"}, CreatedAt: exampleTime,
	}
}

func grantExample() Grant {
	return Grant{
		ID: "aakjn7njaixrmqbu", ClientID: "pr_ci_aa3kq2vxw5ntb6ha", AppName: "Newsroom", Person: "mara@acme.example",
		Scopes: []string{"read"}, Workspaces: []string{exampleWorkspace},
		CreatedAt: "2026-11-20T09:00:00.000Z", ExpiresAt: "2027-11-20T09:00:00.000Z",
	}
}

// exampleWorkspace is the workspace of the examples.
const exampleWorkspace = "acme-blog"
