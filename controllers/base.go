package controllers

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/related"
)

const (
	// blockedPoll is how often a blocked step is tried again if no watch reports the change that it waits for, such as a new
	// Secret.
	blockedPoll = 30 * time.Second
	// secretPoll is how often an object that is complete is looked at again, in case a Secret has been deleted: each look costs
	// a request.
	secretPoll = 10 * time.Minute
)

// Base is embedded in every reconciler.
type Base struct {
	// Client reads from the cache and writes. What it has written, Get shows (see ClientOptions).
	Client client.Client
	// Live reads from kube-apiserver. Concurrent reads of an object are shared (package liveread).
	Live client.Reader
	// Secrets reads values of Secrets from kube-apiserver.
	Secrets Secrets
	// Clock is injected for tests.
	Clock clock.Clock
	// Recorder makes Kubernetes Events.
	Recorder events.EventRecorder
	// Holder identifies this process in what it writes ahead.
	Holder string
	// PlainHTTP allows http for requests with the credentials of a CMS. It is for development only.
	PlainHTTP bool
	// Random returns numbers in [0, 1) for jitter.
	Random func() float64
	// Subjects remembers what articles are about.
	Subjects *related.Memory
	// Suspend says that nothing may be generated or sent in this installation.
	Suspend bool
}

// now is the clock's time as status holds it.
func (b *Base) now() metav1.MicroTime { return metav1.NewMicroTime(b.Clock.Now()) }

// account returns the name of the account that a namespace belongs to, or "" if it is no workspace.
func (b *Base) account(ctx context.Context, namespace string) (string, error) {
	ns := namespaceMetadata()
	err := b.Client.Get(ctx, types.NamespacedName{Name: namespace}, ns, client.DisableReadYourWritesConsistency)
	if client.IgnoreNotFound(err) != nil {
		return "", fmt.Errorf("reading the namespace: %w", err)
	}
	return ns.Labels[v1alpha1.AccountLabel], nil
}

// accountOf returns the account of a namespace for the order of a work queue. A namespace that is no workspace, or that the cache does
// not have yet, counts as an account. It does not wait for the cache: the cache's own handlers call it, and a cache that is asked to stop
// waits for them.
func (b *Base) accountOf(namespace string) string {
	ended, end := context.WithCancel(context.Background())
	end()
	account, err := b.account(ended, namespace)
	if err != nil || account == "" {
		return namespace
	}
	return account
}

// claim asks for a slot to call a host for an object of a namespace. A namespace that is no workspace counts as an account.
func (b *Base) claim(ctx context.Context, namespace, host string) (inflight.Claim, error) {
	account, err := b.account(ctx, namespace)
	if err != nil {
		return inflight.Claim{}, err
	}
	name := "account " + account
	if account == "" {
		name = "namespace " + namespace
	}
	return inflight.Claim{Account: name, Host: host, Domain: egress.RegistrableDomain(host)}, nil
}

// until requeues an object at a decision's time, if it has one.
func (b *Base) until(d lifecycle.Decision) ctrl.Result {
	if d.Until.IsZero() {
		return ctrl.Result{}
	}
	return ctrl.Result{RequeueAfter: max(d.Until.Sub(b.Clock.Now()), time.Millisecond)}
}

// nextLook is when an object that names Secrets, which are not watched, is looked at again: soon if its condition Ready waits
// for one.
func (b *Base) nextLook(conditions []metav1.Condition) time.Duration {
	ready := meta.FindStatusCondition(conditions, v1alpha1.ConditionReady)
	if ready != nil && lifecycle.Reasons[ready.Reason].WaitsFor == lifecycle.NeedSecret {
		return blockedPoll
	}
	return lifecycle.Jitter(secretPoll, b.Random())
}
