// Package controllertest runs the reconcilers of the controller step by step, for the suites of several packages.
package controllertest

import (
	"context"
	"fmt"
	"net/netip"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/backoff"
)

// patience is longer than any call takes.
const patience = 5 * time.Minute

// ProcessOptions are the parts and the settings of a Process.
type ProcessOptions struct {
	// Client is the client of the reconcilers. It supports the indexes of the manager's cache.
	Client client.Client
	// Live reads from kube-apiserver.
	Live client.Reader
	// Clock is the time of the reconcilers.
	Clock clock.Clock
	// Generator writes the articles.
	Generator *Generator
	// Limits bound the deliveries in progress, and the runs.
	Limits inflight.Limits
	// Suspend stops generating and sending.
	Suspend bool
	// Renewed returns when the process renewed its lease last; nil without leader election.
	Renewed func() time.Time
}

// Process is one run of the controller, wired as in production. It does nothing until a spec calls Reconcile.
type Process struct {
	*controllers.Controllers

	// Events are the Kubernetes Events that it records.
	Events *events.FakeRecorder
	// Notified holds the objects whose call has ended or that have a slot reserved.
	Notified chan types.NamespacedName

	options ProcessOptions
}

// Loopback allows the receivers of tests.
func Loopback() egress.Policy {
	return egress.Policy{AllowCIDRs: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
}

var processes atomic.Int64

// NewProcess starts a process, which has no memory of an earlier one.
func NewProcess(o ProcessOptions) *Process {
	p := &Process{Events: events.NewFakeRecorder(10_000), Notified: make(chan types.NamespacedName, 1000), options: o}
	base := base.Base{
		Client: o.Client, Live: o.Live, Clock: o.Clock, Recorder: p.Events, Holder: fmt.Sprintf("process-%d", processes.Add(1)),
		Random: func() float64 { return 0.5 },
	}
	p.Controllers = controllers.New(base, ledger.NewCharger(o.Client, o.Clock), controllers.Options{
		Egress: Loopback(), RetryDelays: backoff.DefaultRetryDelays(),
		Runs: o.Limits, Deliveries: o.Limits, Suspend: o.Suspend, Renewed: o.Renewed,
	})
	p.Generation.Backends = o.Generator
	notify := func(key types.NamespacedName) { p.Notified <- key }
	p.Generation.Engine.Calls.Notify(notify)
	p.Publication.Engine.Calls.Notify(notify)
	p.Images.Engine.Calls.Notify(notify)
	p.EventDeliveries.Engine.Calls.Notify(notify)
	p.Sites.Engine.Calls.Notify(notify)
	return p
}

// Reconcile reconciles an article and its Posts once.
func (p *Process) Reconcile(key client.ObjectKey) {
	GinkgoHelper()
	_, err := p.Articles.Reconcile(context.Background(), ctrl.Request{NamespacedName: key})
	Expect(err).NotTo(HaveOccurred())
	_, err = p.Posts.Reconcile(context.Background(), ctrl.Request{NamespacedName: key})
	Expect(err).NotTo(HaveOccurred())
}

// ReconcileUntilStable reconciles an article until a reconcile changes nothing and no call is in progress.
func (p *Process) ReconcileUntilStable(key client.ObjectKey) *v1alpha1.Article {
	GinkgoHelper()
	before := p.read(key)
	for range 100 {
		p.Reconcile(key)
		after := p.read(key)
		step := lifecycle.Next(after, nil, lifecycle.Target{}, p.options.Clock.Now()).Step
		switch {
		case after.ResourceVersion != before.ResourceVersion:
		case p.Generation.Engine.Calls.Len()+p.Publication.Engine.Calls.Len()+p.Images.Engine.Calls.Len() > 0:
			Eventually(p.Notified, patience).Should(Receive())
		case p.Publication.Engine.Calls.Reserved(key):
		case ConditionOf(after.Status.Conditions, v1alpha1.ConditionApproved) == "False/"+v1alpha1.ReasonFetchingImage:
		case step != lifecycle.FollowRun && step != lifecycle.FollowCycle:
			return after
		}
		before = after
	}
	Fail("the article does not become stable")
	return nil
}

func (p *Process) read(key client.ObjectKey) *v1alpha1.Article {
	GinkgoHelper()
	a := &v1alpha1.Article{}
	Expect(p.options.Live.Get(context.Background(), key, a)).To(Succeed())
	return a
}
