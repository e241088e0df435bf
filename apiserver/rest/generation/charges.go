package generation

import (
	"errors"
	"fmt"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/pressroom-dev/pressroom/internal/ledger"
)

// chargeMetrics count the charges of generate calls.
type chargeMetrics struct{ charges *prometheus.CounterVec }

func newChargeMetrics(registry prometheus.Registerer) (*chargeMetrics, error) {
	m := &chargeMetrics{charges: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "pressroom_ledger_charges_total",
		Help: "Credits asked of the ledger for generate calls, by outcome.",
	}, []string{"outcome"})}
	if err := registry.Register(m.charges); err != nil {
		return nil, fmt.Errorf("registering metrics: %w", err)
	}
	return m, nil
}

// count counts a charge by the ledger's answer.
func (m *chargeMetrics) count(taken bool, err error) {
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
	m.charges.WithLabelValues(outcome).Inc()
}
