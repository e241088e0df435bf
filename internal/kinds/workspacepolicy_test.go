package kinds

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	api "github.com/pressroom-dev/pressroom/api/v1alpha1"
)

var _ = Describe("A workspace's account", func() {
	const (
		needUse = "must hold the verb use on accounts.pressroom.dev "
		stays   = "the label pressroom.dev/account must stay acme"
	)

	It("is set by who may use the account", func(ctx SpecContext) {
		Expect(as(platform).Create(ctx, newWorkspace("acme"))).To(Succeed())
		Expect(as(platform).Create(ctx, newWorkspace("other"))).To(beForbidden(needUse + "other"))
	})

	It("is added later by who may use the account", func(ctx SpecContext) {
		ns := newWorkspace("")
		Expect(as(platform).Create(ctx, ns)).To(Succeed())
		ns.Labels[api.AccountLabel] = "other"
		Expect(as(platform).Update(ctx, ns)).To(beForbidden(needUse + "other"))
		ns.Labels[api.AccountLabel] = "acme"
		Expect(as(platform).Update(ctx, ns)).To(Succeed())
	})

	It("must be an account's name", func(ctx SpecContext) {
		ns := newWorkspace("")
		ns.Labels = map[string]string{api.AccountLabel: ""}
		Expect(admin.Create(ctx, ns)).To(beInvalid("the label pressroom.dev/account must name an account"))
	})

	DescribeTable("may not change or go, regardless of who asks for it",
		func(ctx SpecContext, change func(*corev1.Namespace)) {
			ns := newWorkspace("acme")
			Expect(admin.Create(ctx, ns)).To(Succeed())
			change(ns)
			Expect(admin.Update(ctx, ns)).To(beInvalid(stays))
			Expect(as(platform).Update(ctx, ns)).To(beInvalid(stays))
		},
		Entry("change", func(ns *corev1.Namespace) { ns.Labels[api.AccountLabel] = "other" }),
		Entry("become empty", func(ns *corev1.Namespace) { ns.Labels[api.AccountLabel] = "" }),
		Entry("go", func(ns *corev1.Namespace) { delete(ns.Labels, api.AccountLabel) }),
		Entry("go with all labels", func(ns *corev1.Namespace) { ns.Labels = nil }),
	)

	It("may not be slipped in or out through a subresource, which lets labels through", func(ctx SpecContext) {
		ns := newWorkspace("acme")
		Expect(admin.Create(ctx, ns)).To(Succeed())
		ns.Labels[api.AccountLabel] = "other"
		Expect(as(platform).SubResource("status").Update(ctx, ns)).To(beInvalid(stays))
		Expect(as(platform).SubResource("finalize").Update(ctx, ns)).To(beInvalid(stays))

		plain := newWorkspace("")
		Expect(admin.Create(ctx, plain)).To(Succeed())
		plain.Labels[api.AccountLabel] = "other"
		Expect(as(platform).SubResource("status").Update(ctx, plain)).To(beForbidden(needUse))
		Expect(as(platform).SubResource("finalize").Update(ctx, plain)).To(beForbidden(needUse))
	})

	It("leaves other labels, other namespaces and the end of a namespace alone", func(ctx SpecContext) {
		ns := newWorkspace("acme")
		Expect(admin.Create(ctx, ns)).To(Succeed())
		ns.Labels["team"] = "content"
		Expect(as(platform).Update(ctx, ns)).To(Succeed())

		plain := newWorkspace("")
		Expect(as(platform).Create(ctx, plain)).To(Succeed())
		plain.Labels["team"] = "content"
		Expect(as(platform).Update(ctx, plain)).To(Succeed())

		Expect(admin.Delete(ctx, ns)).To(Succeed())
		Expect(admin.Get(ctx, client.ObjectKeyFromObject(ns), ns)).To(Succeed())
		ns.Spec.Finalizers = nil
		Expect(admin.SubResource("finalize").Update(ctx, ns)).To(Succeed())
	})
})
