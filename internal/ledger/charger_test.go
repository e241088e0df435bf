package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/ledger"
)

// plenty is more than any test here asks for.
var plenty = v1alpha1.AccountLimits{ArticlesPerSitePerDay: new(int32(1000))}

var (
	accounts atomic.Int32
	// specs of the accounts, by name.
	specs sync.Map
)

// newAccount creates the ledger of an account with a name of its own.
func newAccount(spec v1alpha1.AccountSpec) string {
	GinkgoHelper()
	l := &v1alpha1.AccountLedger{}
	l.Name = fmt.Sprintf("account-%d", accounts.Add(1))
	Expect(api.Create(context.Background(), l)).To(Succeed())
	specs.Store(l.Name, spec)
	return l.Name
}

func specOf(account string) v1alpha1.AccountSpec {
	spec, _ := specs.Load(account)
	of, _ := spec.(v1alpha1.AccountSpec)
	return of
}

func usage(account string) v1alpha1.AccountLedgerSpec {
	GinkgoHelper()
	l := &v1alpha1.AccountLedger{}
	Expect(api.Get(context.Background(), client.ObjectKey{Name: account}, l)).To(Succeed())
	return l.Spec
}

// replica is a Charger with a client of its own, which counts.
type replica struct {
	*ledger.Charger
	reads, writes atomic.Int32
}

func newReplica(clock *clocktesting.FakeClock) *replica {
	r := &replica{}
	counting := interceptor.NewClient(newClient(), interceptor.Funcs{
		Get: func(ctx context.Context, c client.WithWatch, key client.ObjectKey, o client.Object, opts ...client.GetOption) error {
			r.reads.Add(1)
			return c.Get(ctx, key, o, opts...)
		},
		Patch: func(ctx context.Context, c client.WithWatch, o client.Object, p client.Patch, opts ...client.PatchOption) error {
			r.writes.Add(1)
			return c.Patch(ctx, o, p, opts...)
		},
	})
	r.Charger = ledger.NewCharger(counting, clock)
	return r
}

// Reserve reserves for an account of newAccount.
func (r *replica) Reserve(ctx context.Context, c ledger.Charge) error {
	return r.Charger.Reserve(ctx, specOf(c.Account), c)
}

// Charge charges an account of newAccount.
func (r *replica) Charge(ctx context.Context, c ledger.Charge) (bool, error) {
	return r.Charger.Charge(ctx, specOf(c.Account), c)
}

// storm sends n charges at once, spread over the replicas, and counts the answers by code; "" is a charge taken.
func storm(replicas []*replica, n int, charge func(n int) ledger.Charge) map[ledger.Code]int {
	GinkgoHelper()
	var mu sync.Mutex
	answers, failures := map[ledger.Code]int{}, []error{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			err := replicas[i%len(replicas)].Reserve(context.Background(), charge(i))
			limit, _ := errors.AsType[*ledger.LimitError](err)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				answers[""]++
			case limit != nil:
				answers[limit.Code]++
			default:
				failures = append(failures, err)
			}
		})
	}
	wg.Wait()
	Expect(failures).To(BeEmpty())
	return answers
}

func writes(replicas []*replica) (n int) {
	for _, r := range replicas {
		n += int(r.writes.Load())
	}
	return n
}

