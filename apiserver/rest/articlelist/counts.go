package articlelist

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// ArticleCounts is the answer of count-articles.
type ArticleCounts struct {
	operation.Envelope
	All           int               `json:"all" minimum:"0" doc:"All articles."`
	ByStatus      StatusCounts      `json:"by_status"`
	ByPublication PublicationCounts `json:"by_publication"`
}

// StatusCounts are how many articles have each status.
type StatusCounts struct {
	Draft      int `json:"draft" doc:"How many are drafts."`
	Generating int `json:"generating" doc:"How many are being generated."`
	Review     int `json:"review" doc:"How many wait for a reviewer."`
	Approved   int `json:"approved" doc:"How many are approved."`
	Rejected   int `json:"rejected" doc:"How many are rejected."`
	Scheduled  int `json:"scheduled" doc:"How many are to be published at a time."`
	Published  int `json:"published" doc:"How many are published."`
	Failed     int `json:"failed" doc:"How many have failed."`
	Archived   int `json:"archived" doc:"How many are archived."`
}

// PublicationCounts are how many articles have a last delivery in each state. Those of which nothing has been sent are in none.
type PublicationCounts struct {
	Delivering     int `json:"delivering" doc:"How many are being sent."`
	RetryScheduled int `json:"retry_scheduled" doc:"How many are sent again later."`
	Delivered      int `json:"delivered" doc:"How many have arrived."`
	Failed         int `json:"failed" doc:"How many have failed."`
	Cancelled      int `json:"cancelled" doc:"How many were stopped before they arrived."`
}

// CountInput is the input of count-articles.
type CountInput struct {
	operation.InWorkspace
	OfSite
}

// Resolve checks what the schema cannot express.
func (in *CountInput) Resolve(huma.Context) []error { return in.check() }

// Count counts articles.
var Count = operation.Operation[CountInput, operation.Output[ArticleCounts]]{
	ID: "count-articles", Method: http.MethodGet, Path: "/v1/api/blogs/counts", Tag: operation.TagArticles,
	Scope: v1alpha1.ScopeRead, Errors: operation.ReadErrors,
}

func (s *Service) countArticles(_ context.Context, c *operation.Call, in *CountInput) (*operation.Output[ArticleCounts], error) {
	n := s.Index.Count(c.Workspace, string(in.SiteUID))
	status, sent := n.ByStatus, n.ByPublication
	return &operation.Output[ArticleCounts]{Body: ArticleCounts{
		Envelope: operation.Succeeded, All: n.All,
		ByStatus: StatusCounts{
			Draft: status[v1alpha1.PhaseDraft], Generating: status[v1alpha1.PhaseGenerating], Review: status[v1alpha1.PhaseReview],
			Approved: status[v1alpha1.PhaseApproved], Rejected: status[v1alpha1.PhaseRejected], Scheduled: status[v1alpha1.PhaseScheduled],
			Published: status[v1alpha1.PhasePublished], Failed: status[v1alpha1.PhaseFailed], Archived: status[v1alpha1.PhaseArchived],
		},
		ByPublication: PublicationCounts{
			Delivering: sent[v1alpha1.CycleInProgress], RetryScheduled: sent[v1alpha1.CycleRetryScheduled],
			Delivered: sent[v1alpha1.CycleAccepted], Failed: sent[v1alpha1.CycleFailed], Cancelled: sent[v1alpha1.CycleCancelled],
		},
	}}, nil
}
