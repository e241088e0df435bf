package kinds

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	api "github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// configMap refers to a ConfigMap as an owner.
func configMap(name string, uid types.UID) metav1.OwnerReference {
	return metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: name, UID: uid}
}

var _ = Describe("The right to change an object", func() {
	const need = "who adds an owner or a finalizer must hold the verb delete"
	own := func(o client.Object) { o.SetOwnerReferences([]metav1.OwnerReference{configMap("settings", "u")}) }
	hold := func(o client.Object) { o.SetFinalizers([]string{"acme.example/keep"}) }
	patch := func(ctx SpecContext, user string, o client.Object, change func(client.Object)) error {
		GinkgoHelper()
		changed, ok := o.DeepCopyObject().(client.Object)
		Expect(ok).To(BeTrue())
		change(changed)
		return as(user).Patch(ctx, changed, client.MergeFrom(o))
	}

	DescribeTable("is not the right to have it deleted or held",
		func(ctx SpecContext, user string, of func() client.Object) {
			object := of()
			Expect(admin.Create(ctx, object)).To(Succeed())
			for _, change := range []func(client.Object){own, hold} {
				Eventually(func() error { return patch(ctx, user, object, change) }).WithContext(ctx).Should(beForbidden(need))
			}
			Expect(patch(ctx, user, object, func(o client.Object) { o.SetAnnotations(map[string]string{"team": "blog"}) })).To(Succeed())
		},
		Entry("the facade and deliveries of events", facade, func() client.Object { return newEventDelivery(workspace) }),
		Entry("the facade and ledgers", facade, func() client.Object { return newAccountLedger() }),
		Entry("administrators of a workspace and deliveries of events", manager, func() client.Object { return newEventDelivery(workspace) }),
		Entry("administrators of accounts and ledgers", keeper, func() client.Object { return newAccountLedger() }),
		Entry("those who only write sites", siteWriter, func() client.Object { return newSite(workspace) }),
	)

	It("is enough to take owners and finalizers away, which the garbage collector does", func(ctx SpecContext) {
		site := newSite(workspace)
		site.Finalizers = []string{"acme.example/keep"}
		site.OwnerReferences = []metav1.OwnerReference{configMap("settings", "u"), configMap("other", "v")}
		Expect(admin.Create(ctx, site)).To(Succeed())
		rename := func(o client.Object) { o.SetOwnerReferences([]metav1.OwnerReference{configMap("gone", "u")}) }
		Eventually(func() error { return patch(ctx, siteWriter, site, rename) }).WithContext(ctx).Should(beForbidden(need))
		Expect(patch(ctx, siteWriter, site, func(o client.Object) { o.SetOwnerReferences(site.OwnerReferences[1:]) })).To(Succeed())
		Expect(patch(ctx, siteWriter, site, func(o client.Object) {
			o.SetOwnerReferences(nil)
			o.SetFinalizers(nil)
		})).To(Succeed())
	})

	It("is the right to do so with the verb delete", func(ctx SpecContext) {
		article := existing(ctx, nil)
		Expect(patch(ctx, author, article, own)).To(Succeed())
		Expect(patch(ctx, author, article, hold)).To(Succeed())
	})

	It("does not come with the right to write its status", func(ctx SpecContext) {
		writer := "sven@acme.example"
		allow(ctx, writer, rule("pressroom.dev", "articles/status", "update", "patch"))
		status := authorizationv1.ResourceAttributes{
			Namespace: workspace, Verb: "patch", Group: "pressroom.dev", Resource: "articles", Subresource: "status",
		}
		Eventually(mayDo).WithContext(ctx).WithArguments(writer, status).Should(BeTrue())
		article := existing(ctx, nil)
		setStatus(ctx, article, published(api.PostUncertain, api.StagePublished).Status)
		changed := article.DeepCopy()
		own(changed)
		hold(changed)
		changed.Labels, changed.Annotations = map[string]string{"team": "blog"}, map[string]string{api.RegenerateAnnotation: "1"}
		changed.Spec.Stage, changed.Spec.Review = api.StagePublished, approval(digest)
		changed.ManagedFields = []metav1.ManagedFieldsEntry{{}}
		changed.Status.Phase = api.PhaseArchived
		Expect(as(writer).Status().Patch(ctx, changed, client.MergeFrom(article))).To(Succeed())
		Expect(changed.Status.Phase).To(Equal(api.PhaseArchived))
		Expect(changed.Spec).To(Equal(article.Spec))
		for _, field := range [][2]any{
			{changed.OwnerReferences, article.OwnerReferences}, {changed.Finalizers, article.Finalizers}, {changed.Labels, article.Labels},
			{changed.Annotations, article.Annotations}, {changed.ManagedFields[0], article.ManagedFields[0]},
		} {
			Expect(field[0]).To(Equal(field[1]))
		}
	})
})
