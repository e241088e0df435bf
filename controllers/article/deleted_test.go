package article_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

var _ = Describe("An article that was deleted since the cache saw it", func() {
	It("is no failure of the controller", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("gone", WithText("Shoes", "Text."))
		t.ReconcileUntilStable(key)
		last := t.GetArticle(key)
		Expect(api.Delete(t.Ctx, last.DeepCopy())).To(Succeed())
		last.Generation++
		t.Client.Stale = last
		_, err := t.Articles.Reconcile(t.Ctx, Request(key))
		Expect(err).NotTo(HaveOccurred())
	})
})

var _ = DescribeTable("An article in a workspace that is being deleted is not tried again", func(change func(*v1alpha1.Article)) {
	t := newTenant()
	t.CreateSite()
	key := t.CreateArticle("shoes", WithText("Shoes", "Text."), change)
	Expect(api.Delete(t.Ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: t.Namespace}})).To(Succeed())
	result, err := t.Articles.Reconcile(t.Ctx, Request(key))
	Expect(err).NotTo(HaveOccurred())
	Expect(result.RequeueAfter).To(BeZero())
},
	Entry("for its revision", func(*v1alpha1.Article) {}),
	Entry("for the record of its Idempotency-Key", func(a *v1alpha1.Article) {
		a.Annotations = map[string]string{v1alpha1.RequestHashAnnotation: hash}
	}),
)
