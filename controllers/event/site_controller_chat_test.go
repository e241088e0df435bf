package event_test

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/fakechat"
)

// inChat has the messages of a subscription go to a chat.
func inChat(format v1alpha1.EventFormat, chat *fakechat.Chat) func(*v1alpha1.EventSubscription) {
	server := httptest.NewServer(chat)
	DeferCleanup(server.Close)
	return func(s *v1alpha1.EventSubscription) { s.Spec.Format, s.Spec.URL = format, server.URL+chat.Path() }
}

var _ = Describe("A subscription of people in a chat", func() {
	DescribeTable("tells them of an article", func(format v1alpha1.EventFormat, chat *fakechat.Chat, want string) {
		t := newTenant()
		t.CreateSite(func(s *v1alpha1.Site) { s.Spec.DisplayName = "Acme & Co" })
		t.Outbox.AppURL = "https://app.example"
		t.Subscribe("chat", ForEvents("ReadyForReview"), inChat(format, chat))
		key := t.CreateArticle("shoes", WithKeyword)
		a := t.ReconcileUntilStable(key)
		t.DispatchAndDeliver(key)
		t.DispatchAndDeliver(key)
		link := "https://app.example/app/w/" + t.Namespace + "/articles/" + identity.UID(identity.KindArticle, t.Namespace, "shoes")
		Expect(chat.Shown()).To(Equal([]string{strings.NewReplacer("LINK", link, "SCORE", strconv.Itoa(int(a.Status.Revision.SEOScore))).Replace(want)}))
		Expect(t.DeliveryOf("chat", v1alpha1.EventReadyForReview).Status.Cycle.State).To(Equal(v1alpha1.CycleAccepted))
	},
		Entry("in Slack", v1alpha1.FormatSlack, fakechat.NewSlack(),
			"*An article reached review*\n<LINK|All about trail running shoes>\nAcme &amp; Co · score SCORE"),
		Entry("in Teams", v1alpha1.FormatTeams, fakechat.NewTeams(),
			"An article reached review\nAll about trail running shoes\nAcme & Co · score SCORE\nLINK"),
	)

	It("can be tested", func() {
		t, chat := newTenant(), fakechat.NewTeams()
		t.Subscribe("chat", inChat(v1alpha1.FormatTeams, chat))
		t.Annotate(t.Subscription("chat"), v1alpha1.TestEventAnnotation, "one")
		t.Deliver()
		Expect(chat.Shown()).To(ConsistOf(ContainSubstring("A test of Pressroom")))
	})

	It("waits as long as the chat asks, and sends the message then", func() {
		t, chat := newTenant(), fakechat.NewSlack()
		t.CreateSite()
		t.Subscribe("chat", ForEvents("ReadyForReview"), inChat(v1alpha1.FormatSlack, chat))
		chat.Limit("90")
		key := t.CreateArticle("shoes", WithKeyword)
		t.ReconcileUntilStable(key)
		t.DispatchAndDeliver(key)
		d := t.DeliveryOf("chat", v1alpha1.EventReadyForReview)
		Expect(d.Status.Cycle.NextAttemptTime.Time).To(BeTemporally("==", t.Clock.Now().Add(90*time.Second)))
		Expect(d.Status.LastAnswer.Snippet).To(Equal("rate_limited"))
		Expect(chat.Shown()).To(BeEmpty())
	})
})

var _ = Describe("The event of a site whose deliveries fail", func() {
	fail := func(t *tenant, at time.Time) *v1alpha1.Site {
		GinkgoHelper()
		site := t.GetSite()
		old := site.DeepCopy()
		set := conditions.Setter{Conditions: &site.Status.Conditions, Generation: site.Generation, Now: at}
		set.Set(v1alpha1.ConditionDelivering, conditions.False(
			v1alpha1.ReasonReceiverRejected, "the last 3 attempts failed: the receiver answered 503 Service Unavailable"))
		Expect(api.Status().Patch(t.Ctx, site, client.MergeFrom(old))).To(Succeed())
		return site
	}
	reconcile := func(t *tenant) {
		GinkgoHelper()
		_, err := t.SiteEvents.Reconcile(t.Ctx, Request(client.ObjectKeyFromObject(t.GetSite())))
		Expect(err).NotTo(HaveOccurred())
		t.Deliver()
	}

	It("is sent once for each time that they begin to fail, as JSON and to chats", func() {
		t, chat := newTenant(), fakechat.NewSlack()
		t.CreateSite()
		hook := t.Subscribe("hook")
		t.Subscribe("chat", ForEvents("SiteFailing"), inChat(v1alpha1.FormatSlack, chat))
		other := t.Subscribe("other", ForEvents("Published"))
		reconcile(t)
		Expect(hook.Received()).To(BeEmpty(), "they do not fail")
		fail(t, t.Clock.Now())
		for range 2 {
			reconcile(t)
			t.Restart()
		}
		Expect(hook.Received()).To(HaveLen(1))
		Expect(hook.Received()[0].Header).To(HaveKeyWithValue("X-Service-Event", []string{"site.failing"}))
		Expect(hook.Received()[0].Body).To(MatchJSON(`{"type": "site.failing", "timestamp": "` + t.DeliveryOf("hook", "SiteFailing").Spec.Time.UTC().Format("2006-01-02T15:04:05.000Z") +
			`", "data": {"site_uid": "` + identity.UID(identity.KindSite, t.Namespace, "acme") + `", "name": "` + t.GetSite().Spec.Domain + `", "domain": "` + t.GetSite().Spec.Domain +
			`", "message": "the last 3 attempts failed: the receiver answered 503 Service Unavailable", "workspace_id": "` + t.Namespace + `"}}`))
		Expect(chat.Shown()).To(ConsistOf(And(ContainSubstring("Deliveries to a site fail"), ContainSubstring("503 Service Unavailable"))))
		Expect(other.Received()).To(BeEmpty())
	})

	It("is not sent of what has failed for long, nor to who subscribed later", func() {
		t := newTenant()
		t.CreateSite()
		fail(t, time.Now().Add(-2*time.Hour))
		later := t.Subscribe("later")
		reconcile(t)
		fail(t, t.Clock.Now().Add(-2*time.Hour))
		reconcile(t)
		Expect(later.Received()).To(BeEmpty())
	})

	It("reaches who waits for it if deliveries fail", func() {
		t := newTenant()
		t.CreateSite()
		hook := t.Subscribe("hook", ForEvents("SiteFailing"))
		t.ReconcileSiteUntilStable()
		t.Receiver.AnswersStatus(http.StatusServiceUnavailable)
		for _, name := range []string{"a", "b", "c"} {
			t.ReconcileUntilStable(t.CreateArticle(name, WithText("Article "+name, "Some words."), ToBePublished, ApprovedInManifest))
		}
		t.ReconcileSiteUntilStable()
		reconcile(t)
		Expect(names(hook)).To(Equal([]string{"site.failing"}))
	})
})
