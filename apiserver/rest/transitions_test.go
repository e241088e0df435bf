package rest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

func TestTransitionsOfAnArticle(t *testing.T) {
	w := newWorld(t)
	ask := func(a *v1alpha1.Article) []rest.Transition {
		var out rest.ArticleTransitions
		w.into(request{path: "/v1/api/blogs/" + a.Name + "/transitions"}, &out)
		return out.Data
	}
	if got := ask(w.article(func(*v1alpha1.Article) {})); got == nil || len(got) > 0 {
		t.Errorf("of an article that nothing has happened to: %v, want an empty list", got)
	}
	at := metav1.NewMicroTime(began)
	told := w.article(func(a *v1alpha1.Article) {
		a.Status.Transitions = []v1alpha1.ArticleTransition{
			{Type: v1alpha1.EventReadyForReview, Number: 3, At: at},
			{Type: v1alpha1.EventRejected, Number: 3, At: at, By: "Mara", Message: "Say something about rock."},
		}
	})
	want := []rest.Transition{
		{Type: "ready_for_review", Revision: 3, At: milliseconds(began)},
		{Type: "rejected", Revision: 3, At: milliseconds(began), By: "Mara", Message: "Say something about rock."},
	}
	if diff := cmp.Diff(want, ask(told)); diff != "" {
		t.Errorf("transitions:\n%s", diff)
	}
}
