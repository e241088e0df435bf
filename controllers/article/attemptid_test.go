package article

import (
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// An attempt that was cut off is made again by the next process, and counts once. A state from before that is not about the result.
func TestAnAttemptThatIsMadeAgainHasAnIDOfItsOwn(t *testing.T) {
	made := func(holder string) *v1alpha1.Article {
		a := &v1alpha1.Article{}
		a.Status.Run = &v1alpha1.GenerationRun{Name: "shoes-1", Attempt: 1, Holder: holder}
		return a
	}
	if first, again := runAttemptID(made("process-1")), runAttemptID(made("process-2")); first == again {
		t.Errorf("both attempts have the id %s", first)
	}
}
