// Package delivery has the operations on what was sent of articles to their sites, and on the records of what these have accepted.
package delivery

import (
	"context"
	"net/http"
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/deliveryrecord"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// Service has the operations.
type Service struct{ *article.Articles }

// Register adds the operations.
func Register(articles *article.Articles) {
	s := &Service{articles}
	ListArticleDeliveries.Handle(s.Core, s.listArticleDeliveries)
	ListRecords.Handle(s.Core, s.listRecords)
}

// ArticleDeliveries is everything that is known of the deliveries of an article.
type ArticleDeliveries struct {
	operation.Envelope
	Status        string                         `json:"state" enum:"none,delivering,retry_scheduled,delivered,failed,cancelled" doc:"State of the last delivery; none if nothing has been sent."`
	StatusMessage string                         `json:"status_message" doc:"Why, for people."`
	Reason        string                         `json:"reason" doc:"Why the last delivery ended or waits, such as delivered, retry_scheduled, exhausted or receiver_rejected; empty while an attempt is in progress." example:"exhausted"`
	NextAttemptAt *string                        `json:"next_attempt_at" format:"date-time" doc:"Null if none is due."`
	Data          []DeliveryCycle                `json:"data" maxItems:"8" doc:"The deliveries of the last 8 attempts, newest first."`
	LastAnswer    *deliveryrecord.ReceiverAnswer `json:"last_answer" doc:"What the receiver answered last; null while it has answered nothing."`
	Request       *SentRequest                   `json:"request" doc:"The request of the last delivery, made again from the revision that was sent; null if that cannot be done."`
	RequestNote   string                         `json:"request_note" doc:"Why there is no request, or how it may differ from what was sent; empty if it is what was sent."`
}

// DeliveryCycle is one delivery of an article: a first attempt, and up to three retries.
type DeliveryCycle struct {
	Cycle    int32                            `json:"cycle" minimum:"1" doc:"1, and one more for each redelivery."`
	Status   string                           `json:"state" enum:"delivering,retry_scheduled,delivered,failed,cancelled" doc:"How far it is."`
	Attempts []deliveryrecord.DeliveryAttempt `json:"attempts" maxItems:"4" doc:"Oldest first. Messages are kept of the last delivery alone."`
}

// ListArticleDeliveries lists the deliveries of an article.
var ListArticleDeliveries = operation.Operation[article.OnArticle, operation.Output[ArticleDeliveries]]{
	ID: "list-article-deliveries", Method: http.MethodGet, Path: "/v1/api/blogs/{uid}/deliveries", Tag: operation.TagEditorial,
	Scope: v1alpha1.ScopeRead, Errors: operation.ReadErrors,
}

func (s *Service) listArticleDeliveries(ctx context.Context, c *operation.Call,
	in *article.OnArticle) (*operation.Output[ArticleDeliveries], error) {
	found, err := s.FindWhole(ctx, c, in.UID)
	if err != nil {
		return nil, err
	}
	out := ArticleDeliveries{
		Envelope: operation.Succeeded, Status: "none", StatusMessage: s.Message(found.Object), Data: []DeliveryCycle{},
		RequestNote: "nothing has been sent",
	}
	if p := found.Object.Status.Publication; p != nil && p.Cycle != nil {
		record := deliveryrecord.PresentRecord(&p.DeliveryRecord)
		out.Status, out.Reason = operation.CycleState(p.Cycle.State), operation.SnakeCase(p.Cycle.Reason)
		out.NextAttemptAt, out.LastAnswer = record.NextAttemptAt, record.LastAnswer
		out.Data = cyclesOf(record.Attempts, p.Cycle)
		if out.Request, out.RequestNote, err = s.requestAgain(ctx, c, found); err != nil {
			return nil, err
		}
	}
	return operation.Answer(out), nil
}

// cyclesOf groups attempts, which are oldest first, by cycle. The state of cycles before the last one follows from how they ended.
func cyclesOf(attempts []deliveryrecord.DeliveryAttempt, last *v1alpha1.DeliveryCycle) []DeliveryCycle {
	var cycles []DeliveryCycle
	for _, a := range attempts {
		if len(cycles) == 0 || cycles[len(cycles)-1].Cycle != a.Cycle {
			cycles = append(cycles, DeliveryCycle{Cycle: a.Cycle})
		}
		cycle := &cycles[len(cycles)-1]
		cycle.Attempts, cycle.Status = append(cycle.Attempts, a), "failed"
		switch {
		case a.Cycle == last.Number:
			cycle.Status = operation.CycleState(last.State)
		case a.Outcome == operation.SnakeCase(string(v1alpha1.AttemptAccepted)):
			cycle.Status = "delivered"
		}
	}
	slices.Reverse(cycles)
	return cycles
}
