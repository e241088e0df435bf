package article_test

import (
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/fakewordpress"
)

// `kubectl replace --force` and GitOps tools delete an article and create it again before the controller sees that it was gone.
var _ = Describe("An article that is created again during its attempt", func() {
	var t *tenant
	BeforeEach(func() { t = newTenant() })

	const grip, lugs = "Grip is all.", "Lugs are all."
	create := func(markdown string, changes ...func(*v1alpha1.Article)) client.ObjectKey {
		GinkgoHelper()
		key := t.CreateArticle("shoes", WithText("Shoes", markdown), ToBePublished)
		if len(changes) > 0 {
			t.EditArticle(key, changes[0])
		}
		return key
	}
	remove := func(key client.ObjectKey) {
		GinkgoHelper()
		for _, rev := range t.Revisions() {
			Expect(api.Delete(t.Ctx, &rev)).To(Succeed())
		}
		Expect(api.Delete(t.Ctx, t.GetArticle(key))).To(Succeed())
	}
	// again creates the article again while the attempt is in progress, and has the answer come after its first reconcile.
	again := func(answer func(), key client.ObjectKey, markdown string, changes ...func(*v1alpha1.Article)) *v1alpha1.Article {
		GinkgoHelper()
		remove(key)
		create(markdown, changes...)
		t.Reconcile(key)
		Expect(t.GetArticle(key).Status.Publication).To(BeNil())
		answer()
		return t.ReconcileUntilStable(key)
	}
	posts := func() []v1alpha1.Post {
		GinkgoHelper()
		var list v1alpha1.PostList
		Expect(api.List(t.Ctx, &list, client.InNamespace(t.Namespace))).To(Succeed())
		return list.Items
	}

	It("has the one post that WordPress made", func() {
		b, proceed := fakewordpress.New(), make(chan struct{})
		DeferCleanup(b.Close)
		b.Intercept(func(_ http.ResponseWriter, r *http.Request) bool {
			if r.Method == http.MethodPost {
				<-proceed
			}
			return false
		})
		t.createCredentials(b.Password)
		t.CreateSite(t.isWordPress(b.URL))
		key := create(grip, ApprovedInManifest)
		t.Reconcile(key)
		a := again(func() { close(proceed) }, key, grip, ApprovedInManifest)
		Expect(b.Posts()).To(HaveExactElements(HaveField("Slug", "shoes")))
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(a.Status.Slug).To(Equal("shoes"))
		Expect(posts()).To(HaveExactElements(HaveField("Spec.State", v1alpha1.PostPublished)))
	})

	It("knows the text that the site has, and has another one reviewed", func() {
		answer := t.HoldReceiver()
		t.CreateSite()
		key := create(grip, ApprovedInManifest)
		t.Reconcile(key)
		again(answer, key, lugs)
		Expect(t.received()).To(HaveExactElements(grip))
		Expect(posts()).To(HaveExactElements(And(
			HaveField("Spec.Slug", "shoes"), HaveField("Spec.State", v1alpha1.PostPublished), HaveField("Spec.Records", HaveLen(1)))))
		Expect(t.GetArticle(key).Status.Slug).To(Equal("shoes"))
	})

	It("knows the text of an update", func() {
		t.CreateSite(updated)
		key := create(grip, ApprovedInManifest)
		t.ReconcileUntilStable(key)
		answer := t.HoldReceiver()
		t.EditArticle(key, func(a *v1alpha1.Article) { a.Spec.Content.Markdown = lugs })
		for t.Publication.Engine.Calls.Len() == 0 {
			t.Reconcile(key)
		}
		digest := t.GetArticle(key).Status.Revision.Digest
		a := again(answer, key, lugs, ApprovedInManifest)
		Expect(t.received()).To(HaveExactElements(grip, lugs))
		Expect(a.Status.Publication.Post.Revision.Digest).To(Equal(digest))
		Expect(posts()).To(HaveExactElements(And(
			HaveField("Spec.State", v1alpha1.PostPublished), HaveField("Spec.Revision.Digest", digest))))
	})

	It("begins its own run at once", func() {
		answer := t.HoldGenerator()
		t.CreateSite()
		key := t.CreateArticle("shoes", WithKeyword)
		t.Reconcile(key)
		Expect(api.Delete(t.Ctx, t.GetArticle(key))).To(Succeed())
		t.CreateArticle("shoes", WithKeyword)
		t.Reconcile(key)
		Expect(t.GetArticle(key).Status.Run.State).To(Equal(v1alpha1.RunRunning))
		answer()
		Expect(t.ReconcileUntilStable(key).Status.Run.State).To(Equal(v1alpha1.RunSucceeded))
	})
})
