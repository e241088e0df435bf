package article_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/articlelist"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestTransitionsOfAnArticle(t *testing.T) {
	api := operationtest.New(t)
	ask := func(a *v1alpha1.Article) []restarticle.ArticleTransition {
		var out restarticle.ArticleTransitions
		api.Into(operationtest.Request{Path: "/v1/api/blogs/" + a.Name + "/transitions"}, &out)
		return out.Data
	}
	if got := ask(api.Article(func(*v1alpha1.Article) {})); got == nil || len(got) > 0 {
		t.Errorf("of an article that nothing has happened to: %v, want an empty list", got)
	}
	at := v1alpha1.NewMicroTime(operationtest.Began)
	told := api.Article(func(a *v1alpha1.Article) {
		a.Status.Transitions = []v1alpha1.ArticleTransition{
			{Type: v1alpha1.EventReadyForReview, RevisionNumber: 3, Time: at},
			{Type: v1alpha1.EventRejected, RevisionNumber: 3, Time: at, By: "Mara", Message: "Say something about rock."},
		}
	})
	want := []restarticle.ArticleTransition{
		{Type: "ready_for_review", Revision: 3, At: operationtest.Milliseconds(operationtest.Began)},
		{Type: "rejected", Revision: 3, At: operationtest.Milliseconds(operationtest.Began), By: "Mara", Message: "Say something about rock."},
	}
	if diff := cmp.Diff(want, ask(told)); diff != "" {
		t.Errorf("transitions:\n%s", diff)
	}
}

// Pages that are open ask for the same again and again.
func TestTheStatusOfAnArticleIsReadOnceForEachState(t *testing.T) {
	api := operationtest.New(t)
	a := api.Article(func(a *v1alpha1.Article) {
		a.Status.Transitions = []v1alpha1.ArticleTransition{{Type: v1alpha1.EventReadyForReview, RevisionNumber: 1}}
	})
	ask := func() (transitions int) {
		var out restarticle.ArticleTransitions
		api.Into(operationtest.Request{Path: "/v1/api/blogs/" + a.Name + "/transitions"}, &out)
		api.Into(operationtest.Request{Path: "/v1/api/blogs/" + a.Name + "/deliveries"}, nil)
		return len(out.Data)
	}
	for range 3 {
		if got := ask(); got != 1 {
			t.Fatalf("%d transitions, want 1", got)
		}
	}
	if api.Objects.Reads != 1 {
		t.Errorf("%d reads of an article that has not changed, want 1", api.Objects.Reads)
	}

	changed := a.DeepCopy()
	changed.ResourceVersion = "2"
	changed.Status.Transitions = append(changed.Status.Transitions, v1alpha1.ArticleTransition{Type: v1alpha1.EventApproved, RevisionNumber: 1})
	api.Objects.Articles[client.ObjectKeyFromObject(a)] = changed
	api.Indexed(changed)
	for range 3 {
		if got := ask(); got != 2 {
			t.Fatalf("%d transitions, want 2 once the index has the change", got)
		}
	}
	if api.Objects.Reads != 2 {
		t.Errorf("%d reads of an article in two states, want 2", api.Objects.Reads)
	}

	again := changed.DeepCopy()
	again.UID, again.Status.Transitions = "another", nil
	api.Objects.Articles[client.ObjectKeyFromObject(a)] = again
	api.Index.Handlers().Articles.OnDelete(changed)
	api.Indexed(again)
	if got := ask(); got != 0 {
		t.Errorf("%d transitions of another article of the name, want none", got)
	}
}

// A site that pulls asks for the live text, and gets 410 Gone. A client that lists articles and gets each has all of them.
func TestAnUnpublishedArticleIsGoneForASiteThatPullsAlone(t *testing.T) {
	api := operationtest.New(t)
	a := api.WithPost(operationtest.TakenBack)
	path := "/v1/api/blogs/" + a.Name
	operationtest.WantFailure(t, api.Do(operationtest.Request{Path: path + "?text=live"}), http.StatusGone, problem.CodeGone)
	for _, query := range []string{"", "?text=pending"} {
		var got restarticle.Article
		api.Into(operationtest.Request{Path: path + query}, &got)
		if got.UID != a.Name || got.UnpublishedAt == nil {
			t.Errorf("%q: got %+v", query, got)
		}
	}
	api.SiteWith(operationtest.WordPress)
	if got := api.Do(operationtest.Request{Path: path + "?text=live"}); got.Status != http.StatusOK {
		t.Errorf("of a site that does not pull: got %d: %s", got.Status, got.Raw)
	}
}

func TestAPublishedArticleIsItsLiveTextBesideWhatIsPending(t *testing.T) {
	api := operationtest.New(t)
	a := api.WithPending()
	path := "/v1/api/blogs/" + a.Name
	var got restarticle.Article
	api.Into(operationtest.Request{Path: path}, &got)
	if got.Status != "published" || got.Title != "Text 1" || got.RevisionDigest != operationtest.TextOf(1).Digest() || got.Slug != "text" {
		t.Errorf("got %s %q %s %q, want the live text", got.Status, got.Title, got.RevisionDigest, got.Slug)
	}
	want := fmt.Sprintf("review %s Text 2", operationtest.TextOf(2).Digest())
	if p := got.Pending; p == nil || fmt.Sprint(p.Status, " ", p.RevisionDigest, " ", p.Title) != want || p.SEOScore == nil {
		t.Errorf("pending is %+v, want %s", p, want)
	}
	api.Into(operationtest.Request{Path: path + "?text=pending"}, &got)
	if got.Status != "published" || got.Title != "Text 2" || got.RevisionDigest != operationtest.TextOf(2).Digest() {
		t.Errorf("got %s %q %s, want the pending text", got.Status, got.Title, got.RevisionDigest)
	}
	var page articlelist.ArticlePage
	api.Into(operationtest.Request{Path: "/v1/api/blogs"}, &page)
	if one := page.Data[0]; one.Title != "Text 1" || one.RevisionDigest != operationtest.TextOf(1).Digest() || one.Pending == nil || one.Pending.Title != "Text 2" {
		t.Errorf("the list has %q %s %+v, want the live text beside the pending one", one.Title, one.RevisionDigest, one.Pending)
	}
	var list restarticle.ArticleRevisionList
	api.Into(operationtest.Request{Path: path + "/revisions"}, &list)
	for _, r := range list.Data {
		if r.Live != (r.Number == 1) || r.Current != (r.Number == 2) {
			t.Errorf("revision %d: live %t, current %t", r.Number, r.Live, r.Current)
		}
	}
	operationtest.WantFields(t, api.Do(operationtest.Request{Path: path + "?text=both"}), "text")
}
