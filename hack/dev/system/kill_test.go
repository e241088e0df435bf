//go:build e2e

package system_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/hack/dev/system"
)

const (
	mergePatch = types.MergePatchType
	// lifetime bounds how long the controller lives before a kill at a random time.
	lifetime = 600 * time.Millisecond
	// inARow is how often it is killed before the interrupted work may end: a delivery that is cut off each time has one of its
	// four attempts left.
	inARow = 3
)

// killRounds is how often the controller is killed: at each kill point once in `make test`, 200 times in `make crash`.
func killRounds() int {
	if n, err := strconv.Atoi(os.Getenv("PRESSROOM_KILL_ROUNDS")); err == nil && n > 0 {
		return n
	}
	return len(killPoints())
}

var _ = Describe("A controller that is killed again and again", func() {
	It("loses no article, no publish and no event, makes nothing twice, and sends nothing that is not recorded", func(ctx SpecContext) {
		k := newKilling(ctx)
		before := creditsUsed(ctx)
		rounds := killRounds()
		for i := range rounds {
			k.round(ctx, i)
			if i%inARow == inARow-1 || i == rounds-1 {
				k.awaitEnd(ctx)
			}
		}
		figures := k.count(ctx)
		AddReportEntry("figures", figures.String())
		fmt.Print(figures)
		Expect(figures.faults()).To(BeZero())
		Expect(figures.unknown).To(BeEmpty(), "requests that no status records")
		Expect(creditsUsed(ctx)-before).To(Equal(int64(rounds)), "a run is charged once, however often it was cut off")
	}, NodeTimeout(30*time.Minute))
})

// killing is a Site whose controller is killed, with the external endpoints of its articles.
type killing struct {
	trap         *trap
	site, events *killReceiver
	model        *model
	articles     []client.ObjectKey
	injected     map[killPoint]int
	began        time.Time
}

func newKilling(ctx context.Context) *killing {
	GinkgoHelper()
	t := newTrap(func() error { return whole.Controller.Kill() })
	k := &killing{
		trap: t, injected: map[killPoint]int{}, began: time.Now(), model: newModel(t),
		site:   newKillReceiver(t, publishConnected, publishInProgress),
		events: newKillReceiver(t, eventConnected, eventInProgress),
	}
	DeferCleanup(k.site.Close)
	DeferCleanup(k.events.Close)
	DeferCleanup(k.model.Close)
	watchWrites(ctx, t)
	k.createSite(ctx)
	subscribe(ctx, k.events.URL+"/events")
	return k
}

// round kills the controller once, while it works on a new article or on one of an earlier round, and starts it again.
func (k *killing) round(ctx context.Context, i int) {
	GinkgoHelper()
	at := killPoints()[i%len(killPoints())]
	k.trap.setTo(at)
	k.articles = append(k.articles, k.createArticle(ctx, i))
	if at == atRandom {
		select {
		case <-time.After(rand.N(lifetime)):
		case <-ctx.Done():
		}
		k.trap.at(at)
	}
	Expect(k.trap.await(ctx)).To(Succeed(), string(at))
	k.injected[at]++
	Expect(whole.StartController(context.WithoutCancel(ctx))).To(Succeed())
}

func (k *killing) createSite(ctx context.Context) {
	GinkgoHelper()
	site := &v1alpha1.Site{
		ObjectMeta: metav1.ObjectMeta{Namespace: system.Workspace, Name: "killed"},
		Spec: v1alpha1.SiteSpec{
			Domain: "killed.acme.example", Review: v1alpha1.SiteReview{Policy: v1alpha1.ReviewAutomatic},
			Generator: &v1alpha1.SiteGenerator{Type: v1alpha1.GeneratorOpenAI, Model: "small", BaseURL: k.model.URL + "/v1"},
			CMS: v1alpha1.SiteCMS{Type: v1alpha1.CMSHeadless, Headless: &v1alpha1.HeadlessConnection{
				URL: k.site.URL + "/publish", SigningSecretRef: v1alpha1.SecretKeyReference{Name: "acme-webhook", Key: "signingSecret"},
			}},
		},
	}
	Expect(api.Create(ctx, site)).To(Succeed())
	account := &v1alpha1.Account{ObjectMeta: metav1.ObjectMeta{Name: system.Account}}
	allow := client.RawPatch(mergePatch, []byte(`{"spec":{"limits":{"articlesPerSitePerDay":1000}}}`))
	Expect(api.Patch(ctx, account, allow)).To(Succeed(), "there are more kills than articles in a day")
}

func (k *killing) createArticle(ctx context.Context, i int) client.ObjectKey {
	GinkgoHelper()
	a := &v1alpha1.Article{
		ObjectMeta: metav1.ObjectMeta{Namespace: system.Workspace, Name: fmt.Sprintf("killed-%d", i)},
		Spec: v1alpha1.ArticleSpec{
			SiteRef: v1alpha1.LocalReference{Name: "killed"}, Stage: v1alpha1.StagePublished,
			Generate: &v1alpha1.GenerateRequest{Keyword: fmt.Sprintf("shoes that survive %d", i)},
		},
	}
	Expect(api.Create(ctx, a)).To(Succeed())
	return client.ObjectKeyFromObject(a)
}

// subscribe makes a subscription to the events of the workspace over REST, which makes its secret, and waits until it is
// ready.
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

func creditsUsed(ctx context.Context) int64 {
	GinkgoHelper()
	ledger := &v1alpha1.AccountLedger{}
	Expect(api.Get(ctx, client.ObjectKey{Name: system.Account}, ledger)).To(Succeed())
	return ledger.Spec.CreditsUsed
}
