package oauth_test

import (
	"context"
	"strconv"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// noting counts what has been written into statuses.
type noting struct {
	client.Client
	writes atomic.Int32
}

func (n *noting) Status() client.SubResourceWriter { return notedStatus{n.Client.Status(), &n.writes} }

type notedStatus struct {
	client.SubResourceWriter
	writes *atomic.Int32
}

func (n notedStatus) Patch(ctx context.Context, o client.Object, p client.Patch, opts ...client.SubResourcePatchOption) error {
	defer n.writes.Add(1)
	return n.SubResourceWriter.Patch(ctx, o, p, opts...)
}

// run writes what waits until the spec is over.
func run(l *oauth.LastUsed) {
	ctx, cancel := context.WithCancel(context.Background())
	DeferCleanup(cancel)
	go func() {
		defer GinkgoRecover()
		Expect(l.Run(ctx)).To(Succeed())
	}()
}

// lastUse is when it was written last that a token was used.
func lastUse(token string) time.Time {
	GinkgoHelper()
	if at := grantNow(token).Status.LastUseTime; at != nil {
		return at.UTC()
	}
	return time.Time{}
}

var _ = Describe("The last use of a token", func() {
	It("is written, and at most once an hour", func() {
		r := newReplica(startCache())
		run(r.lastUsed)
		token := newClient().issued()
		used := func() time.Time { Expect(r.authenticate(token)).To(Succeed()); return lastUse(token) }
		Eventually(used).Should(Equal(start))
		r.clock.SetTime(start.Add(time.Hour - time.Second))
		version := grantNow(token).ResourceVersion
		Consistently(func() string { Expect(r.authenticate(token)).To(Succeed()); return grantNow(token).ResourceVersion }, "300ms").
			Should(Equal(version))
		r.clock.SetTime(start.Add(time.Hour + time.Second))
		Eventually(used).Should(Equal(start.Add(time.Hour + time.Second)))
	})

	It("is written once, however often the token is used before the cache knows", func() {
		token, live := newClient().issued(), &noting{Client: api}
		r := newReplica(testkit.Blind{}, withClient(live))
		for range 10 {
			Expect(r.authenticate(token)).To(Succeed())
		}
		run(r.lastUsed)
		Eventually(live.writes.Load).Should(BeEquivalentTo(1))
		Expect(lastUse(token)).To(Equal(start))
		Consistently(live.writes.Load, "200ms").Should(BeEquivalentTo(1))
	})

	It("is not written again by another replica within the hour", func() {
		first := newReplica(testkit.Blind{})
		run(first.lastUsed)
		token := newClient().issued()
		Eventually(func() time.Time { Expect(first.authenticate(token)).To(Succeed()); return lastUse(token) }).Should(Equal(start))
		live := &noting{Client: api}
		second := newReplica(testkit.Blind{}, withClient(live))
		second.clock.SetTime(start.Add(time.Hour - time.Second))
		run(second.lastUsed)
		Expect(second.authenticate(token)).To(Succeed())
		Consistently(live.writes.Load, "200ms").Should(BeZero())
		second.clock.SetTime(start.Add(time.Hour))
		Expect(second.authenticate(token)).To(Succeed())
		Eventually(live.writes.Load).Should(BeEquivalentTo(1))
	})

	It("never overwrites what somebody else has written meanwhile, and is written with the next use then", func() {
		token, live := newClient().issued(), &noting{Client: api}
		r := newReplica(testkit.Blind{}, withClient(live))
		old := grantNow(token)
		writeConditions(grantNow(token))
		run(r.lastUsed)
		r.lastUsed.Touch(old)
		Eventually(live.writes.Load).Should(BeEquivalentTo(1))
		Expect(lastUse(token)).To(BeZero())
		Eventually(func() time.Time { Expect(r.authenticate(token)).To(Succeed()); return lastUse(token) }).Should(Equal(start))
	})

	It("holds up no request, however many wait to be written", func() {
		r, done := newReplica(testkit.Blind{}), make(chan struct{})
		go func() {
			defer close(done)
			for i := range 5000 {
				grant := &v1alpha1.OAuthGrant{}
				grant.UID = types.UID(strconv.Itoa(i))
				r.lastUsed.Touch(grant)
			}
		}()
		Eventually(done).Should(BeClosed())
	})
})
