package controllers_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	. "github.com/onsi/gomega/gstruct"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

var _ = Describe("A test of a site's connection", func() {
	var w *world

	BeforeEach(func() {
		w = newWorld()
		w.createSite()
		w.reconcileSite()
	})

	connected := func() string {
		GinkgoHelper()
		return conditionOf(w.acme().Status.Conditions, v1alpha1.ConditionConnected)
	}

	It("is one signed request that is no article, and its outcome is in status", func() {
		w.receiver.Answers(func(_ int, rw http.ResponseWriter) {
			_, err := io.WriteString(rw, "thank you, "+signingSecret)
			Expect(err).NotTo(HaveOccurred())
		})
		Expect(connected()).To(Equal("Unknown/NotTested"))
		w.client.Writes()
		w.askTest("first")
		w.reconcileSiteUntilStable()
		Expect(w.client.Writes()).To(Equal([]string{"update Site/status", "update Site/status"}), "ahead, and the outcome")

		Expect(w.receiver.Received()).To(HaveLen(1))
		request := w.receiver.Received()[0]
		Expect(request.Header.Get("X-SERVICE-Event")).To(Equal("connection.test"))
		Expect(request.Header.Get("Content-Type")).To(Equal("application/json"))
		mac := hmac.New(sha256.New, []byte(signingSecret))
		mac.Write([]byte(request.Body))
		Expect(request.Header.Get("X-SERVICE-Signature")).To(Equal(hex.EncodeToString(mac.Sum(nil))))
		Expect(request.Body).To(And(ContainSubstring(`"test":true`), ContainSubstring(`"nonce":"first"`), Not(ContainSubstring("slug"))))

		Expect(connected()).To(Equal("True/ReceiverAccepted"))
		Expect(w.acme().Status.ConnectionTest).To(PointTo(And(
			HaveField("Nonce", "first"), HaveField("Outcome", v1alpha1.AttemptAccepted), HaveField("HTTPStatus", int32(200)),
			HaveField("Snippet", "thank you, [redacted]"), HaveField("Holder", ""), HaveField("StartedAt.Time", BeTemporally("==", started)))))
	})

	DescribeTable("says what went wrong, once and without a retry", func(want string, class v1alpha1.ErrorClass, requests int, change func()) {
		change()
		w.askTest("first")
		w.reconcileSiteUntilStable()
		Expect(connected()).To(Equal(want))
		site := w.acme()
		Expect(site.Status.ConnectionTest).To(PointTo(And(HaveField("Nonce", "first"), HaveField("ErrorClass", class), HaveField("Message", Not(BeEmpty())))))
		w.clock.Step(24 * time.Hour)
		w.restart()
		w.reconcileSiteUntilStable()
		Expect(w.receiver.Received()).To(HaveLen(requests))
		Expect(w.acme().ResourceVersion).To(Equal(site.ResourceVersion), "there is nothing more to say")
	},
		Entry("an error of the receiver", "False/ReceiverRejected", v1alpha1.ErrorServer, 1, func() { w.receiver.AnswersStatus(500) }),
		Entry("another secret at the receiver", "False/ReceiverRejected", v1alpha1.ErrorClient, 1, func() { w.receiver.AnswersStatus(401) }),
		Entry("a redirect", "False/ReceiverRejected", v1alpha1.ErrorRedirect, 1, func() { w.receiver.AnswersStatus(302) }),
		Entry("nobody there", "False/ConnectionFailed", v1alpha1.ErrorConnection, 0, func() { w.receiver.Close() }),
		Entry("a forbidden address", "False/AddressBlocked", v1alpha1.ErrorAddressBlocked, 0, func() {
			w.site(func(s *v1alpha1.Site) { s.Spec.CMS.Headless.URL = "http://10.1.2.3/hook" })
		}),
		Entry("no secret", "False/SecretNotFound", v1alpha1.ErrorNotSent, 0, func() {
			Expect(api.Delete(w.ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: "webhook"}})).To(Succeed())
		}),
	)

	It("leaves the site ready: whether something can be sent is another question", func() {
		w.receiver.AnswersStatus(500)
		w.askTest("first")
		w.reconcileSiteUntilStable()
		Expect(conditionOf(w.acme().Status.Conditions, v1alpha1.ConditionReady)).To(Equal("True/Configured"))
	})

	It("is made once for each nonce, also by the next process", func() {
		for n, nonce := range []string{"first", "second"} {
			w.askTest(nonce)
			for range 2 {
				w.reconcileSiteUntilStable()
				w.restart()
			}
			Expect(w.receiver.Received()).To(HaveLen(n + 1))
			Expect(w.acme().Status.ConnectionTest.Nonce).To(Equal(nonce))
		}
	})

	It("speaks of the connection as it was: after a change nothing is known", func() {
		w.askTest("first")
		w.reconcileSiteUntilStable()
		w.site(func(s *v1alpha1.Site) { s.Spec.DisplayName = "Acme" })
		w.reconcileSiteUntilStable()
		Expect(connected()).To(Equal("True/ReceiverAccepted"))
		w.site(func(s *v1alpha1.Site) { s.Spec.CMS.Headless.PayloadFormat = v1alpha1.PayloadHTML })
		w.reconcileSiteUntilStable()
		Expect(connected()).To(Equal("Unknown/NotTested"))
		w.askTest("second")
		w.reconcileSiteUntilStable()
		Expect(connected()).To(Equal("True/ReceiverAccepted"))
	})

	It("that the process ends in the middle of has an outcome that nobody knows, and is not sent again", func() {
		held, proceed := make(chan struct{}), make(chan struct{})
		w.receiver.Answers(func(int, http.ResponseWriter) {
			close(held)
			<-proceed
		})
		w.askTest("first")
		w.reconcileSite()
		<-held
		Expect(connected()).To(Equal("Unknown/Testing"))
		old := w.Process
		w.restart()
		w.reconcileSiteUntilStable()
		Expect(connected()).To(Equal("Unknown/OutcomeUnknown"))
		Expect(w.acme().Status.ConnectionTest).To(PointTo(And(
			HaveField("Outcome", v1alpha1.AttemptUnknown), HaveField("ErrorClass", v1alpha1.ErrorInterrupted))))
		close(proceed)
		<-old.Notified
		w.reconcileSiteUntilStable()
		Expect(w.receiver.Received()).To(HaveLen(1))
	})

	DescribeTable("loses nothing and sends nothing twice where the process ends at a write", func(when string, nth, requests int, want string) {
		w.askTest("first")
		count := 0
		w.client.before = func(string) error {
			if count++; count > nth || (count == nth && when == "before") {
				return errCutOff
			}
			return nil
		}
		for range 3 {
			_, err := w.Sites.Reconcile(w.ctx, request(client.ObjectKeyFromObject(w.acme())))
			Expect(err).To(Or(Succeed(), MatchError(errCutOff)))
			for w.Sites.Engine.Calls.Len() > 0 {
				<-w.Notified
			}
		}
		w.client.before = func(string) error { return nil }
		w.restart()
		w.reconcileSiteUntilStable()
		Expect(w.receiver.Received()).To(HaveLen(requests))
		Expect(connected()).To(Equal(want))
	},
		Entry("before it is written ahead", "before", 1, 1, "True/ReceiverAccepted"),
		Entry("before the outcome is written", "before", 2, 1, "Unknown/OutcomeUnknown"),
		Entry("after the outcome is written", "after", 2, 1, "True/ReceiverAccepted"),
	)

	It("is not sent where the write ahead meets a conflict", func() {
		w.askTest("first")
		w.client.before = func(string) error {
			w.client.before = func(string) error { return nil }
			w.site(func(s *v1alpha1.Site) { s.Labels = map[string]string{"touched": "yes"} })
			return nil
		}
		w.reconcileSite()
		Expect(w.Sites.Engine.Calls.Len()).To(BeZero())
		Expect(w.receiver.Received()).To(BeEmpty())
		w.reconcileSiteUntilStable()
		Expect(w.receiver.Received()).To(HaveLen(1))
	})

	It("is not made for a site that nothing is sent to", func() {
		w.site(func(s *v1alpha1.Site) { s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSNone} })
		w.askTest("first")
		w.reconcileSiteUntilStable()
		Expect(connected()).To(Equal("True/Pulled"))
		Expect(w.acme().Status.ConnectionTest).To(BeNil())
	})

	It("takes a nonce of any length", func() {
		long := string(make([]byte, 0, 5000))
		for len(long) < 5000 {
			long += "nonce "
		}
		for range 2 {
			w.askTest(long)
			w.reconcileSiteUntilStable()
		}
		Expect(w.receiver.Received()).To(HaveLen(1))
		Expect(w.acme().Status.ConnectionTest.Nonce).To(HaveLen(64))
	})
})

