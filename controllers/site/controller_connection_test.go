package site_test

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
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

var _ = Describe("A test of a site's connection", func() {
	var t *tenant

	BeforeEach(func() {
		t = newTenant()
		t.CreateSite()
		t.ReconcileSite()
	})

	connected := func() string {
		GinkgoHelper()
		return ConditionOf(t.GetSite().Status.Conditions, v1alpha1.ConditionConnected)
	}

	It("is one signed request that is no article, and its outcome is in status", func() {
		t.Receiver.Answers(func(_ int, rw http.ResponseWriter) {
			_, err := io.WriteString(rw, "thank you, "+SigningSecret)
			Expect(err).NotTo(HaveOccurred())
		})
		Expect(connected()).To(Equal("Unknown/NotTested"))
		t.Client.Writes()
		t.RequestTest("first")
		t.ReconcileSiteUntilStable()
		Expect(t.Client.Writes()).To(Equal([]string{"update Site/status", "update Site/status"}), "ahead, and the outcome")

		Expect(t.Receiver.Received()).To(HaveLen(1))
		request := t.Receiver.Received()[0]
		Expect(request.Header.Get("X-SERVICE-Event")).To(Equal("connection.test"))
		Expect(request.Header.Get("Content-Type")).To(Equal("application/json"))
		mac := hmac.New(sha256.New, []byte(SigningSecret))
		mac.Write([]byte(request.Body))
		Expect(request.Header.Get("X-SERVICE-Signature")).To(Equal(hex.EncodeToString(mac.Sum(nil))))
		Expect(request.Body).To(And(ContainSubstring(`"test":true`), ContainSubstring(`"nonce":"first"`), Not(ContainSubstring("slug"))))

		Expect(connected()).To(Equal("True/ReceiverAccepted"))
		Expect(t.GetSite().Status.ConnectionTest).To(PointTo(And(
			HaveField("Outcome", v1alpha1.AttemptAccepted), HaveField("HTTPStatus", int32(200)),
			HaveField("Snippet", "thank you, [redacted]"), HaveField("Holder", ""), HaveField("StartTime.Time", BeTemporally("==", Started)))))
	})

	DescribeTable("says what went wrong, once and without a retry", func(want string, class v1alpha1.ErrorClass, requests int, change func()) {
		change()
		t.RequestTest("first")
		t.ReconcileSiteUntilStable()
		Expect(connected()).To(Equal(want))
		site := t.GetSite()
		Expect(site.Status.ConnectionTest).To(PointTo(And(HaveField("ErrorClass", class), HaveField("Message", Not(BeEmpty())))))
		Expect(site.Status.HandledRequests).To(ConsistOf(v1alpha1.HandledRequest{Name: "test-connection", Nonce: "first"}))
		t.Clock.Step(24 * time.Hour)
		t.Restart()
		t.ReconcileSiteUntilStable()
		Expect(t.Receiver.Received()).To(HaveLen(requests))
		Expect(t.GetSite().ResourceVersion).To(Equal(site.ResourceVersion), "there is nothing more to say")
	},
		Entry("an error of the receiver", "False/ReceiverRejected", v1alpha1.ErrorServer, 1, func() { t.Receiver.AnswersStatus(500) }),
		Entry("another secret at the receiver", "False/ReceiverRejected", v1alpha1.ErrorClient, 1, func() { t.Receiver.AnswersStatus(401) }),
		Entry("a redirect", "False/ReceiverRejected", v1alpha1.ErrorRedirect, 1, func() { t.Receiver.AnswersStatus(302) }),
		Entry("nobody there", "False/ConnectionFailed", v1alpha1.ErrorConnection, 0, func() { t.Receiver.Close() }),
		Entry("a forbidden address", "False/AddressBlocked", v1alpha1.ErrorAddressBlocked, 0, func() {
			t.EditSite(func(s *v1alpha1.Site) { s.Spec.CMS.Headless.URL = "http://10.1.2.3/hook" })
		}),
		Entry("no secret", "False/SecretNotFound", v1alpha1.ErrorNotSent, 0, func() {
			Expect(api.Delete(t.Ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: t.Namespace, Name: "webhook"}})).To(Succeed())
		}),
	)

	It("leaves the site ready: whether something can be sent is another question", func() {
		t.Receiver.AnswersStatus(500)
		t.RequestTest("first")
		t.ReconcileSiteUntilStable()
		Expect(ConditionOf(t.GetSite().Status.Conditions, v1alpha1.ConditionReady)).To(Equal("True/Configured"))
	})

	It("is made once for each nonce, also by the next process", func() {
		for n, nonce := range []string{"first", "second"} {
			t.RequestTest(nonce)
			for range 2 {
				t.ReconcileSiteUntilStable()
				t.Restart()
			}
			Expect(t.Receiver.Received()).To(HaveLen(n + 1))
			Expect(t.GetSite().Status.HandledRequests).To(ConsistOf(v1alpha1.HandledRequest{Name: "test-connection", Nonce: nonce}))
		}
	})

	It("speaks of the connection as it was: after a change nothing is known", func() {
		t.RequestTest("first")
		t.ReconcileSiteUntilStable()
		t.EditSite(func(s *v1alpha1.Site) { s.Spec.DisplayName = "Acme" })
		t.ReconcileSiteUntilStable()
		Expect(connected()).To(Equal("True/ReceiverAccepted"))
		t.EditSite(func(s *v1alpha1.Site) { s.Spec.CMS.Headless.PayloadFormat = v1alpha1.PayloadHTML })
		t.ReconcileSiteUntilStable()
		Expect(connected()).To(Equal("Unknown/NotTested"))
		t.RequestTest("second")
		t.ReconcileSiteUntilStable()
		Expect(connected()).To(Equal("True/ReceiverAccepted"))
	})

	It("that the process ends in the middle of has an outcome that nobody knows, and is not sent again", func() {
		held, proceed := make(chan struct{}), make(chan struct{})
		t.Receiver.Answers(func(int, http.ResponseWriter) {
			close(held)
			<-proceed
		})
		t.RequestTest("first")
		t.ReconcileSite()
		<-held
		Expect(connected()).To(Equal("Unknown/Testing"))
		old := t.Process
		t.Restart()
		t.ReconcileSiteUntilStable()
		Expect(connected()).To(Equal("Unknown/OutcomeUnknown"))
		Expect(t.GetSite().Status.ConnectionTest).To(PointTo(And(
			HaveField("Outcome", v1alpha1.AttemptUnknown), HaveField("ErrorClass", v1alpha1.ErrorInterrupted))))
		close(proceed)
		<-old.Notified
		t.ReconcileSiteUntilStable()
		Expect(t.Receiver.Received()).To(HaveLen(1))
	})

	DescribeTable("loses nothing and sends nothing twice where the process ends at a write", func(when string, nth, requests int, want string) {
		t.RequestTest("first")
		count := 0
		t.Client.Before = func(string) error {
			if count++; count > nth || (count == nth && when == "before") {
				return ErrCutOff
			}
			return nil
		}
		for range 3 {
			_, err := t.Sites.Reconcile(t.Ctx, Request(client.ObjectKeyFromObject(t.GetSite())))
			Expect(err).To(Or(Succeed(), MatchError(ErrCutOff)))
			for t.Sites.Engine.Calls.Len() > 0 {
				<-t.Notified
			}
		}
		t.Client.Before = func(string) error { return nil }
		t.Restart()
		t.ReconcileSiteUntilStable()
		Expect(t.Receiver.Received()).To(HaveLen(requests))
		Expect(connected()).To(Equal(want))
	},
		Entry("before it is written ahead", "before", 1, 1, "True/ReceiverAccepted"),
		Entry("before the outcome is written", "before", 2, 1, "Unknown/OutcomeUnknown"),
		Entry("after the outcome is written", "after", 2, 1, "True/ReceiverAccepted"),
	)

	It("is not sent where the write ahead meets a conflict", func() {
		t.RequestTest("first")
		t.Client.Before = func(string) error {
			t.Client.Before = func(string) error { return nil }
			t.EditSite(func(s *v1alpha1.Site) { s.Labels = map[string]string{"touched": "yes"} })
			return nil
		}
		t.ReconcileSite()
		Expect(t.Sites.Engine.Calls.Len()).To(BeZero())
		Expect(t.Receiver.Received()).To(BeEmpty())
		t.ReconcileSiteUntilStable()
		Expect(t.Receiver.Received()).To(HaveLen(1))
	})

	It("is not made for a site that nothing is sent to", func() {
		t.EditSite(func(s *v1alpha1.Site) { s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSNone} })
		t.RequestTest("first")
		t.ReconcileSiteUntilStable()
		Expect(connected()).To(Equal("True/Pulled"))
		Expect(t.GetSite().Status.ConnectionTest).To(BeNil())
	})

	It("takes a nonce of any length", func() {
		long := string(make([]byte, 0, 5000))
		for len(long) < 5000 {
			long += "nonce "
		}
		for range 2 {
			t.RequestTest(long)
			t.ReconcileSiteUntilStable()
		}
		Expect(t.Receiver.Received()).To(HaveLen(1))
		Expect(t.GetSite().Status.HandledRequests).To(ConsistOf(HaveField("Nonce", HaveLen(64))))
	})
})