var _ = Describe("Three replicas that charge one account at once", func() {
	var (
		clock    *clocktesting.FakeClock
		replicas []*replica
	)
	BeforeEach(func() {
		clock = clocktesting.NewFakeClock(noon)
		replicas = []*replica{newReplica(clock), newReplica(clock), newReplica(clock)}
	})
	// of makes charges for an account: not metered, each for one of so many sites.
	of := func(account string, sites int) func(int) ledger.Charge {
		return func(n int) ledger.Charge {
			return with(charge(n), func(c *ledger.Charge) {
				c.Account, c.Metered, c.Site = account, false, siteName(n%sites)
			})
		}
	}

	It("take exactly the credits that there are, in far fewer writes than requests", func() {
		account := newAccount(v1alpha1.AccountSpec{Credits: new(int64(100)), Limits: plenty})
		answers := storm(replicas, 300, of(account, 1))
		Expect(answers).To(Equal(map[ledger.Code]int{"": 100, ledger.InsufficientCredits: 200}))
		u := usage(account)
		Expect(u.CreditsUsed).To(BeEquivalentTo(100))
		Expect(u.Pending).To(HaveLen(100))
		Expect(u.Sites).To(ConsistOf(v1alpha1.SiteUsage{Workspace: "acme-blog", Site: siteName(0), Count: 100}))
		Expect(writes(replicas)).To(BeNumerically("<", 100), "writes for 300 requests")
		AddReportEntry("writes for 300 requests", writes(replicas))
	})

	It("take exactly the articles that a site may have in a day", func() {
		account := newAccount(v1alpha1.AccountSpec{Limits: v1alpha1.AccountLimits{ArticlesPerSitePerDay: new(int32(30))}})
		answers := storm(replicas, 150, of(account, 3))
		Expect(answers).To(Equal(map[ledger.Code]int{"": 90, ledger.DailyLimit: 60}))
		Expect(usage(account).Sites).To(HaveEach(HaveField("Count", BeEquivalentTo(30))))
	})

	It("accept exactly 60 calls in a minute", func() {
		account := newAccount(v1alpha1.AccountSpec{Limits: plenty})
		metered := func(n int) ledger.Charge {
			return with(of(account, 1)(n), func(c *ledger.Charge) { c.Metered = true })
		}
		Expect(storm(replicas, 90, metered)).To(Equal(map[ledger.Code]int{"": 60, ledger.RateLimited: 30}))

		clock.Step(time.Minute - time.Microsecond)
		err := replicas[0].Reserve(context.Background(), metered(200))
		Expect(err).To(Equal(&ledger.LimitError{Code: ledger.RateLimited, RetryAfter: time.Microsecond}))

		clock.Step(time.Microsecond)
		next := func(n int) ledger.Charge { return metered(1000 + n) }
		Expect(storm(replicas, 70, next)).To(Equal(map[ledger.Code]int{"": 60, ledger.RateLimited: 10}))
	})

	It("leave at most 200 charges pending, and go on once they are confirmed", func() {
		account := newAccount(v1alpha1.AccountSpec{Limits: plenty})
		Expect(storm(replicas, 250, of(account, 1))).To(Equal(map[ledger.Code]int{"": 200, ledger.Busy: 50}))
		Expect(replicas[0].Apply(context.Background(), account, func(u *v1alpha1.AccountLedgerSpec) error {
			for _, p := range u.DeepCopy().Pending {
				ledger.ConfirmCharges(u, p)
			}
			return nil
		})).To(Succeed())
		Expect(replicas[1].Reserve(context.Background(), of(account, 1)(999))).To(Succeed())
	})

	It("charge a run once, and report to only one caller that it took the credit", func() {
		account := newAccount(v1alpha1.AccountSpec{})
		var took atomic.Int32
		var wg sync.WaitGroup
		for i := range 60 {
			wg.Go(func() {
				defer GinkgoRecover()
				taken, err := replicas[i%3].Charge(context.Background(), of(account, 1)(7))
				Expect(err).NotTo(HaveOccurred())
				if taken {
					took.Add(1)
				}
			})
		}
		wg.Wait()
		Expect(took.Load()).To(BeEquivalentTo(1))
		Expect(usage(account).CreditsUsed).To(BeEquivalentTo(1))
	})
})

