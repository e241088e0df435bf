package rest_test

import (
	"net/http"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/pressroom-dev/pressroom/internal/ledger"
)

func TestChargesAreCountedByOutcome(t *testing.T) {
	for want, err := range map[string]error{
		"Taken": nil, "InsufficientCredits": &ledger.LimitError{Code: ledger.InsufficientCredits},
		"RateLimited": &ledger.LimitError{Code: ledger.RateLimited}, "Unavailable": ledger.ErrUnavailable,
	} {
		api, registry := newAPI(t), prometheus.NewRegistry()
		api.deps.Registry, api.ledger.err = registry, err
		api.do(request{method: http.MethodPost, path: "/v1/api/generate", body: generateBody(nil)})
		families, failed := registry.Gather()
		if failed != nil {
			t.Fatal(failed)
		}
		found := false
		for _, family := range families {
			if family.GetName() == "pressroom_ledger_charges_total" {
				m := family.GetMetric()
				found = len(m) == 1 && m[0].GetLabel()[0].GetValue() == want && m[0].GetCounter().GetValue() == 1
			}
		}
		if !found {
			t.Errorf("a charge that ends with %v is not counted as %s", err, want)
		}
	}
}
