package dashboard_test

import (
	"net/http"
	"net/url"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

// siteOf is the stored site of a tenant.
func siteOf(t *dashboardtest.Tenant) *v1alpha1.Site {
	GinkgoHelper()
	site := &v1alpha1.Site{}
	Expect(facades.API.Get(GinkgoT().Context(), client.ObjectKey{Namespace: t.Workspace, Name: t.Site}, site)).To(Succeed())
	return site
}

var _ = Describe("The sites", func() {
	It("are listed with their connection, what they had today, and what waits", func() {
		t := facades.NewTenant("Acme Outdoors")
		t.NewSite(t.Workspace+"-other", "elsewhere")
		t.InReview("trail shoes")
		page := t.SignIn().Get(t.In("sites"))
		Expect(page.Text("nav a[aria-current]")).To(Equal("Sites"))
		Expect(page.Find("tbody tr").Length()).To(Equal(1), "sites of other workspaces are not listed")
		Expect(page.Text("tbody tr")).To(And(ContainSubstring("blog.example.com"), ContainSubstring("Nothing is sent"), ContainSubstring("1 of 50")))
		Expect(page.Find("tbody .number a").AttrOr("href", "")).To(Equal(t.In("articles") + "?site=" + t.SiteUID + "&status=review"))
	})

	It("say why the connection fails, and what to do about it", func() {
		t := facades.NewTenant("Acme Outdoors")
		t.SendTo(http.StatusOK)
		t.Tested(v1alpha1.AttemptRejected, 401, v1alpha1.ReasonReceiverRejected, "the receiver answered 401", "<b>go away</b>")
		p := t.SignIn()
		Eventually(func() string { return p.Get(t.In("sites")).Text("tbody tr") }).Should(ContainSubstring("Refused by the receiver"))
		page := p.Get(t.In("sites", t.SiteUID))
		Expect(page.Text("#connection")).To(And(ContainSubstring("Refused by the receiver The receiver answered 401."),
			ContainSubstring("What to do: 401: the receiver has another signing secret."), ContainSubstring("412 ms"), ContainSubstring("<b>go away</b>")))
		Expect(page.Find("#connection b").Length()).To(BeZero())
		Expect(page.Text("main")).To(And(ContainSubstring("By a reviewer"), ContainSubstring("Waits until somebody publishes"), ContainSubstring("Sent to127.0.0.1")))
	})

	It("are tested on demand, by those who may write", func() {
		t := facades.NewTenant("Acme Outdoors")
		t.SendTo(http.StatusOK)
		p := t.SignIn()
		site, test := t.In("sites", t.SiteUID), "form[action$='/test']"
		Eventually(func() int { return p.Get(site).Find(test).Length() }).Should(Equal(1))
		page := p.Submit(p.Get(site), test, nil)
		Expect(page.URL.Path).To(Equal(site))
		Expect(page.Text(".notice")).To(ContainSubstring("The test has been asked for"))
		Expect(siteOf(t).Annotations).To(HaveKey(v1alpha1.TestConnectionAnnotation))

		path, form := p.Fill(p.Get(site), test, nil)
		again := p.Post(path, form)
		Expect(again.Text(".problem")).To(Equal("The connection is being tested already."))

		reader := t.SignInWith(t.NewKey("Reader", v1alpha1.ScopeRead))
		Expect(reader.Get(site).Find(test).Length()).To(BeZero())
		Expect(reader.Post(site+"/test", url.Values{"ticket": {"x"}}).Status).To(Equal(http.StatusForbidden))
	})

	It("say that deliveries fail, whatever the last test has found", func() {
		t := facades.NewTenant("Acme")
		t.SendTo(http.StatusOK)
		t.Tested(v1alpha1.AttemptAccepted, 204, v1alpha1.ReasonReceiverAccepted, "the receiver accepted the test", "")
		t.ChangeSite(func(site *v1alpha1.Site) {
			site.Status.Conditions = append(site.Status.Conditions, metav1.Condition{
				Type: v1alpha1.ConditionDelivering, Status: metav1.ConditionFalse, Reason: v1alpha1.ReasonReceiverRejected,
				Message: "the last 7 attempts failed: the receiver answered 503", LastTransitionTime: metav1.Now(),
			})
		})
		p := t.SignIn()
		var list *dashboardtest.Page
		Eventually(func() string {
			list = p.Get(t.In("sites"))
			return list.Text("tbody")
		}).Should(And(ContainSubstring("Refused by the receiver"), ContainSubstring("Deliveries fail"), Not(ContainSubstring("Works"))))
		page := p.Get(t.In("sites", t.SiteUID))
		Expect(page.Text("#connection")).To(ContainSubstring("The last 7 attempts failed: the receiver answered 503. It is so since "))
		Expect(t.Ask(http.MethodGet, "/v1/api/sites/"+t.SiteUID, nil).Raw).To(ContainSubstring(`"delivering":{"state":"failing","reason":"receiver_rejected"`))
	})
})
