package dashboard_test

import (
	"net/http"
	"net/url"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

var _ = Describe("Several approvals", func() {
	approver := func(t *dashboardtest.Tenant, name string, replica int) *dashboardtest.Person {
		GinkgoHelper()
		return t.SignInAt(replica, t.NewKey(name, v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove))
	}
	twoMustApprove := func(t *dashboardtest.Tenant) {
		GinkgoHelper()
		site := t.SiteObject()
		site.Spec.Review.Approvals = 2
		Expect(t.API.Update(GinkgoT().Context(), site)).To(Succeed())
	}

	It("says how many there are, and has no button for who has approved", func() {
		t := facades.NewTenant("Acme")
		twoMustApprove(t)
		uid := t.InReview("trail shoes")
		mara, jo := approver(t, "Mara", 0), approver(t, "Jo", 1)
		page := func(p *dashboardtest.Person) *dashboardtest.Page { return p.Get(t.In("articles", uid)) }
		Eventually(func() string { return page(mara).Text("#approvals") }).Should(Equal("0 of 2 approvals."))
		Expect(page(mara).Text(approveForm + " .primary")).To(Equal("Approve (1 of 2)"))
		approved := mara.Submit(page(mara), approveForm, nil)
		Expect(approved.Text(".notice")).To(Equal("Approved (1 of 2)."))
		Expect(approved.Text("#approvals")).To(HavePrefix("1 of 2 approvals: Mara"))
		Expect(approved.Text("#approvals")).To(HaveSuffix("You have approved this text. It waits for somebody else."))
		Expect(approved.Find(approveForm).Length()).To(BeZero())
		Expect(approved.Find(rejectForm).Length()).To(Equal(1))
		Expect(status(t, uid)).To(Equal("review"))
		Eventually(func() string { return mara.Get(t.In("articles") + "?status=review").Text("#a-" + uid) }).
			Should(ContainSubstring("1 of 2 approvals: Mara"))

		Eventually(func() string { return page(jo).Text(approveForm + " .primary") }).Should(Equal("Approve and publish"))
		last := jo.Submit(page(jo), approveForm, url.Values{"then": {"publish"}})
		Expect(last.Text(".notice")).To(Equal("Approved, and on its way."))
		Expect(last.Text("#approvals")).To(HavePrefix("2 of 2 approvals: Mara"))
		t.Reconcile(uid)
		Eventually(func() string { return status(t, uid) }).Should(Equal("published"))
	})

	It("counts both of two people who approve at once on two replicas", func() {
		t := facades.NewTenant("Acme")
		twoMustApprove(t)
		uid := t.InReview("trail shoes")
		people := []*dashboardtest.Person{approver(t, "Mara", 0), approver(t, "Jo", 1)}
		done := make(chan *dashboardtest.Page, len(people))
		approvals := make([]*http.Request, len(people))
		for i, p := range people {
			var shown *dashboardtest.Page
			Eventually(func() string {
				shown = p.Get(t.In("articles", uid))
				return shown.Text("#approvals")
			}).Should(Equal("0 of 2 approvals."))
			path, form := p.Fill(shown, approveForm, nil)
			approvals[i] = p.PostRequest(path, form)
		}
		for i, p := range people {
			go func() {
				defer GinkgoRecover()
				done <- p.Do(approvals[i])
			}()
		}
		for range people {
			var page *dashboardtest.Page
			Eventually(done).Should(Receive(&page))
			Expect(page.Text(".notice")).To(HavePrefix("Approved"))
		}
		Eventually(func() string { return status(t, uid) }).Should(Equal("approved"))
	})

	It("is a setting of the site, which takes the scope approve", func() {
		t := facades.NewTenant("Acme")
		p := manager(t)
		edit := t.In("sites", t.SiteUID, "edit")
		saved := p.Submit(p.Get(edit), "form[aria-labelledby='voice-title']", url.Values{"approvals": {"3"}})
		Expect(saved.Text("main")).To(ContainSubstring("By 3 reviewers"))
		Expect(t.SiteObject().Spec.Review.Approvals).To(BeEquivalentTo(3))
		wrong := p.Submit(p.Get(edit), "form[aria-labelledby='voice-title']", url.Values{"approvals": {"6"}})
		Expect(wrong.Text("#approvals-problem")).NotTo(BeEmpty())
		both := p.Submit(p.Get(edit), "form[aria-labelledby='voice-title']", url.Values{"review_policy": {"automatic"}})
		Expect(both.Text("#approvals-problem")).To(HavePrefix("Must be 1"))
	})
})
