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
