package system_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/hack/dev/system"
)

// The receiver's answer takes receiverTime; the controller lives for up to lifetime between two kills. The share of both is
// small enough that no delivery is cut off on all of its four attempts.
const (
	receiverTime = 20 * time.Millisecond
	lifetime     = 600 * time.Millisecond
)

// killRounds is how often the controller is killed: few in `make test`, 200 in `make crash`.
func killRounds() int {
	if n, err := strconv.Atoi(os.Getenv("PRESSROOM_KILL_ROUNDS")); err == nil && n > 0 {
		return n
	}
	return 8
}

var _ = Describe("A controller that is killed again and again", func() {
	It("loses no article, no publish and no event, and sends nothing that is not recorded", func(ctx SpecContext) {
		counted := newCounter()
		DeferCleanup(counted.Close)
		createKillSite(ctx, counted.URL+"/publish")
		subscribe(ctx, counted.URL+"/events")

		rounds := killRounds()
		var articles []client.ObjectKey
		for i := range rounds {
			articles = append(articles, createKillArticle(ctx, i))
			select {
			case <-time.After(rand.N(lifetime)):
			case <-ctx.Done():
			}
			Expect(whole.Group.Kill(whole.Controller)).To(Succeed())
			Expect(whole.StartController(context.WithoutCancel(ctx))).To(Succeed())
		}
		attempts, unknown := 0, 0
		for _, key := range articles {
			a := await(ctx, key.Name, v1alpha1.PhasePublished)
			Expect(revisionsOf(ctx, a)).To(HaveLen(1))
			made := a.Status.Publication.Attempts
			Expect(made).To(HaveEach(HaveField("Cycle", int32(1))), "nobody asked for a second cycle")
			Expect(len(made)).To(BeNumerically("<=", 4))
			got, bodies := counted.of(a.Status.Slug)
			Expect(got).To(And(BeNumerically(">=", 1), BeNumerically("<=", len(made))), "requests are at most the recorded attempts")
			Expect(bodies).To(Equal(1), "the same bytes on every retry")
			attempts += len(made)
			unknown += unknownOf(made)
		}
		events := awaitEvents(ctx, 3*rounds)
		eventAttempts := 0
		for i := range events {
			made := events[i].Status.Attempts
			got, bodies := counted.of(events[i].Name)
			Expect(got).To(And(BeNumerically(">=", 1), BeNumerically("<=", len(made))))
			Expect(bodies).To(Equal(1))
			eventAttempts += len(made)
			unknown += unknownOf(made)
		}
		figure := fmt.Sprintf("%d SIGKILLs: %d articles published with %d attempts, %d events delivered with %d attempts, "+
			"%d attempts cut off, %d requests; 0 lost, 0 unrecorded", rounds, len(articles), attempts, len(events), eventAttempts,
			unknown, counted.total())
		AddReportEntry("figure", figure)
		fmt.Println(figure)
	}, NodeTimeout(30*time.Minute))
})

func unknownOf(attempts []v1alpha1.DeliveryAttempt) int {
	n := 0
	for i := range attempts {
		if attempts[i].Outcome == v1alpha1.AttemptUnknown {
			n++
		}
	}
	return n
}

// counter is a receiver that counts the requests of each article, by slug, and of each event, by webhook-id.
type counter struct {
	*httptest.Server
	mu       sync.Mutex
	requests map[string]int
	bodies   map[string]map[string]bool
}

func newCounter() *counter {
	c := &counter{requests: map[string]int{}, bodies: map[string]map[string]bool{}}
	c.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // The sender was killed while it sent.
		}
		// A receiver that takes its time is often at work when the controller is killed.
		select {
		case <-time.After(receiverTime):
		case <-r.Context().Done():
		}
		key := r.Header.Get("Webhook-Id")
		if key == "" {
			var article struct {
				Slug string `json:"slug"`
			}
			if json.Unmarshal(body, &article) != nil {
				return
			}
			key = article.Slug
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.requests[key]++
		if c.bodies[key] == nil {
			c.bodies[key] = map[string]bool{}
		}
		c.bodies[key][string(body)] = true
	}))
	return c
}

