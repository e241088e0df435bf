package operation

import (
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/internal/publish/eventhook"
)

// Milliseconds formats a time as the contract says, in answers as in events.
func Milliseconds(t time.Time) string {
	return eventhook.Time(t)
}

// TimeOrNull formats a time in an answer: null for the zero time.
func TimeOrNull(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return new(Milliseconds(t))
}

// WhenOrNull formats a time of an object in an answer: null if it is not set.
func WhenOrNull(t *metav1.MicroTime) *string {
	if t == nil {
		return nil
	}
	return TimeOrNull(t.Time)
}

// ScopeNames returns scopes as answers have them.
func ScopeNames(scopes []v1alpha1.Scope) []string { return strings.Fields(oauth.ScopeText(scopes)) }

// SnakeCase converts a PascalCase value of the Kubernetes API to the form of the REST API.
func SnakeCase(value string) string {
	var b strings.Builder
	upper := func(c byte) bool { return c >= 'A' && c <= 'Z' }
	for i, c := range value {
		if i > 0 && upper(value[i]) && !upper(value[i-1]) {
			b.WriteByte('_')
		}
		b.WriteRune(c)
	}
	return strings.ToLower(b.String())
}

// NewestFirst sorts by a time, and by name if the times are equal.
func NewestFirst[T any](items []T, at func(T) (time.Time, string)) {
	slices.SortFunc(items, func(a, b T) int {
		ta, na := at(a)
		tb, nb := at(b)
		if c := tb.Compare(ta); c != 0 {
			return c
		}
		return strings.Compare(na, nb)
	})
}
