package lifecycle_test

import (
	"encoding/json"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// An article that was stored before there were lengths asks for the same as then: another hash would generate it again, for a credit.
func TestAnArticleStoredBeforeThereWereLengthsAsksForTheSame(t *testing.T) {
	const stored = `{"keyword":"trail running shoes","secondaryKeywords":["grip"],"tone":"friendly"}`
	var g v1alpha1.GenerateRequest
	if err := json.Unmarshal([]byte(stored), &g); err != nil {
		t.Fatal(err)
	}
	// The SHA-256 of the stored JSON, as status.run.requestHash has it.
	const want = "b657d0f596c3bd0e5f48e2ef92ddb7901329e54fd26af84314bb1918716e8269"
	if got := lifecycle.RequestHash(&g); got != want {
		t.Errorf("the hash is %s, want %s", got, want)
	}
	g.Length = v1alpha1.LengthStandard
	if lifecycle.RequestHash(&g) == want {
		t.Error("a length that is set has no effect on the hash")
	}
}
