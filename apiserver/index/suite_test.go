package index_test

import (
	"context"
	"errors"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/test/testenv"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

func TestIndexOnAnAPIServer(t *testing.T) {
	RegisterFailHandler(Fail)
	// A busy machine takes its time.
	SetDefaultEventuallyTimeout(20 * time.Second)
	RunSpecs(t, "Index")
}

var (
	cluster   *testenv.Cluster
	api       client.Client
	informers cache.Cache
	indexed   *index.Index
)

var _ = BeforeSuite(func() {
	cluster = testenv.Start()
	api = cluster.Client
	// What exists before the informers start comes to them in another way than what comes later.
	create(inWorkspace("before", "acme"), written("before", "early"), located("before", "blog"))

	indexed, _ = newIndex()
	byObject, err := indexed.CacheByObject()
	Expect(err).NotTo(HaveOccurred())
	informers = cluster.NewCache(byObject)
	ctx, cancel := context.WithCancel(context.Background())
	DeferCleanup(cancel)
	Expect(indexed.HasSynced()).To(BeFalse(), "before it is registered")
	broken := &failing{Informers: informers, failAt: 2}
	Expect(indexed.Register(ctx, broken)).NotTo(Succeed())
	Expect(indexed.HasSynced()).To(BeFalse(), "while it is registered in part")
	for range 3 {
		Expect(indexed.Register(ctx, informers)).To(Succeed())
	}
	Expect(broken.calls).To(Equal(2))
	Expect(indexed.HasSynced()).To(BeFalse(), "before the informers have started")
	testenv.StartCache(informers)
	Eventually(indexed.HasSynced).Should(BeTrue())
})

// failing informers fail once, as if kube-apiserver did not have a kind yet.
type failing struct {
	cache.Informers
	calls, failAt int
}

func (f *failing) GetInformer(ctx context.Context, o client.Object, opts ...cache.InformerGetOption) (cache.Informer, error) {
	if f.calls++; f.calls == f.failAt {
		return nil, errors.New("no such kind")
	}
	return f.Informers.GetInformer(ctx, o, opts...)
}

func create(objects ...client.Object) {
	GinkgoHelper()
	for _, o := range objects {
		Expect(api.Create(context.Background(), o)).To(Succeed())
	}
}

func inWorkspace(name, account string) *corev1.Namespace {
	n := testkit.NewWorkspace(name, account)
	if account == "" {
		n.Labels = nil
	}
	return n
}

func located(workspace, name string) *v1alpha1.Site {
	s := &v1alpha1.Site{Spec: v1alpha1.SiteSpec{Domain: "example.com", CMS: v1alpha1.SiteCMS{Type: v1alpha1.CMSNone}}}
	s.Namespace, s.Name = workspace, name
	return s
}

func written(workspace, name string) *v1alpha1.Article {
	a := &v1alpha1.Article{Spec: v1alpha1.ArticleSpec{
		SiteRef: v1alpha1.LocalReference{Name: "blog"},
		Content: &v1alpha1.ArticleContent{Title: "Title", Markdown: "A text of some length."},
	}}
	a.Namespace, a.Name = workspace, name
	return a
}

func listed(workspace string, f index.Query) func() []string {
	return func() []string {
		items, _ := indexed.List(workspace, f, "", 10)
		return names(items)
	}
}

var _ = Describe("An index on informers", func() {
	It("knows what was there before it", func() {
		Expect(listed("before", index.Query{})()).To(Equal([]string{"early"}))
		Expect(siteNames(indexed.Sites("acme", nil))).To(ContainElement("before/blog"))
		Expect(workspaceNames(indexed.Workspaces("acme"))).To(ContainElement("before"))
	})

	It("holds articles without their text, in the phase that the text gives them", func() {
		uid := identity.UID(identity.KindArticle, "before", "early")
		a, ok := indexed.Get("before", uid)
		Expect(ok).To(BeTrue())
		Expect(lifecycle.WithoutText(a.Object.Spec.Content)).To(BeTrue())
		Expect(a.Object.Spec.Content.Title).To(Equal("Title"))
		Expect(a.Phase).To(Equal(review))
	})

	It("follows what comes, changes and goes", func() {
		create(inWorkspace("after", "acme"), located("after", "blog"))
		a := written("after", "one")
		create(a)
		Eventually(listed("after", index.Query{Statuses: []v1alpha1.ArticlePhase{review}})).Should(Equal([]string{"one"}))
		Eventually(func() []string { return siteNames(indexed.Sites("acme", nil)) }).Should(ContainElement("after/blog"))

		a.Spec.Stage = v1alpha1.StageArchived
		Expect(api.Update(context.Background(), a)).To(Succeed())
		Eventually(listed("after", index.Query{Statuses: []v1alpha1.ArticlePhase{v1alpha1.PhaseArchived}})).Should(Equal([]string{"one"}))
		Expect(listed("after", index.Query{Statuses: []v1alpha1.ArticlePhase{review}})()).To(BeEmpty())

		Expect(api.Delete(context.Background(), a)).To(Succeed())
		Expect(api.Delete(context.Background(), located("after", "blog"))).To(Succeed())
		Eventually(listed("after", index.Query{})).Should(BeEmpty())
		Eventually(func() []string { return siteNames(indexed.Sites("acme", nil)) }).ShouldNot(ContainElement("after/blog"))
	})
})
