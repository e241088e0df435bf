package rest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
)

func TestTransitionsOfAnArticle(t *testing.T) {
	api := newAPI(t)
	ask := func(a *v1alpha1.Article) []restarticle.ArticleTransition {
		var out restarticle.ArticleTransitions
		api.into(request{path: "/v1/api/blogs/" + a.Name + "/transitions"}, &out)
		return out.Data
	}
	if got := ask(api.article(func(*v1alpha1.Article) {})); got == nil || len(got) > 0 {
		t.Errorf("of an article that nothing has happened to: %v, want an empty list", got)
	}
	at := v1alpha1.NewMicroTime(began)
	told := api.article(func(a *v1alpha1.Article) {
		a.Status.Transitions = []v1alpha1.ArticleTransition{
			{Type: v1alpha1.EventReadyForReview, RevisionNumber: 3, Time: at},
			{Type: v1alpha1.EventRejected, RevisionNumber: 3, Time: at, By: "Mara", Message: "Say something about rock."},
		}
	})
	want := []restarticle.ArticleTransition{
		{Type: "ready_for_review", Revision: 3, At: milliseconds(began)},
		{Type: "rejected", Revision: 3, At: milliseconds(began), By: "Mara", Message: "Say something about rock."},
	}
	if diff := cmp.Diff(want, ask(told)); diff != "" {
		t.Errorf("transitions:\n%s", diff)
	}
}

// Pages that are open ask for the same again and again.
func TestTheStatusOfAnArticleIsReadOnceForEachState(t *testing.T) {
	api := newAPI(t)
	a := api.article(func(a *v1alpha1.Article) {
		a.Status.Transitions = []v1alpha1.ArticleTransition{{Type: v1alpha1.EventReadyForReview, RevisionNumber: 1}}
	})
	ask := func() (transitions int) {
		var out restarticle.ArticleTransitions
		api.into(request{path: "/v1/api/blogs/" + a.Name + "/transitions"}, &out)
		api.into(request{path: "/v1/api/blogs/" + a.Name + "/deliveries"}, nil)
		return len(out.Data)
	}
	for range 3 {
		if got := ask(); got != 1 {
			t.Fatalf("%d transitions, want 1", got)
		}
	}
	if api.objects.reads != 1 {
		t.Errorf("%d reads of an article that has not changed, want 1", api.objects.reads)
	}

	changed := a.DeepCopy()
	changed.ResourceVersion = "2"
	changed.Status.Transitions = append(changed.Status.Transitions, v1alpha1.ArticleTransition{Type: v1alpha1.EventApproved, RevisionNumber: 1})
	api.objects.articles[client.ObjectKeyFromObject(a)] = changed
	api.indexed(changed)
	for range 3 {
		if got := ask(); got != 2 {
			t.Fatalf("%d transitions, want 2 once the index has the change", got)
		}
	}
	if api.objects.reads != 2 {
		t.Errorf("%d reads of an article in two states, want 2", api.objects.reads)
	}

	again := changed.DeepCopy()
	again.UID, again.Status.Transitions = "another", nil
	api.objects.articles[client.ObjectKeyFromObject(a)] = again
	api.index.Handlers().Articles.OnDelete(changed)
	api.indexed(again)
	if got := ask(); got != 0 {
		t.Errorf("%d transitions of another article of the name, want none", got)
	}
}
