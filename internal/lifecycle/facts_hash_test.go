package lifecycle_test

import (
	"crypto/sha256"
	"encoding/hex"
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

// The same holds for one that was stored before there were Briefs, with all that a request had then.
func TestAnArticleStoredBeforeThereWereBriefsAsksForTheSame(t *testing.T) {
	const stored = `{"keyword":"trail running shoes","secondaryKeywords":["grip"],"tone":"friendly","length":"Long"}`
	sum := sha256.Sum256([]byte(stored))
	want := hex.EncodeToString(sum[:])
	read := func(text string) *v1alpha1.GenerateRequest {
		var g v1alpha1.GenerateRequest
		if err := json.Unmarshal([]byte(text), &g); err != nil {
			t.Fatal(err)
		}
		return &g
	}
	if got := lifecycle.RequestHash(read(stored)); got != want {
		t.Errorf("the hash is %s, want %s", got, want)
	}
	for _, asked := range []string{`{"keyword":"trail running shoes","briefRef":{"name":"trail"}}`, `{"keyword":"trail running shoes","instructions":"More."}`} {
		if lifecycle.RequestHash(read(asked)) == lifecycle.RequestHash(read(`{"keyword":"trail running shoes"}`)) {
			t.Errorf("%s asks for nothing else", asked)
		}
	}
}
