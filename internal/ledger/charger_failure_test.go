package ledger_test

import (
	"context"
	"errors"
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/ledger"
)

// hooked returns a Charger whose writes go through a hook.
func hooked(write func(ctx context.Context, pass func() error) error) *ledger.Charger {
	return hookedAt(clocktesting.NewFakeClock(noon), write)
}

// hookedAt is hooked with a clock of the caller's.
func hookedAt(clock *clocktesting.FakeClock, write func(ctx context.Context, pass func() error) error) *ledger.Charger {
	return ledger.NewCharger(interceptor.NewClient(api, interceptor.Funcs{
		Patch: func(ctx context.Context, c client.WithWatch, o client.Object, p client.Patch, opts ...client.PatchOption) error {
			return write(ctx, func() error { return c.Patch(ctx, o, p, opts...) })
		},
	}), clock)
}

var _ = Describe("A Charger in trouble", func() {
	var account string
	BeforeEach(func() {
		account = newAccount(v1alpha1.AccountSpec{})
	})
	one := func(n int) ledger.Charge {
		return with(charge(n), func(c *ledger.Charge) { c.Account = account })
	}
	conflict := apierrors.NewConflict(schema.GroupResource{Resource: "accountledgers"}, "a", errors.New("changed"))

	It("tries again where somebody else wrote first", func(ctx SpecContext) {
		tries := 0
		c := hooked(func(_ context.Context, pass func() error) error {
			if tries++; tries < 10 {
				return conflict
			}
			return pass()
		})
		Expect(c.Reserve(ctx, v1alpha1.AccountSpec{}, one(1))).To(Succeed())
		Expect(usage(account).CreditsUsed).To(BeEquivalentTo(1))
	})

	It("says that it is busy where somebody else always writes first", func(ctx SpecContext) {
		c := hooked(func(context.Context, func() error) error { return conflict })
		err := c.Reserve(ctx, v1alpha1.AccountSpec{}, one(1))
		limit, ok := errors.AsType[*ledger.LimitError](err)
		Expect(ok).To(BeTrue(), "%v", err)
		Expect(limit.Code).To(Equal(ledger.Busy))
		Expect(limit.RetryAfter).To(BeNumerically(">", 0))
	})

	DescribeTable("says that it is unavailable where kube-apiserver fails", func(ctx SpecContext, failure error) {
		c := hooked(func(context.Context, func() error) error { return failure })
		err := c.Reserve(ctx, v1alpha1.AccountSpec{}, one(1))
		Expect(err).To(MatchError(ledger.ErrUnavailable))
		Expect(err).To(MatchError(failure))
		Expect(err.Error()).NotTo(ContainSubstring("\n"))
		Expect(usage(account).CreditsUsed).To(BeZero())
	},
		Entry("with an error of its own", apierrors.NewInternalError(errors.New("etcd"))),
		Entry("by being overloaded", apierrors.NewTooManyRequests("later", 1)),
		Entry("by not answering", http.ErrHandlerTimeout),
	)

	It("answers a caller that gives up before its turn at once, and never charges it", func(ctx SpecContext) {
		entered, release := make(chan struct{}), make(chan struct{})
		c := hooked(func(_ context.Context, pass func() error) error {
			close(entered)
			<-release
			return pass()
		})
		first := make(chan error, 1)
		go func() { first <- c.Reserve(ctx, v1alpha1.AccountSpec{}, one(1)) }()
		Eventually(entered).Should(BeClosed())
		waiting, giveUp := context.WithCancel(ctx)
		second := make(chan error, 1)
		go func() { second <- c.Reserve(waiting, v1alpha1.AccountSpec{}, one(2)) }()
		Eventually(func() int { return ledger.Waiting(c, account) }).Should(Equal(1))
		giveUp()
		Eventually(second).Should(Receive(MatchError(context.Canceled)))
		close(release)
		Eventually(first).Should(Receive(BeNil()))
		Expect(usage(account).CreditsUsed).To(BeEquivalentTo(1))
	})

	It("gives a caller that charges and gives up too late the outcome, so that it knows what it took", func(ctx SpecContext) {
		entered, release := make(chan struct{}), make(chan struct{})
		c := hooked(func(_ context.Context, pass func() error) error {
			close(entered)
			<-release
			return pass()
		})
		waiting, giveUp := context.WithCancel(ctx)
		done := make(chan error, 1)
		go func() {
			defer GinkgoRecover()
			taken, err := c.Charge(waiting, v1alpha1.AccountSpec{}, one(1))
			Expect(taken).To(BeTrue())
			done <- err
		}()
		Eventually(entered).Should(BeClosed())
		giveUp()
		close(release)
		Eventually(done).Should(Receive(BeNil()))
		Expect(usage(account).Pending).To(HaveLen(1))
	})

	DescribeTable("lets a caller that tries again go after a second while the write goes on, and charges its run once",
		func(ctx SpecContext, giveUp func(cancel func(), clock *clocktesting.FakeClock), want error) {
			entered, release := make(chan struct{}), make(chan struct{})
			clock := clocktesting.NewFakeClock(noon)
			c := hookedAt(clock, func(_ context.Context, pass func() error) error {
				close(entered)
				<-release
				return pass()
			})
			waiting, cancel := context.WithCancel(ctx)
			defer cancel()
			done := make(chan error, 1)
			go func() { done <- c.Reserve(waiting, v1alpha1.AccountSpec{}, one(1)) }()
			Eventually(entered).Should(BeClosed())
			giveUp(cancel, clock)
			Eventually(done).Should(Receive(And(MatchError(ledger.ErrUnavailable), MatchError(want))))
			Expect(usage(account).Pending).To(BeEmpty(), "the write is still held back")

			go func() { done <- c.Reserve(ctx, v1alpha1.AccountSpec{}, one(1)) }()
			Eventually(func() int { return ledger.Waiting(c, account) }).Should(Equal(1))
			close(release)
			Eventually(done).Should(Receive(BeNil()))
			Expect(usage(account).Pending).To(HaveLen(1))
			Expect(usage(account).CreditsUsed).To(BeEquivalentTo(1))
		},
		Entry("when the second is over", func(_ func(), clock *clocktesting.FakeClock) { clock.Step(ledger.MaxWait) }, context.DeadlineExceeded),
		Entry("when its context ends", func(cancel func(), _ *clocktesting.FakeClock) { cancel() }, context.Canceled),
	)

	It("does nothing for a caller whose context has ended", func(ctx SpecContext) {
		ended, end := context.WithCancel(ctx)
		end()
		c := hooked(func(_ context.Context, pass func() error) error { return pass() })
		Expect(c.Reserve(ended, v1alpha1.AccountSpec{}, one(1))).To(And(MatchError(context.Canceled), MatchError(ledger.ErrUnavailable)))
		Expect(usage(account).CreditsUsed).To(BeZero())
	})
})
