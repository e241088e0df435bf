package document_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/rest/document"
)

// The document is generated: `make check` proves that it is fresh, and package rest that it is what the code does.
func TestEveryOperationOfTheDocumentHasAnIDOfItsOwnAndWords(t *testing.T) {
	var got struct {
		OpenAPI string `json:"openapi"`
		Paths   map[string]map[string]struct {
			ID          string `json:"operationId"`
			Summary     string `json:"summary"`
			Description string `json:"description"`
		} `json:"paths"`
	}
	if err := json.Unmarshal(document.JSON, &got); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(got.OpenAPI, "3.1.") {
		t.Errorf("openapi is %q", got.OpenAPI)
	}
	seen := map[string]bool{}
	for path, methods := range got.Paths {
		for method, operation := range methods {
			if operation.ID == "" || seen[operation.ID] || operation.Summary == "" || operation.Description == "" {
				t.Errorf("%s %s: the id %q, the summary %q and the description %q must all be there, and the id once",
					method, path, operation.ID, operation.Summary, operation.Description)
			}
			seen[operation.ID] = true
		}
	}
	if len(seen) == 0 {
		t.Error("the document has no operations")
	}
}