// acme is the site.
func (w *world) acme() *v1alpha1.Site {
	GinkgoHelper()
	site := &v1alpha1.Site{}
	Expect(api.Get(w.ctx, client.ObjectKey{Namespace: w.namespace, Name: "acme"}, site)).To(Succeed())
	return site
}

// askTest asks for a test of the site's connection.
func (w *world) askTest(nonce string) {
	GinkgoHelper()
	w.site(func(s *v1alpha1.Site) { s.Annotations[v1alpha1.TestConnectionAnnotation] = nonce })
}

func (w *world) reconcileSite() {
	GinkgoHelper()
	_, err := w.Sites.Reconcile(w.ctx, request(client.ObjectKey{Namespace: w.namespace, Name: "acme"}))
	Expect(err).NotTo(HaveOccurred())
}

// reconcileSiteUntilStable reconciles the site until nothing changes and no test is under way.
func (w *world) reconcileSiteUntilStable() {
	GinkgoHelper()
	for range 20 {
		before := w.acme().ResourceVersion
		w.reconcileSite()
		switch after := w.acme(); {
		case after.ResourceVersion != before:
		case w.Sites.Engine.Calls.Len() > 0:
			<-w.Notified
		case after.Status.ConnectionTest != nil && after.Status.ConnectionTest.Outcome == v1alpha1.AttemptInProgress:
		default:
			return
		}
	}
	Fail("the site does not become stable")
}
