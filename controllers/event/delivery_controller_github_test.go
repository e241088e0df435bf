package event_test

import (
	"encoding/json"
	"net/http/httptest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/fakegithub"
)

// githubTenant is a tenant whose subscription of the name github starts workflows of a repository when an article reaches review.
type githubTenant struct {
	*tenant
	github *fakegithub.Repository
	url    string
}

func newGitHubTenant(token string) githubTenant {
	GinkgoHelper()
	t := githubTenant{newTenant(), &fakegithub.Repository{}, ""}
	server := httptest.NewTLSServer(t.github)
	DeferCleanup(server.Close)
	t.url = server.URL + fakegithub.Path
	t.EventDeliveries.HTTP = server.Client()
	t.EventSubscriptions.CheckURL = func(string) error { return nil }
	t.CreateSite()
	t.createToken("github-token", token, t.url)
	t.Subscribe("github", ForEvents("ReadyForReview"), func(s *v1alpha1.EventSubscription) {
		s.Spec.Format, s.Spec.URL = v1alpha1.FormatGitHub, t.url
		s.Spec.TokenSecretRef = &v1alpha1.SecretKeyReference{Name: "github-token", Key: "token"}
	})
	return t
}

// createToken creates the Secret of a token for an address.
func (t githubTenant) createToken(name, token, address string) {
	GinkgoHelper()
	Expect(t.API.Create(t.Ctx, &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: t.Namespace, Name: name, Annotations: map[string]string{v1alpha1.AddressAnnotation: address}},
		StringData: map[string]string{"token": token},
	})).To(Succeed())
}

// review has an article reach review, and its event delivered.
func (t githubTenant) review() *v1alpha1.EventDelivery {
	GinkgoHelper()
	key := t.CreateArticle("shoes", WithKeyword)
	t.ReconcileUntilStable(key)
	t.DispatchAndDeliver(key)
	return t.DeliveryOf("github", v1alpha1.EventReadyForReview)
}

// objects are the subscription and the delivery with their status, as people see them.
func (t githubTenant) objects() string {
	GinkgoHelper()
	shown, err := json.Marshal([]any{t.Subscription("github"), t.Deliveries("github")})
	Expect(err).NotTo(HaveOccurred())
	return string(shown)
}

var _ = Describe("A subscription of a GitHub repository", func() {
	It("starts workflows with the article as lists have it, and shows the token nowhere", func() {
		t := newGitHubTenant(fakegithub.Token + "\n")
		d := t.review()
		Expect(d.Status.Cycle.State).To(Equal(v1alpha1.CycleAccepted))
		Expect(t.github.Dispatches()).To(HaveLen(1))
		got := t.github.Dispatches()[0]
		Expect(got.EventType).To(Equal("pressroom.blog.ready_for_review"))
		var payload map[string]any
		Expect(json.Unmarshal(got.ClientPayload, &payload)).To(Succeed())
		Expect(payload).To(And(HaveLen(3), HaveKeyWithValue("type", "blog.ready_for_review"), HaveKey("timestamp")))
		Expect(payload["data"]).To(And(
			HaveKeyWithValue("uid", identity.UID(identity.KindArticle, t.Namespace, "shoes")), HaveKeyWithValue("status", "review"),
			HaveKeyWithValue("title", "All about trail running shoes"), HaveKeyWithValue("workspace_id", t.Namespace),
			Not(HaveKey("content_markdown")), Not(HaveKey("content_html"))))
		Expect(t.objects()).NotTo(ContainSubstring(fakegithub.Token))
	})

	It("can be tested", func() {
		t := newGitHubTenant(fakegithub.Token)
		t.Annotate(t.Subscription("github"), v1alpha1.TestEventAnnotation, "one")
		t.Deliver()
		Expect(t.github.Dispatches()).To(ConsistOf(HaveField("EventType", "pressroom.subscription.test")))
	})

	It("waits as long as a secondary rate limit asks, and starts the workflows then", func() {
		t := newGitHubTenant(fakegithub.Token)
		t.github.LimitSecondary("90")
		d := t.review()
		Expect(d.Status.Cycle.NextAttemptTime.Time).To(BeTemporally("==", t.Clock.Now().Add(90*time.Second)))
		Expect(d.Status.LastAnswer.Snippet).To(ContainSubstring("secondary rate limit"))
		t.github.Allow()
		t.Clock.Step(91 * time.Second)
		t.Deliver()
		Expect(t.github.Dispatches()).To(HaveLen(1))
	})

	It("is not tried again with a token that GitHub refuses", func() {
		t := newGitHubTenant("ghp_of_somebody_else")
		d := t.review()
		Expect(d.Status.FinishTime).NotTo(BeNil())
		Expect(d.Status.Attempts).To(ConsistOf(And(HaveField("HTTPStatus", BeEquivalentTo(401)),
			HaveField("Message", "the receiver answered 401 Unauthorized: delivery is not retried"))))
		Expect(t.objects()).NotTo(ContainSubstring("ghp_of_somebody_else"))
	})

	DescribeTable("waits for a token that can be used", func(name, token string, wantReason, wantMessage string) {
		t := newGitHubTenant(fakegithub.Token)
		s := t.Subscription("github")
		s.Spec.TokenSecretRef.Name = name
		Expect(t.API.Update(t.Ctx, s)).To(Succeed())
		if token != "" {
			t.createToken(name, token, map[bool]string{true: "https://api.github.com/repos/acme/other/dispatches", false: t.url}[name == "elsewhere"])
		}
		d := t.review()
		Expect(t.github.Dispatches()).To(BeEmpty())
		Expect(d.Status.Attempts).To(BeEmpty())
		for _, c := range [][]metav1.Condition{d.Status.Conditions, t.Subscription("github").Status.Conditions} {
			Expect(c).To(ContainElement(And(HaveField("Reason", wantReason), HaveField("Message", ContainSubstring(wantMessage)))))
		}
		Expect(t.objects()).NotTo(ContainSubstring("github_pat_"))
	},
		Entry("if there is none", "missing", "", v1alpha1.ReasonSecretNotFound, `the Secret "missing" must exist and have a value under the key "token"`),
		Entry("if it is for another URL", "elsewhere", fakegithub.Token, v1alpha1.ReasonInvalidSecret, "must be for this address"),
		Entry("if it cannot stand in a header", "malformed", "github_pat_1\nHost: evil.example", v1alpha1.ReasonInvalidSecret, "printable ASCII characters"),
	)
})
