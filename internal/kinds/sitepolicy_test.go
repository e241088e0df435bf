package kinds

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	api "github.com/pressroom-dev/pressroom/api/v1alpha1"
)

var _ = Describe("A site's review policy", func() {
	const needApprove = "must hold the verb approve on all articles.pressroom.dev of the namespace"

	DescribeTable("may be chosen with a new site by",
		func(ctx SpecContext, user string, policy api.ReviewPolicy, want OmegaMatcher) {
			site := newSite(workspace)
			site.Spec.Review.Policy = policy
			Expect(as(user).Create(ctx, site)).To(want)
		},
		Entry("anybody who creates sites: the default", siteWriter, api.ReviewPolicy(""), Succeed()),
		Entry("anybody who creates sites: Manual", siteWriter, api.ReviewManual, Succeed()),
		Entry("nobody without approve: Automatic", siteWriter, api.ReviewAutomatic, beForbidden(needApprove)),
		Entry("an administrator of the workspace: Automatic", manager, api.ReviewAutomatic, Succeed()),
	)

	DescribeTable("needs the verb approve to be switched",
		func(ctx SpecContext, before, after api.ReviewPolicy) {
			site := newSite(workspace)
			site.Spec.Review.Policy = before
			Expect(admin.Create(ctx, site)).To(Succeed())
			site.Spec.Review.Policy = after
			Expect(as(siteWriter).Update(ctx, site)).To(beForbidden(needApprove))
			Expect(as(manager).Update(ctx, site)).To(Succeed())
		},
		Entry("from the default to Automatic", api.ReviewPolicy(""), api.ReviewAutomatic),
		Entry("from Manual to Automatic", api.ReviewManual, api.ReviewAutomatic),
		Entry("from Automatic to Manual", api.ReviewAutomatic, api.ReviewManual),
		Entry("from Automatic to the default", api.ReviewAutomatic, api.ReviewPolicy("")),
	)

	DescribeTable("needs the verb approve for another score from which on it approves",
		func(ctx SpecContext, policy api.ReviewPolicy, before, after api.Score) {
			site := newSite(workspace)
			site.Spec.Review.Policy, site.Spec.Review.MinimumScore = policy, before
			Expect(admin.Create(ctx, site)).To(Succeed())
			site.Spec.Review.MinimumScore = after
			Expect(as(siteWriter).Update(ctx, site)).To(beForbidden(needApprove))
			Expect(as(manager).Update(ctx, site)).To(Succeed())
		},
		Entry("a lower one", api.ReviewAutomatic, api.Score(80), api.Score(10)),
		Entry("none", api.ReviewAutomatic, api.Score(80), api.Score(0)),
		Entry("a higher one", api.ReviewAutomatic, api.Score(0), api.Score(80)),
		Entry("one for later", api.ReviewManual, api.Score(80), api.Score(0)),
	)

	DescribeTable("needs the verb approve for another number of approvals",
		func(ctx SpecContext, before, after int32) {
			site := newSite(workspace)
			site.Spec.Review.Approvals = before
			Expect(as(siteWriter).Create(ctx, site)).To(Succeed(), "a new site has no text that waits")
			site.Spec.Review.Approvals = after
			Expect(as(siteWriter).Update(ctx, site)).To(beForbidden(needApprove))
			Expect(as(manager).Update(ctx, site)).To(Succeed())
		},
		Entry("fewer", int32(3), int32(2)),
		Entry("the default", int32(2), int32(0)),
		Entry("more", int32(0), int32(5)),
	)

	It("may set approvals to 1, the default, without the verb approve", func(ctx SpecContext) {
		site := newSite(workspace)
		Expect(as(siteWriter).Create(ctx, site)).To(Succeed())
		site.Spec.Review.Approvals = 1
		Expect(as(siteWriter).Update(ctx, site)).To(Succeed())
	})

	DescribeTable("asks nobody with the policy Automatic", func(ctx SpecContext, approvals int32, want OmegaMatcher) {
		site := newSite(workspace)
		site.Spec.Review.Policy, site.Spec.Review.Approvals = api.ReviewAutomatic, approvals
		Expect(admin.Create(ctx, site)).To(want)
	},
		Entry("unset", int32(0), Succeed()),
		Entry("one", int32(1), Succeed()),
		Entry("two", int32(2), beInvalid("approvals must be 1 with the policy Automatic")),
	)

	It("leaves the rest of a site to who writes sites", func(ctx SpecContext) {
		for _, policy := range []api.ReviewPolicy{api.ReviewManual, api.ReviewAutomatic} {
			site := newSite(workspace)
			site.Spec.Review.Policy = policy
			Expect(admin.Create(ctx, site)).To(Succeed())
			site.Spec.DisplayName, site.Spec.Publishing.DefaultStage = "Another name", api.DefaultStagePublished
			Expect(as(siteWriter).Update(ctx, site)).To(Succeed())
		}
	})

	It("may be written out if it was the default", func(ctx SpecContext) {
		site := newSite(workspace)
		Expect(as(siteWriter).Create(ctx, site)).To(Succeed())
		site.Spec.Review.Policy = api.ReviewManual
		Expect(as(siteWriter).Update(ctx, site)).To(Succeed())
	})
})
