package operation

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/internal/publish/eventhook"
)

// Milliseconds formats a time for answers and events (docs/reference/contract.md, Requests and answers).
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
func WhenOrNull(t *v1alpha1.MicroTime) *string {
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

// CycleState returns the name of a delivery cycle's state over HTTP, which is older than the name in the Kubernetes API.
func CycleState(state v1alpha1.CycleState) string {
	switch state {
	case v1alpha1.CycleInProgress:
		return "delivering"
	case v1alpha1.CycleAccepted:
		return "delivered"
	default:
		return SnakeCase(string(state))
	}
}

// ParseCycleState returns the one of the states whose name over HTTP is name; empty if there is none.
func ParseCycleState(name string, states ...v1alpha1.CycleState) v1alpha1.CycleState {
	i := slices.IndexFunc(states, func(state v1alpha1.CycleState) bool { return CycleState(state) == name })
	if i < 0 {
		return ""
	}
	return states[i]
}

// ParseEnum returns the one of the values of the Kubernetes API whose name in the REST API is name; empty if there is none.
func ParseEnum[T ~string](name string, values ...T) T {
	i := slices.IndexFunc(values, func(v T) bool { return SnakeCase(string(v)) == name })
	if i < 0 {
		return ""
	}
	return values[i]
}

// NewestFirst sorts objects by their creation, and those of the same second by name.
func NewestFirst[T any, O interface {
	*T
	client.Object
}](objects []T) {
	slices.SortFunc(objects, func(x, y T) int {
		a, b := O(&x), O(&y)
		return cmp.Or(b.GetCreationTimestamp().Compare(a.GetCreationTimestamp().Time), strings.Compare(a.GetName(), b.GetName()))
	})
}
