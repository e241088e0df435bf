package rest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/document"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

// Anyone who may not ask learns nothing about how to ask.
func TestEveryOperationRefusesACredentialBeforeItLooksAtTheRequest(t *testing.T) {
	var described struct {
		Paths map[string]map[string]struct {
			ID       string                `json:"operationId"`
			Security []map[string][]string `json:"security"`
		} `json:"paths"`
	}
	if err := json.Unmarshal(document.JSON, &described); err != nil {
		t.Fatal(err)
	}
	api, seen := operationtest.New(t), 0
	for path, operations := range described.Paths {
		for method, op := range operations {
			// Every credential may ask who it is.
			if op.Security[0]["apiKey"] == nil || op.ID == "whoami" {
				continue
			}
			seen++
			keys := []string{operationtest.ScopelessKey}
			if method != "get" {
				keys = append(keys, operationtest.ReadOnlyKey)
			}
			if strings.HasPrefix(path, "/v1/api/oauth/") {
				keys = append(keys, operationtest.AppToken, operationtest.LimitedKey)
			}
			for _, key := range keys {
				for _, header := range []map[string]string{nil, {"Content-Type": "text/plain"}} {
					got := api.Do(operationtest.Request{
						Method: strings.ToUpper(method), Path: strings.NewReplacer("{", "", "}", "").Replace(path) + "?limit=-1&person=" + strings.Repeat("x", 300),
						Key: key, Workspace: "-", Body: `{"nonsense": [`, Header: header,
					})
					if f := operationtest.Failure(t, got); got.Status != http.StatusForbidden || f.Problem.Code != problem.CodeInsufficientScope {
						t.Errorf("%s with the key %s: got %d %s, want 403", op.ID, key, got.Status, f.Problem.Code)
					}
				}
			}
		}
	}
	for _, path := range []string{"/v1/api/sites", "/v1/api/workspaces", "/v1/api/blogs", operationtest.ClientsPath} {
		if got := api.Do(operationtest.Request{Path: path, Key: operationtest.ReadOnlyKey}); got.Status != http.StatusOK {
			t.Errorf("reading %s with the scope read: got %d: %s", path, got.Status, got.Raw)
		}
	}
	if seen < 30 {
		t.Errorf("only %d operations were tried", seen)
	}
}
