package articles

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/rest/document"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
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

func TestTwoActionsStandBesideTheMenuAndDangerIsItsEnd(t *testing.T) {
	named := func(names ...lifecycle.ActionName) (actions []bulkAction) {
		for _, action := range bulkActions {
			if slices.Contains(names, action.Name) {
				actions = append(actions, action)
			}
		}
		return actions
	}
	texts := func(actions []bulkAction) (texts []string) {
		for _, a := range actions {
			texts = append(texts, a.Text)
		}
		return texts
	}
	for _, tt := range []struct {
		name       string
		possible   []bulkAction
		main, more []string
	}{
		{"none", nil, nil, nil},
		{
			"what waits for review", named("delete", "archive", "publish", "reject", "approve", approveAndPublish),
			[]string{"Approve and publish", "Approve"}, []string{"Publish", "Reject", "Archive", "Delete"},
		},
		{"what is approved", named("delete", "reject", "publish"), []string{"Publish", "Reject"}, []string{"Delete"}},
		{"one, and danger", named("delete", "archive"), []string{"Archive"}, []string{"Delete"}},
		{"danger alone", named("delete", "unpublish"), []string{"Unpublish"}, []string{"Delete"}},
	} {
		menu := menuOf(tt.possible)
		if !slices.Equal(texts(menu.Main), tt.main) || !slices.Equal(texts(menu.More), tt.more) {
			t.Errorf("%s: got %q and %q", tt.name, texts(menu.Main), texts(menu.More))
		}
	}
	if last := bulkActions[len(bulkActions)-1]; !last.Danger || last.Name != lifecycle.ActionDelete {
		t.Errorf("the last action is %s", last.Name)
	}
}
