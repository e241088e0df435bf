package command_test

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/command"
)

func TestNonce(t *testing.T) {
	for _, tt := range []struct{ value, want string }{
		{"", ""}, {"again", "again"}, {strings.Repeat("a", 128), strings.Repeat("a", 128)},
		// Made with: head -c 129 /dev/zero | tr '\0' a | sha256sum
		{strings.Repeat("a", 129), "c12cb024a2e5551cca0e08fce8f1c5e314555cc3fef6329ee994a3db752166ae"},
	} {
		a := &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{"n": tt.value}}}
		if got := command.Nonce(a, "n"); got != tt.want {
			t.Errorf("the nonce %q is stored as %q, want %q", tt.value, got, tt.want)
		}
	}
}