var _ = Describe("A Charger", func() {
	var r *replica
	BeforeEach(func() {
		r = newReplica(clocktesting.NewFakeClock(noon))
	})
	forAccount := func(name string, n int) ledger.Charge {
		return with(charge(n), func(c *ledger.Charge) { c.Account = name })
	}

	It("leaves everything that is not the ledger's", func(ctx SpecContext) {
		account := newAccount(v1alpha1.AccountSpec{})
		l := &v1alpha1.AccountLedger{}
		Expect(api.Get(ctx, client.ObjectKey{Name: account}, l)).To(Succeed())
		l.Annotations = map[string]string{"billing.example/number": "7"}
		Expect(api.Update(ctx, l)).To(Succeed())
		Expect(r.Reserve(ctx, forAccount(account, 1))).To(Succeed())
		Expect(api.Get(ctx, client.ObjectKey{Name: account}, l)).To(Succeed())
		Expect(l.Annotations).To(HaveKeyWithValue("billing.example/number", "7"))
		Expect(l.Spec.CreditsUsed).To(BeEquivalentTo(1))
	})

	It("keeps times to the microsecond, as kube-apiserver stores them", func(ctx SpecContext) {
		account := newAccount(v1alpha1.AccountSpec{})
		exact := newReplica(clocktesting.NewFakeClock(noon.Add(123456789 * time.Nanosecond)))
		Expect(exact.Reserve(ctx, forAccount(account, 1))).To(Succeed())
		u := usage(account)
		Expect(u.RecentCallTimes).To(HaveLen(1))
		Expect(u.RecentCallTimes[0].Time).To(BeTemporally("==", noon.Add(123456*time.Microsecond)))
		Expect(u.Pending[0].Time.Time).To(BeTemporally("==", u.RecentCallTimes[0].Time))
	})

	It("writes nothing if nothing changes", func(ctx SpecContext) {
		account := newAccount(v1alpha1.AccountSpec{Credits: new(int64(1))})
		Expect(r.Reserve(ctx, forAccount(account, 1))).To(Succeed())
		Expect(r.Reserve(ctx, forAccount(account, 1))).To(Succeed())
		Expect(r.Reserve(ctx, forAccount(account, 2))).To(Equal(&ledger.LimitError{Code: ledger.InsufficientCredits}))
		Expect(r.Apply(ctx, account, func(u *v1alpha1.AccountLedgerSpec) error {
			ledger.Return(u, "acme-blog", "unknown")
			return nil
		})).To(Succeed())
		Expect(r.writes.Load()).To(BeEquivalentTo(1))
	})

	It("undoes what a failing change did, and nobody else's", func(ctx SpecContext) {
		account := newAccount(v1alpha1.AccountSpec{})
		failed := errors.New("no")
		Expect(r.Apply(ctx, account, func(u *v1alpha1.AccountLedgerSpec) error {
			u.CreditsUsed = 99
			return failed
		})).To(MatchError(failed))
		Expect(usage(account).CreditsUsed).To(BeZero())
	})

	It("says that a ledger is missing, and makes none", func(ctx SpecContext) {
		missing := &ledger.LimitError{Code: ledger.Missing, RetryAfter: 5 * time.Second}
		Expect(r.Reserve(ctx, forAccount("nobody", 1))).To(Equal(missing))
		err := r.Apply(ctx, "nobody", func(*v1alpha1.AccountLedgerSpec) error { return nil })
		Expect(err).To(Equal(missing))
		Expect(ledger.IgnoreMissing(err)).To(Succeed())
		Expect(apierrors.IsNotFound(api.Get(ctx, client.ObjectKey{Name: "nobody"}, &v1alpha1.AccountLedger{}))).To(BeTrue())
	})

	It("keeps no goroutine and no memory of an account that nobody waits for", func() {
		account := newAccount(v1alpha1.AccountSpec{Limits: plenty})
		storm([]*replica{r}, 40, func(n int) ledger.Charge { return forAccount(account, n) })
		Eventually(func() int { return ledger.Busyness(r.Charger) }).Should(BeZero())
	})
})
