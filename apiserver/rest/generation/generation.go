// Package generation has the operations that have texts made: generate and regenerate an article, and preview what would be made of a text.
package generation

import (
	"context"
	"errors"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/internal/ledger"
)

// Ledger charges accounts, exactly once across replicas.
type Ledger interface {
	// Charge takes a credit for a run of an account with that spec, and reports whether this call took it: a run that is charged
	// already is not charged again. It returns a *ledger.LimitError if a limit forbids it.
	Charge(ctx context.Context, spec v1alpha1.AccountSpec, c ledger.Charge) (taken bool, err error)
	// Apply changes the ledger of an account.
	Apply(ctx context.Context, account string, change func(*v1alpha1.AccountLedgerSpec) error) error
}

// Service has the operations.
type Service struct {
	*article.Articles

	ledger Ledger
	// charges counts the charges of generate calls.
	charges *prometheus.CounterVec
}

// Register adds the operations.
func Register(articles *article.Articles, ledger Ledger, registry prometheus.Registerer) {
	s := &Service{articles, ledger, promauto.With(registry).NewCounterVec(prometheus.CounterOpts{
		Name: "pressroom_ledger_charges_total",
		Help: "Credits asked of the ledger for generate calls, by outcome.",
	}, []string{"outcome"})}
	Generate.Handle(s.Core, s.generate)
	Preview.Handle(s.Core, s.preview)
}

// count counts a charge by the ledger's answer.
func (s *Service) count(taken bool, err error) {
	outcome := "Unavailable"
	limit, limited := errors.AsType[*ledger.LimitError](err)
	switch {
	case limited:
		outcome = string(limit.Code)
	case err == nil && taken:
		outcome = "Taken"
	case err == nil:
		outcome = "Repeated"
	}
	s.charges.WithLabelValues(outcome).Inc()
}
