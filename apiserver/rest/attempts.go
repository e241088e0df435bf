package rest

import (
	"context"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// ArticleDelivery is the delivery of an article to its site as an answer.
type ArticleDelivery struct {
	Envelope
	Status        string `json:"status" enum:"none,delivering,retry_scheduled,delivered,failed" doc:"none if nothing has been sent."`
	StatusMessage string `json:"status_message" doc:"Why, for people."`
	DeliveryRecord
}

type (
	// GetDeliveryInput is the input of get-article-delivery.
	GetDeliveryInput struct{ OnArticle }
	// ArticleDeliveryOutput is the answer of get-article-delivery.
	ArticleDeliveryOutput struct{ Body ArticleDelivery }
)

func (s *service) registerAttempts() {
	g := s.group(tagEditorial, v1alpha1.ScopeRead)
	op := s.operation(http.MethodGet, "/v1/api/blogs/{uid}/delivery", "get-article-delivery", inWorkspace...)
	op.Summary = "Get the delivery of an article"
	op.Description = "The last attempts to deliver the article to its site, and how the receiver answered."
	handle(g, op, s.getDelivery)
}

func (s *service) getDelivery(ctx context.Context, c *call, in *GetDeliveryInput) (*ArticleDeliveryOutput, error) {
	found, err := s.findWhole(ctx, c, in.UID)
	if err != nil {
		return nil, err
	}
	out := ArticleDelivery{
		Envelope: succeeded, Status: "none", StatusMessage: publishedMessage(found.Object),
		DeliveryRecord: DeliveryRecord{Attempts: []EventAttempt{}},
	}
	if p := found.Object.Status.Publication; p != nil && p.Cycle != nil {
		out.Status, out.DeliveryRecord = snakeCase(string(p.Cycle.State)), presentRecord(&p.DeliveryRecord)
	}
	return &ArticleDeliveryOutput{Body: out}, nil
}

// findWhole returns an article with its whole status: the index does not hold the attempts and the transitions. Its text may be missing.
func (s *service) findWhole(ctx context.Context, c *call, uid string) (item, error) {
	found, err := s.find(ctx, c, uid)
	if err != nil || found.live {
		return found, err
	}
	if status, ok := s.statuses.of(found.Object); ok {
		whole := *found.Object
		whole.Status = status
		found.Object = &whole
		return found, nil
	}
	return s.live(s.statuses.read(ctx, found.Object))
}
