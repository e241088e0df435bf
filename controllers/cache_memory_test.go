package controllers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers"
	"github.com/pressroom-dev/pressroom/controllers/article"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/controllers/post"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// maxCachedArticle bounds what a written article takes of the controller's memory, with its share of the indexes: 20,000 of them are
// to fit into 200 MiB beside everything else, and a process takes more than twice the size of its live objects.
const maxCachedArticle = 2500

func TestTheCacheTakesLittleMemoryForAnArticle(t *testing.T) {
	const articles = 5000
	cacheOf(t, nil) // What any cache takes is not counted.
	before := heap()
	c := cacheOf(t, cachedArticles(t, articles))
	if each := (heap() - before) / articles; each > maxCachedArticle {
		t.Errorf("an article takes %d bytes, want at most %d", each, maxCachedArticle)
	}
	runtime.KeepAlive(c)
}

// There are so many slugs that many share a bucket of the index.
func TestASlugIsTakenByTheArticlesThatHaveIt(t *testing.T) {
	const articles = 5000
	posts := post.Store{Base: &base.Base{Client: readsOf{cache: cacheOf(t, cachedArticles(t, articles))}}}
	site := &v1alpha1.Site{ObjectMeta: metav1.ObjectMeta{Namespace: "texts", Name: "texts"}}
	other := &v1alpha1.Site{ObjectMeta: metav1.ObjectMeta{Namespace: "texts", Name: "other"}}
	slugOf := func(site *v1alpha1.Site, name, slug string) string {
		t.Helper()
		a := &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{Namespace: "texts", Name: name}}
		a.Spec.SiteRef.Name = site.Name
		if err := posts.Propose(t.Context(), a, site, content.Document{Slug: slug, Language: "en"}); err != nil {
			t.Fatal(err)
		}
		return a.Status.Slug
	}
	for i := range articles {
		for want, got := range map[string]string{
			fmt.Sprintf("text-%d-and-more", i): slugOf(site, fmt.Sprintf("free-%d", i), fmt.Sprintf("text-%d-and-more", i)),
			fmt.Sprintf("text-%d", i):          slugOf(other, fmt.Sprintf("other-%d", i), fmt.Sprintf("text-%d", i)),
			fmt.Sprintf("text-%d-2", i):        slugOf(site, fmt.Sprintf("taken-%d", i), fmt.Sprintf("text-%d", i)),
		} {
			if got != want {
				t.Fatalf("the slug is %s, want %s", got, want)
			}
		}
	}
}

// readsOf is a client that reads from a cache.
type readsOf struct {
	client.Client
	cache client.Reader
}

func (r readsOf) Get(ctx context.Context, key client.ObjectKey, obj client.Object, opts ...client.GetOption) error {
	return r.cache.Get(ctx, key, obj, opts...)
}

func (r readsOf) List(ctx context.Context, list client.ObjectList, opts ...client.ListOption) error {
	return r.cache.List(ctx, list, opts...)
}

// cachedArticles makes written articles as a decoder does: with strings of their own.
func cachedArticles(t *testing.T, n int) func() []v1alpha1.Article {
	t.Helper()
	text := strings.Repeat("Lug holds on *any* ground.\n\n", 200)
	return func() []v1alpha1.Article {
		articles := make([]v1alpha1.Article, n)
		for i := range articles {
			data, err := json.Marshal(writtenArticle(fmt.Sprintf("text-%d", i), text))
			if err != nil {
				t.Error(err)
			}
			if err := json.Unmarshal(data, &articles[i]); err != nil {
				t.Error(err)
			}
		}
		return articles
	}
}

// writtenArticle is a draft in the state that the controller leaves it in.
func writtenArticle(name, text string) *v1alpha1.Article {
	a := &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{
		Namespace: "texts", Name: name, UID: types.UID(fmt.Sprintf("2dfc0221-9c7c-4c78-91b3-%12s", name)), ResourceVersion: "350",
		Generation: 1, CreationTimestamp: metav1.NewTime(Started), ManagedFields: []metav1.ManagedFieldsEntry{{
			Manager: "kubectl", Operation: metav1.ManagedFieldsOperationApply, Time: new(metav1.NewTime(Started)),
			FieldsType: "FieldsV1", FieldsV1: metav1.NewFieldsV1(`{"f:spec":{}}`),
		}},
	}}
	a.Spec.SiteRef.Name, a.Spec.Stage = "texts", v1alpha1.StageDraft
	a.Spec.Content = &v1alpha1.ArticleContent{Title: name, Markdown: text}
	digest := fmt.Sprintf("sha256:%064s", name)
	a.Status.Revision = &v1alpha1.CurrentRevision{
		Name: name + "-b55b7b18-1", Number: 1, Digest: digest, ContentHash: lifecycle.ContentHash(a.Spec.Content), Title: name,
		Source: v1alpha1.SourceWritten, CreationTime: v1alpha1.NewMicroTime(Started), Fingerprint: "5a1409934ef88f9a",
	}
	a.Status.ObservedGeneration = a.Generation
	a.Status.Slug, a.Status.Phase, a.Status.LastRevisionNumber = name, v1alpha1.PhaseDraft, 1
	for _, c := range []metav1.Condition{
		{Type: v1alpha1.ConditionApproved, Reason: "AwaitingReview", Message: "waits for a reviewer's decision on " + digest},
		{Type: v1alpha1.ConditionPublished, Reason: "NotRequested", Message: "spec.stage is Draft, not Published"},
		{Type: v1alpha1.ConditionReady, Reason: "Draft", Message: "the author keeps the article as a draft"},
	} {
		c.Status, c.LastTransitionTime = metav1.ConditionFalse, metav1.NewTime(Started)
		a.Status.Conditions = append(a.Status.Conditions, c)
	}
	return a
}

// cacheOf returns a manager's cache, with its indexes, that has seen these articles and nothing else.
func cacheOf(t *testing.T, articles func() []v1alpha1.Article) cache.Cache {
	t.Helper()
	options := controllers.CacheOptions(nil)
	options.Scheme, options.HTTPClient = apiruntime.NewScheme(), http.DefaultClient
	if err := v1alpha1.AddToScheme(options.Scheme); err != nil {
		t.Fatal(err)
	}
	mapper := meta.NewDefaultRESTMapper(nil)
	for _, kind := range []string{"Article", "Site", "Post", "EventDelivery", "APIKey"} {
		mapper.Add(v1alpha1.GroupVersion.WithKind(kind), meta.RESTScopeNamespace)
	}
	options.Mapper = mapper
	options.NewInformer = func(
		_ toolscache.ListerWatcher, o apiruntime.Object, resync time.Duration, i toolscache.Indexers,
	) toolscache.SharedIndexInformer {
		return toolscache.NewSharedIndexInformer(testkit.Listed(func() apiruntime.Object {
			list := &v1alpha1.ArticleList{ListMeta: metav1.ListMeta{ResourceVersion: "1"}}
			if _, is := o.(*v1alpha1.Article); is && articles != nil {
				list.Items = articles()
			}
			return list
		}), o, resync, i)
	}
	c, err := cache.New(&rest.Config{}, options)
	if err != nil {
		t.Fatal(err)
	}
	if err := article.Index(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	go func() {
		if err := c.Start(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	if !c.WaitForCacheSync(t.Context()) {
		t.Fatal("the cache did not sync")
	}
	return c
}

// heap returns the size of all objects that are in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
