package article

import (
	"fmt"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// writtenTag identifies what people and the generator have written: the manifest, and the latest generated text.
func writtenTag(a *v1alpha1.Article) string {
	return fmt.Sprintf("%d-%d", a.Generation, lifecycle.GeneratedNumber(a))
}
