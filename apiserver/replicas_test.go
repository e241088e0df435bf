package apiserver_test

import (
	"fmt"
	"strconv"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// noon is a time at which no day ends within a spec.
func noon() time.Time { return time.Now().UTC().Truncate(24 * time.Hour).Add(12 * time.Hour) }

// inParallel sends n requests at once, in turn to each of the replicas, and counts the answers by status.
func inParallel(n int, replicas []*replica, ask func(r *replica, i int) testkit.Answer) (map[int]int, []testkit.Answer) {
	GinkgoHelper()
	done := make(chan testkit.Answer, n)
	for i := range n {
		go func() {
			defer GinkgoRecover()
			done <- ask(replicas[i%len(replicas)], i)
		}()
	}
	counts, answers := map[int]int{}, []testkit.Answer{}
	for range n {
		var got testkit.Answer
		Eventually(done).Should(Receive(&got))
		counts[got.Status]++
		answers = append(answers, got)
	}
	return counts, answers
}

var _ = Describe("Limits", Ordered, func() {
	var (
		fake     *clocktesting.FakeClock
		replicas []*replica
	)
	BeforeAll(func() {
		fake = clocktesting.NewFakeClock(noon())
		for range 3 {
			r := startReplica(func(o *apiserver.Options) { o.Clock = fake })
			DeferCleanup(r.Stop)
			replicas = append(replicas, r)
		}
	})

	generate := func(t *tenant) func(*replica, int) testkit.Answer {
		return func(r *replica, i int) testkit.Answer {
			return r.ask(t, "POST", "/v1/api/generate", t.generate(fmt.Sprintf("shoes %d", i)))
		}
	}

	It("let exactly 60 calls a minute through, over all replicas", func() {
		t := newTenant(replicas...)
		t.changeLimits(func(a *v1alpha1.Account) { a.Spec.Limits.ArticlesPerSitePerDay = new(int32(1000)) }, replicas...)
		counts, answers := inParallel(90, replicas, generate(t))
		Expect(counts).To(Equal(map[int]int{202: 60, 429: 30}))
		for _, a := range answers {
			if a.Status == 429 {
				Expect(a.Code()).To(Equal("RATE_LIMIT_EXCEEDED"))
				seconds, err := strconv.Atoi(a.Header.Get("Retry-After"))
				Expect(err).NotTo(HaveOccurred())
				Expect(seconds).To(And(BeNumerically(">=", 1), BeNumerically("<=", 60)))
			}
		}
		Expect(t.articles()).To(HaveLen(60))
		Expect(t.usage().CreditsUsed).To(BeEquivalentTo(60))

		By("opening again when the minute is over")
		fake.Step(time.Minute)
		Expect(replicas[0].ask(t, "POST", "/v1/api/generate", t.generate("shoes")).Status).To(Equal(202))
	})

	It("let exactly the day's articles of a site through", func() {
		t := newTenant(replicas...)
		t.changeLimits(func(a *v1alpha1.Account) { a.Spec.Limits.ArticlesPerSitePerDay = new(int32(7)) }, replicas...)
		counts, answers := inParallel(20, replicas, generate(t))
		Expect(counts).To(Equal(map[int]int{202: 7, 429: 13}))
		for _, a := range answers {
			if a.Status == 429 {
				Expect(a.Code()).To(Equal("RATE_LIMIT_EXCEEDED"))
				seconds, err := strconv.Atoi(a.Header.Get("Retry-After"))
				Expect(err).NotTo(HaveOccurred())
				Expect(seconds).To(BeNumerically(">", 3600), "until midnight UTC")
			}
		}
		Expect(t.articles()).To(HaveLen(7))
		Expect(t.usage().CreditsUsed).To(BeEquivalentTo(7))
		Expect(t.usage().RecentCallTimes).To(HaveLen(7), "what is refused is not counted")
	})

	It("let exactly the credits through", func() {
		t := newTenant(replicas...)
		t.changeLimits(func(a *v1alpha1.Account) { a.Spec.Credits = new(int64(5)) }, replicas...)
		counts, answers := inParallel(15, replicas, generate(t))
		Expect(counts).To(Equal(map[int]int{202: 5, 402: 10}))
		for _, a := range answers {
			if a.Status == 402 {
				Expect(a.Code()).To(Equal("INSUFFICIENT_CREDITS"))
			}
		}
		Expect(t.articles()).To(HaveLen(5))
	})

	It("give a charge back whose article kube-apiserver refuses", func() {
		t := newTenant(replicas...)
		quota := &corev1.ResourceQuota{Spec: corev1.ResourceQuotaSpec{
			Hard: corev1.ResourceList{"count/articles.pressroom.dev": resource.MustParse("0")},
		}}
		quota.Namespace, quota.Name = t.Workspace, "none"
		Expect(api.Create(ctx, quota)).To(Succeed())
		quota.Status.Hard = quota.Spec.Hard
		quota.Status.Used = quota.Spec.Hard
		Expect(api.Status().Update(ctx, quota)).To(Succeed())
		// So seldom that the day and the minute have room until the quota is known.
		Eventually(func() testkit.Answer { return replicas[0].ask(t, "POST", "/v1/api/generate", t.generate("shoes")) }).
			WithPolling(time.Second).Should(failing(409, "LIMIT_REACHED"))
		usage, articles := t.usage(), t.articles()
		Expect(usage.CreditsUsed).To(BeEquivalentTo(len(articles)))
		Expect(usage.Pending).To(HaveLen(len(articles)))
		Expect(usage.RecentCallTimes).To(HaveLen(len(articles)))
	})

	It("charge requests with one Idempotency-Key once, however they come", func() {
		t := newTenant(replicas...)
		same := func(r *replica, _ int) testkit.Answer {
			return r.ask(t, "POST", "/v1/api/generate", t.generate("trail shoes"), "Idempotency-Key", "order 4711")
		}
		counts, answers := inParallel(30, replicas, same)
		Expect(counts).To(Equal(map[int]int{202: 30}))
		for _, a := range answers {
			Expect(a.Raw).To(Equal(answers[0].Raw))
		}
		Expect(t.articles()).To(HaveLen(1))
		Expect(t.usage().CreditsUsed).To(BeEquivalentTo(1))
		Expect(t.usage().Pending).To(HaveLen(1))

		By("refusing another request under the key")
		other := replicas[2].ask(t, "POST", "/v1/api/generate", t.generate("road shoes"), "Idempotency-Key", "order 4711")
		Expect(other).To(failing(409, "CONFLICT"))

		By("answering the repeat although there are no credits left")
		t.changeLimits(func(a *v1alpha1.Account) { a.Spec.Credits = new(int64(1)) }, replicas...)
		Expect(replicas[1].ask(t, "POST", "/v1/api/generate", t.generate("shoes"))).To(failing(402, "INSUFFICIENT_CREDITS"))
		Expect(same(replicas[1], 0).Raw).To(Equal(answers[0].Raw))
	})

	It("create nothing under an Idempotency-Key whose article was deleted", func() {
		t := newTenant(replicas...)
		same := func(r *replica, _ int) testkit.Answer {
			return r.ask(t, "POST", "/v1/api/generate", t.generate("trail shoes"), "Idempotency-Key", "order 4712")
		}
		first := same(replicas[0], 0)
		Expect(first.Status).To(Equal(202))
		By("DELETE")
		Expect(replicas[1].ask(t, "DELETE", "/v1/api/blogs/"+first.Text("blog_uid"), nil).Status).To(Equal(204))
		counts, answers := inParallel(12, replicas, same)
		Expect(counts).To(Equal(map[int]int{202: 12}))
		for _, a := range answers {
			Expect(a.Raw).To(Equal(first.Raw))
		}
		Expect(t.articles()).To(BeEmpty())
		Expect(t.usage().CreditsUsed).To(BeEquivalentTo(1), "the charge is that of the first call")

		By("another body")
		other := replicas[2].ask(t, "POST", "/v1/api/generate", t.generate("road shoes"), "Idempotency-Key", "order 4712")
		Expect(other).To(failing(409, "CONFLICT"))
	})

	It("let only one of several requests under one Idempotency-Key win", func() {
		t := newTenant(replicas...)
		counts, _ := inParallel(12, replicas, func(r *replica, i int) testkit.Answer {
			return r.ask(t, "POST", "/v1/api/generate", t.generate(fmt.Sprintf("shoes %d", i)), "Idempotency-Key", "k")
		})
		Expect(counts).To(Equal(map[int]int{202: 1, 409: 11}))
		Expect(t.articles()).To(HaveLen(1))
		Expect(t.usage().CreditsUsed).To(BeEquivalentTo(1))
	})
})
