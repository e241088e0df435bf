package index_test

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
)

// withText is an article with so many bytes of its author's text as JSON, as the informer hands it over.
func withText(t *testing.T, x *index.Index, workspace string, n, size int) *v1alpha1.Article {
	t.Helper()
	a := article(workspace, n, "s", review)
	rest := len(`{"title":"\u003c","markdown":""}`)
	a.Spec.Content = &v1alpha1.ArticleContent{Title: "<", Markdown: strings.Repeat("x", size-rest)}
	out, err := x.Transform()(a)
	if err != nil {
		t.Fatal(err)
	}
	// A reflector that streams its first list transforms each object twice.
	if out, err = x.Transform()(out); err != nil {
		t.Fatal(err)
	}
	return out.(*v1alpha1.Article)
}

func subscription(workspace, name string, uid types.UID) *metav1.PartialObjectMetadata {
	s := index.SubscriptionMetadata()
	s.Namespace, s.Name, s.UID = workspace, name, uid
	return s
}

func TestAnAccountsArticlesTextAndSubscriptionsAreCounted(t *testing.T) {
	x, _ := newIndex()
	wantUsage := func(step string, want index.Usage) {
		t.Helper()
		if got := x.Usage("acme"); got != want {
			t.Errorf("%s: %+v, want %+v", step, got, want)
		}
	}
	wantUsage("an unknown account", index.Usage{})
	first, second := withText(t, x, "w", 1, 100), withText(t, x, "w", 2, 1000)
	x.Handlers().Articles.OnAdd(first, true)
	x.Handlers().Articles.OnAdd(second, true)
	x.Handlers().Articles.OnAdd(article("w", 3, "s", review), true)
	x.Handlers().Articles.OnAdd(withText(t, x, "shop", 1, 50), true)
	x.Handlers().Articles.OnAdd(withText(t, x, "other", 1, 70), true)
	x.Handlers().Subscriptions.OnAdd(subscription("w", "a", "1"), true)
	x.Handlers().Subscriptions.OnAdd(subscription("shop", "a", "2"), true)
	x.Handlers().Subscriptions.OnAdd(subscription("other", "a", "3"), true)
	wantUsage("before the namespaces are known", index.Usage{})
	x.Handlers().Namespaces.OnAdd(namespace("w", "acme", "1"), true)
	x.Handlers().Namespaces.OnAdd(namespace("shop", "acme", "1"), true)
	x.Handlers().Namespaces.OnAdd(namespace("other", "rival", "1"), true)
	wantUsage("all", index.Usage{Articles: 4, Unpublished: 4, TextBytes: 1150, Subscriptions: 2})

	live := next(second, func(a *v1alpha1.Article) {
		a.Status.Publication = &v1alpha1.Publication{Post: v1alpha1.SitePost{State: v1alpha1.PostPresent, Revision: &v1alpha1.PublicationRevision{}}}
	})
	x.Handlers().Articles.OnUpdate(second, live)
	wantUsage("one is published", index.Usage{Articles: 4, Unpublished: 3, TextBytes: 1150, Subscriptions: 2})
	live = next(live, func(a *v1alpha1.Article) {
		a.Status.Revision = &v1alpha1.CurrentRevision{Number: 3}
		a.Status.History, a.Status.RevisionKiB = []int32{2, 1}, []int32{20, 0, 3}
	})
	x.Handlers().Articles.OnUpdate(nil, live)
	wantUsage("and has revisions", index.Usage{Articles: 4, Unpublished: 3, TextBytes: 1150 + 23<<10, Subscriptions: 2})
	live = next(live, func(a *v1alpha1.Article) { a.Status.RevisionKiB = nil })
	x.Handlers().Articles.OnUpdate(nil, live)
	x.Handlers().Articles.OnUpdate(live, next(live, func(a *v1alpha1.Article) { a.Spec.Stage = v1alpha1.StageArchived }))
	wantUsage("and archived", index.Usage{Articles: 4, Unpublished: 3, TextBytes: 1150, Subscriptions: 2})
	x.Handlers().Articles.OnDelete(first)
	wantUsage("another is deleted", index.Usage{Articles: 3, Unpublished: 2, TextBytes: 1050, Subscriptions: 2})

	x.Handlers().Subscriptions.OnUpdate(nil, subscription("w", "a", "4"))
	x.Handlers().Subscriptions.OnDelete(subscription("w", "a", "1"))
	wantUsage("an earlier subscription of the name is gone", index.Usage{Articles: 3, Unpublished: 2, TextBytes: 1050, Subscriptions: 2})
	x.Handlers().Subscriptions.OnDelete(subscription("w", "a", "4"))
	wantUsage("and this one", index.Usage{Articles: 3, Unpublished: 2, TextBytes: 1050, Subscriptions: 1})
	x.Handlers().Namespaces.OnDelete(namespace("shop", "acme", "2"))
	wantUsage("a namespace is gone", index.Usage{Articles: 2, Unpublished: 1, TextBytes: 1000})
}
