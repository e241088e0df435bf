package generation_test

import (
	"net/http"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestChargesAreCountedByOutcome(t *testing.T) {
	for want, err := range map[string]error{
		"Taken": nil, "InsufficientCredits": &ledger.LimitError{Code: ledger.InsufficientCredits},
		"RateLimited": &ledger.LimitError{Code: ledger.RateLimited}, "Unavailable": ledger.ErrUnavailable,
	} {
		api, registry := operationtest.New(t), prometheus.NewRegistry()
		api.Deps.Registry, api.Ledger.Err = registry, err
		api.Do(operationtest.Request{Method: http.MethodPost, Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil)})
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
