//go:build e2e

package browser_test

import (
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

// Look also sees that the page speaks of what people do, and not of fields of the Kubernetes API.
func (w *window) Look(name string) {
	GinkgoHelper()
	w.Window.Look(name)
	Expect(w.Text("main")).NotTo(MatchRegexp(`(?i)\b(spec|status|metadata)\.[a-z]`), name)
}

var _ = Describe("What pages say", func() {
	It("of a site is that its deliveries fail, whatever the last test has found", func() {
		t := facades.NewTenant("Acme Outdoors")
		t.SendTo(http.StatusServiceUnavailable)
		t.Tested(v1alpha1.AttemptAccepted, 204, v1alpha1.ReasonReceiverAccepted, "the receiver accepted the test", "")
		t.ChangeSite(func(site *v1alpha1.Site) {
			site.Status.Conditions = append(site.Status.Conditions, metav1.Condition{
				Type: v1alpha1.ConditionDelivering, Status: metav1.ConditionFalse, Reason: v1alpha1.ReasonReceiverRejected,
				Message: "the last 7 attempts failed: the receiver answered 503", LastTransitionTime: metav1.Now(),
			})
		})
		w := signedIn(t, t.In("sites"), "tbody tr")
		w.until(t.In("sites"), "tbody .badge.failed")
		Expect(w.Text("tbody")).To(And(ContainSubstring("Deliveries fail"), Not(ContainSubstring("Works")), Not(ContainSubstring("Ready"))))
		w.Look("sites-deliveries-fail")
		w.Click("tbody a", "#connection")
		Expect(w.Text("#connection")).To(ContainSubstring("The last 7 attempts failed"))
		w.Look("site-deliveries-fail")
	})

	It("of a rejected article is that the model is told why, and a text that is the same again takes no credit", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.InReview("trail shoes")
		decide(t, uid, "reject", map[string]any{"note": "The second section has no sources."})
		w := signedIn(t, t.In("articles", uid), "h1")
		again := func(text controllertest.Run) {
			w.until(t.In("articles", uid), "a[href$='do=regenerate']")
			w.Click(".head details.menu summary", "")
			w.Click("a[href$='do=regenerate']", "form[action$='/regenerate']")
			Expect(w.Text("form[action$='/regenerate']")).To(ContainSubstring("The model is told why the text was rejected: “The second section has no sources.”"))
			w.Click("form[action$='/regenerate'] button", ".notice")
			t.Run(uid, text)
		}
		again(controllertest.Run{Now: time.Now(), Text: dashboardtest.Text})
		Expect(t.Ask(http.MethodGet, "/v1/api/usage", nil).Raw).To(ContainSubstring(`"credits":{"used":1,`))
		again(controllertest.Run{Now: time.Now(), Text: guideText("trail running shoes", "Another text", poles)})
		Expect(t.Ask(http.MethodGet, "/v1/api/usage", nil).Raw).To(ContainSubstring(`"credits":{"used":2,`))
		w.until(t.In("articles", uid), "#article-state .review")
	})

	It("before an approval is what the text fails and must pass", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.Written("Huts", "One hut. [insert the name here]")
		w := signedIn(t, t.In("articles", uid), approveForm)
		w.Click(approveForm+" .primary", "#required")
		Expect(w.Text("#required")).To(ContainSubstring("Placeholders"))
		w.Look("article-required")
		Expect(status(t, uid, "status")).To(Equal("review"))
		w.Click(approveForm+" .danger", ".notice")
		Expect(status(t, uid, "status")).To(Equal("approved"))
	})

	It("after a bulk action is what has become of each, as long as the page is open, and when it is opened again", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.InReview("trail shoes")
		w := signedIn(t, t.In("articles"), "#a-"+uid)
		w.Click("#a-"+uid+" input", "")
		w.doWithMany("approve", bulkButton)
		w.Click(bulkButton, "#r-"+uid)
		results := w.Address()
		w.Until(`document.querySelector("#r-` + uid + ` .badge").textContent === "Approved"`)
		decide(t, uid, "publish", nil)
		t.Reconcile(uid)
		w.Until(`document.querySelector("#r-` + uid + ` .badge").textContent === "Published"`)
		w.Visit(results, "#r-"+uid+" .badge.published")
	})

	It("of an approved article that nobody has published yet is about what people do", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.InReview("trail shoes")
		decide(t, uid, "approve", nil)
		t.Reconcile(uid)
		w := signedIn(t, t.In("articles", uid), "#decide ~ .message")
		w.Look("article-approved-unpublished")
		Expect(w.Text("#decide ~ .message")).To(HavePrefix("The text is approved: nobody has published it yet"))
		w.goTo(t.In("articles")+"?status=approved", "#a-"+uid)
		w.Look("articles-approved")
	})
})
