package controllers_test

import (
	"context"
	"fmt"
	"regexp"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers"
	"github.com/pressroom-dev/pressroom/controllers/article"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/backoff"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

// The whole manager, with its caches, watches and clock, does by itself what the other specs do by hand.
var _ = Describe("The manager", Ordered, func() {
	var t *tenant

	BeforeAll(func() {
		t = newTenant()
		DeferCleanup(t.startManager())
	})

	It("carries an article from a keyword to published, by watches alone", func() {
		key := t.CreateArticle("shoes", WithKeyword)
		t.await(key, func(a *v1alpha1.Article) bool { return Reason(a, v1alpha1.ConditionReady) == "False/SiteNotFound" })
		t.CreateSite()
		t.await(key, inPhase(v1alpha1.PhaseReview))
		t.ApproveAndPublish(key)
		a := t.await(key, inPhase(v1alpha1.PhasePublished))
		Expect(a.Status.Publication.Post.URL).To(Equal("https://acme.example/blog/shoes"))
		Expect(t.Receiver.Received()).To(HaveLen(1))
		rev := t.Revision(a)
		Expect(rev.Spec.Generator.Type).To(Equal(v1alpha1.GeneratorBuiltIn))
	})

	It("publishes what an author wrote, whose text no cache holds", func() {
		key := t.CreateArticle("written-by-hand", WithText("By hand", "My words."), ApprovedInManifest, ToBePublished, func(a *v1alpha1.Article) {
			a.Spec.Content.FAQ = []v1alpha1.FAQ{{Question: "Whose?", Answer: "Mine."}}
			a.Annotations = map[string]string{corev1.LastAppliedConfigAnnotation: "the manifest once more"}
		})
		a := t.await(key, inPhase(v1alpha1.PhasePublished))
		Expect(a.Spec.Content).To(And(HaveField("Markdown", "My words."), HaveField("FAQ", HaveLen(1))), "no write has touched it")
		Expect(a.Annotations).To(HaveKey(corev1.LastAppliedConfigAnnotation))
		Expect(t.Revision(a).Spec).To(And(HaveField("Markdown", "My words."), HaveField("FAQ", HaveLen(1))))
	})

	It("tests a connection when somebody asks", func() {
		t.RequestTest("first")
		Eventually(func() string { return ConditionOf(t.GetSite().Status.Conditions, v1alpha1.ConditionConnected) }).
			Should(Equal("True/ReceiverAccepted"))
	})

	It("sends an event again that was asked for while its subscription was suspended, once it is resumed", func() {
		hook := t.Subscribe("suspended")
		key := t.CreateDelivery("told", "suspended")
		delivered := func() *v1alpha1.EventDelivery {
			d := &v1alpha1.EventDelivery{}
			Expect(api.Get(t.Ctx, key, d)).To(Succeed())
			return d
		}
		isDelivered := func() string { return ConditionOf(delivered().Status.Conditions, v1alpha1.ConditionDelivered) }
		Eventually(isDelivered).Should(Equal("True/Delivered"))
		suspend := func(s *v1alpha1.EventSubscription) {
			s.Status.Suspension = &v1alpha1.Suspension{Time: v1alpha1.NewMicroTime(time.Now()), Generation: s.Generation}
		}
		t.EditSubscriptionStatus("suspended", suspend)
		Eventually(func() string {
			return ConditionOf(t.Subscription("suspended").Status.Conditions, v1alpha1.ConditionReady)
		}).
			Should(Equal("False/Suspended"))
		t.Annotate(delivered(), v1alpha1.RedeliverAnnotation, "again")
		Eventually(isDelivered).Should(Equal("False/Suspended"))
		Expect(hook.Received()).To(HaveLen(1))

		t.Annotate(t.Subscription("suspended"), v1alpha1.ResumeAnnotation, "now")
		Eventually(isDelivered).Should(Equal("True/Delivered"))
		Expect(hook.Received()).To(HaveLen(2))
	})

	It("exports metrics, none of which names an article, a customer or a URL", func() {
		// What is written is counted a moment later.
		for _, line := range []string{`pressroom_delivery_attempts_total{outcome="Accepted"} `, `pressroom_connection_tests_total{outcome="Accepted"} `} {
			Eventually(func() string { return scrape(metrics.Registry) }).Should(MatchRegexp("\n" + regexp.QuoteMeta(line) + "[1-9]"))
		}
		t.expectBoundedMetrics()
		for _, kind := range []string{"generation", "publication", "event", "connection"} {
			Expect(line(metrics.Registry, "pressroom_attempts_in_flight", kind)).To(Equal("0"))
		}
	})

	It("goes on when the account gets credits", func() {
		t.SetCredits(1)
		key := t.CreateArticle("broke", WithKeyword)
		t.await(key, func(a *v1alpha1.Article) bool {
			return Reason(a, v1alpha1.ConditionGenerated) == "False/InsufficientCredits"
		})
		t.SetCredits(2)
		t.await(key, inPhase(v1alpha1.PhaseReview))
	})

	// Each informer holds all objects of its kind. Reading one's own writes starts an informer for every kind that is written.
	It("holds objects of these kinds in memory, and neither texts nor Secrets", func() {
		Expect(t.requests.watched()).To(Equal([]string{
			"accountledgers", "accounts", "apikeys", "articles", "eventdeliveries", "eventsubscriptions", "idempotencyrecords", "namespaces", "oauthclients",
			"oauthgrants", "posts", "sites",
		}))
	})

	It("hears of it when an app or an account of a grant goes", func() {
		t.SetMembers(Mara)
		kept, gone := t.NewOAuthClient("kept"), t.NewOAuthClient("gone")
		t.Clock.SetTime(time.Now())
		orphan, grant := t.NewGrant(gone), t.NewGrant(kept)
		awaits := func() string { return t.ReadyReason(grant) }
		Eventually(awaits).Should(Equal(v1alpha1.ReasonAwaitingExchange))
		Expect(grant.ManagedFields).To(ContainElement(And(HaveField("Manager", "pressroom-controller"), HaveField("Subresource", "status"))))
		Expect(api.Delete(t.Ctx, gone)).To(Succeed())
		Eventually(func() error { return api.Get(t.Ctx, client.ObjectKeyFromObject(orphan), orphan) }).
			Should(WithTransform(apierrors.IsNotFound, BeTrue()))
		Expect(api.Delete(t.Ctx, t.GetAccount())).To(Succeed())
		Eventually(awaits).Should(Equal(v1alpha1.ReasonAccountNotFound))
		Eventually(func() string { return t.ReadyReason(kept) }).Should(Equal(v1alpha1.ReasonAccountNotFound))
	})
})

// startManager runs the controllers as the binary does, on this tenant alone: what other specs have left is due too, and their
// receivers' ports may be others' by now. It returns what stops them.
func (t *tenant) startManager(changes ...func(*controllers.Options)) func() {
	GinkgoHelper()
	texts := article.NewTexts()
	cached := controllers.CacheOptions(texts)
	cached.DefaultNamespaces = map[string]cache.Config{t.Namespace: {}}
	kubeConfig := rest.CopyConfig(cluster.Config)
	kubeConfig.Wrap(t.requests.record)
	mgr, err := ctrl.NewManager(kubeConfig, ctrl.Options{
		Scheme: api.Scheme(), Metrics: metricsserver.Options{BindAddress: "0"},
		Cache: cached, Client: controllers.ClientOptions(),
		// One after the other, there are several in this process.
		Controller: config.Controller{SkipNameValidation: new(true), ReconciliationTimeout: t.reconcileTimeout},
	})
	Expect(err).NotTo(HaveOccurred())
	ctx, cancel := context.WithCancel(context.Background())
	options := controllers.Options{
		Generator: generate.Config{Type: "BuiltIn"}, Egress: Loopback(),
		RetryDelays: backoff.DefaultRetryDelays(), Runs: inflight.Limits{Total: 4}, Deliveries: inflight.Limits{Total: 4, PerHost: 2}, Texts: texts, Clock: clock.RealClock{},
	}
	for _, change := range changes {
		change(&options)
	}
	Expect(controllers.Setup(ctx, mgr, options)).To(Succeed())
	stopped := make(chan error, 1)
	go func() { stopped <- mgr.Start(ctx) }()
	return func() {
		cancel()
		Expect(<-stopped).To(Succeed())
	}
}

func inPhase(phase v1alpha1.ArticlePhase) func(*v1alpha1.Article) bool {
	return func(a *v1alpha1.Article) bool { return a.Status.Phase == phase }
}

// await watches an article until it is as wanted.
func (t *tenant) await(key client.ObjectKey, wanted func(*v1alpha1.Article) bool) *v1alpha1.Article {
	GinkgoHelper()
	ctx, cancel := context.WithTimeout(t.Ctx, 2*time.Minute)
	defer cancel()
	var list v1alpha1.ArticleList
	Expect(api.List(ctx, &list, client.InNamespace(key.Namespace))).To(Succeed())
	for i := range list.Items {
		if list.Items[i].Name == key.Name && wanted(&list.Items[i]) {
			return &list.Items[i]
		}
	}
	watch, err := api.Watch(ctx, &v1alpha1.ArticleList{}, client.InNamespace(key.Namespace),
		&client.ListOptions{Raw: &metav1.ListOptions{ResourceVersion: list.ResourceVersion}})
	Expect(err).NotTo(HaveOccurred())
	defer watch.Stop()
	for event := range watch.ResultChan() {
		if a, ok := event.Object.(*v1alpha1.Article); ok && a.Name == key.Name && wanted(a) {
			return a
		}
	}
	Fail(fmt.Sprintf("the article did not come to what was wanted: %+v", t.GetArticle(key).Status))
	return nil
}
