package articles

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/rest/document"
)

func TestEachActionOnManyArticlesIsAnOperationOfTheRESTAPI(t *testing.T) {
	var api struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct {
					Enum []string `json:"enum"`
				} `json:"properties"`
			} `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(document.JSON, &api); err != nil {
		t.Fatal(err)
	}
	accepted := api.Components.Schemas["BulkRequest"].Properties["operation"].Enum
	for _, action := range bulkActions {
		for _, operation := range action.operations() {
			if !slices.Contains(accepted, string(operation)) {
				t.Errorf("%q: bulk-articles does not do %q, but %v", action.Text, operation, accepted)
			}
		}
	}
}
