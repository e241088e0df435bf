package reason_test

import (
	"regexp"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/apiserver/rest/reason"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
)

// manifest matches what editors do not see: fields of manifests, kinds, and annotations.
var manifest = regexp.MustCompile(`\b(spec|status)\.[a-z]|pressroom\.dev|\b(Secret|Site|Article|Account|ArticleRevision|EventSubscription)\b|kubectl|\bRFC`)

func TestEveryReasonHasWordsForEditors(t *testing.T) {
	for name := range conditions.Reasons {
		w := reason.Of(name)
		if w.Sentence == "" {
			t.Errorf("%s has no words", name)
			continue
		}
		if reason.Of(operation.SnakeCase(name)) != w || w.Text() == "" {
			t.Errorf("%s has other words in the REST API", name)
		}
		for _, text := range []string{w.Sentence, w.Label, w.Advice} {
			if found := manifest.FindString(text); found != "" {
				t.Errorf("%s: %q speaks of %s", name, text, found)
			}
		}
		if strings.HasSuffix(w.Sentence, ".") || strings.ToLower(w.Sentence[:1]) != w.Sentence[:1] {
			t.Errorf("%s: %q is no part of a sentence", name, w.Sentence)
		}
		if w.Advice != "" && !strings.HasSuffix(w.Advice, ".") {
			t.Errorf("%s: the advice %q is no sentence", name, w.Advice)
		}
	}
}

func TestWhatSpeaksToOperatorsIsNotShownToEditors(t *testing.T) {
	for _, tt := range []struct{ reason, message, want string }{
		{v1alpha1.ReasonNotRequested, "spec.stage is Review, not Published", "nobody has published it yet"},
		{v1alpha1.ReasonSuspended, "spec.suspend of the Site is true", "work is suspended, and goes on when that ends"},
		{v1alpha1.ReasonReceiverRejected, "the receiver answered 410 Gone", "the receiver answered 410 Gone"},
	} {
		if got := reason.Message(&metav1.Condition{Reason: tt.reason, Message: tt.message}); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.reason, got, tt.want)
		}
	}
}