// of returns the number of requests with a key, and of different bodies among them.
func (c *counter) of(key string) (requests, bodies int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.requests[key], len(c.bodies[key])
}

func (c *counter) total() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	sum := 0
	for _, n := range c.requests {
		sum += n
	}
	return sum
}

const killSite = "killed"

func createKillSite(ctx context.Context, url string) {
	GinkgoHelper()
	site := &v1alpha1.Site{
		ObjectMeta: metav1.ObjectMeta{Namespace: system.Workspace, Name: killSite},
		Spec: v1alpha1.SiteSpec{
			Domain: "killed.acme.example", Review: v1alpha1.SiteReview{Policy: v1alpha1.ReviewAutomatic},
			Limits: v1alpha1.SiteLimits{ArticlesPerDay: new(int32(1000))},
			CMS: v1alpha1.SiteCMS{Type: v1alpha1.CMSHeadless, Headless: &v1alpha1.HeadlessConnection{
				URL: url, SigningSecretRef: v1alpha1.SecretKeyReference{Name: "acme-webhook", Key: "signingSecret"},
			}},
		},
	}
	Expect(api.Create(ctx, site)).To(Succeed())
}

func createKillArticle(ctx context.Context, i int) client.ObjectKey {
	GinkgoHelper()
	a := &v1alpha1.Article{
		ObjectMeta: metav1.ObjectMeta{Namespace: system.Workspace, Name: fmt.Sprintf("killed-%d", i)},
		Spec: v1alpha1.ArticleSpec{
			SiteRef: v1alpha1.LocalReference{Name: killSite}, Stage: v1alpha1.StagePublished,
			Generate: &v1alpha1.GenerateRequest{Keyword: fmt.Sprintf("shoes that survive %d", i)},
		},
	}
	Expect(api.Create(ctx, a)).To(Succeed())
	return client.ObjectKeyFromObject(a)
}

// subscribe makes a subscription over REST, which makes its secret, to the events of the site, and waits until the
// controller knows it.
func subscribe(ctx context.Context, url string) {
	GinkgoHelper()
	body, err := json.Marshal(map[string]any{"url": url, "events": []string{"*"}})
	Expect(err).NotTo(HaveOccurred())
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, whole.APIURL()+"/v1/api/event-subscriptions", bytes.NewReader(body))
	Expect(err).NotTo(HaveOccurred())
	request.Header.Set("x-api-key", whole.APIKey)
	request.Header.Set("x-workspace-id", system.Workspace)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	Expect(err).NotTo(HaveOccurred())
	defer response.Body.Close()
	Expect(response).To(HaveHTTPStatus(http.StatusCreated))
	watch, err := api.Watch(ctx, &v1alpha1.EventSubscriptionList{}, client.InNamespace(system.Workspace))
	Expect(err).NotTo(HaveOccurred())
	defer watch.Stop()
	for event := range watch.ResultChan() {
		s, ok := event.Object.(*v1alpha1.EventSubscription)
		if ok && len(s.Status.Conditions) > 0 && s.Status.Conditions[0].Status == metav1.ConditionTrue {
			return
		}
	}
	Fail("the subscription is not ready")
}

// awaitEvents waits until so many events of the killed articles have been delivered.
func awaitEvents(ctx context.Context, want int) []v1alpha1.EventDelivery {
	GinkgoHelper()
	var list v1alpha1.EventDeliveryList
	Eventually(ctx, func(g Gomega) {
		g.Expect(api.List(ctx, &list, client.InNamespace(system.Workspace))).To(Succeed())
		g.Expect(list.Items).To(HaveLen(want))
		for i := range list.Items {
			g.Expect(list.Items[i].Status.Cycle).To(And(Not(BeNil()), HaveField("State", v1alpha1.CycleDelivered)))
		}
	}).WithTimeout(patience).WithPolling(time.Second).Should(Succeed())
	return list.Items
}
