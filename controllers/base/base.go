// Package base holds what all controllers share: clients and clock, Secrets, writes of status and how a reconcile ends, watches, spans
// and metrics. It imports no other package of the controllers.
package base

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/backoff"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
)

// ArticleRefField selects revisions and posts by the article that they belong to.
const ArticleRefField = "spec.articleRef.name"

// Base is embedded in every reconciler.
type Base struct {
	// Client writes, and reads from the cache. Get returns an object with all writes of this process to it (see
	// controllers.ClientOptions).
	Client client.Client
	// Live reads from kube-apiserver.
	Live client.Reader
	// Secrets reads values of Secrets from kube-apiserver.
	Secrets Secrets
	// Clock is injected for tests.
	Clock clock.Clock
	// Recorder makes Kubernetes Events.
	Recorder events.EventRecorder
	// Holder identifies this process in the attempts that it writes to status.
	Holder string
	// PlainHTTP allows http for requests with the credentials of a CMS. It is for development only.
	PlainHTTP bool
	// Random returns numbers in [0, 1) for jitter.
	Random func() float64
	// Suspend stops generating and sending in this installation.
	Suspend bool
	// Health of the sites that articles are delivered to.
	Health *Health
}

// Now is the clock's time as status holds it.
func (b *Base) Now() v1alpha1.MicroTime { return v1alpha1.NewMicroTime(b.Clock.Now()) }

// Account returns the name of the account that a namespace belongs to, or "" if it is no workspace.
func (b *Base) Account(ctx context.Context, namespace string) (string, error) {
	ns := NamespaceMetadata()
	err := b.Client.Get(ctx, types.NamespacedName{Name: namespace}, ns, client.DisableReadYourWritesConsistency)
	if client.IgnoreNotFound(err) != nil {
		return "", fmt.Errorf("reading the namespace: %w", err)
	}
	return ns.Labels[v1alpha1.AccountLabel], nil
}

// QueueAccount returns the account of a namespace for the order of a work queue. A namespace that is no workspace, or that the cache
// does not have yet, counts as an account of its own. QueueAccount does not wait for the cache: the cache's handlers call it, and a
// cache that stops waits for its handlers.
func (b *Base) QueueAccount(namespace string) string {
	ended, end := context.WithCancel(context.Background())
	end()
	account, err := b.Account(ended, namespace)
	if err != nil || account == "" {
		return namespace
	}
	return account
}

// SlotRequest returns the request for a slot in which an object of a namespace calls a host. A namespace that is no workspace counts as
// an account of its own.
func (b *Base) SlotRequest(ctx context.Context, namespace, host string) (inflight.SlotRequest, error) {
	account, err := b.Account(ctx, namespace)
	if err != nil {
		return inflight.SlotRequest{}, err
	}
	name := "account " + account
	if account == "" {
		name = "namespace " + namespace
	}
	return inflight.SlotRequest{Account: name, Host: host, Domain: egress.RegistrableDomain(host)}, nil
}

// Until requeues an object at a decision's time, if it has one.
func (b *Base) Until(d lifecycle.Decision) ctrl.Result {
	if d.Until.IsZero() {
		return ctrl.Result{}
	}
	return ctrl.Result{RequeueAfter: max(d.Until.Sub(b.Clock.Now()), time.Millisecond)}
}

// NextLook returns the time until an object that names Secrets, which are not watched, is reconciled again. It is short if the object's
// condition Ready waits for a Secret.
func (b *Base) NextLook(list []metav1.Condition) time.Duration {
	ready := meta.FindStatusCondition(list, v1alpha1.ConditionReady)
	if ready != nil && conditions.Reasons[ready.Reason].WaitsFor == conditions.NeedSecret {
		return lifecycle.BlockedPoll
	}
	return backoff.Jitter(SecretPoll, b.Random())
}

// Subscriptions returns the event subscriptions of a workspace.
func (b *Base) Subscriptions(ctx context.Context, namespace string) ([]v1alpha1.EventSubscription, error) {
	var list v1alpha1.EventSubscriptionList
	if err := b.Client.List(ctx, &list, client.InNamespace(namespace)); err != nil {
		return nil, fmt.Errorf("listing event subscriptions: %w", err)
	}
	return list.Items, nil
}

var namespaceKind = schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}

// NamespaceMetadata is the object by which namespaces are watched: only their metadata is needed.
func NamespaceMetadata() *metav1.PartialObjectMetadata {
	ns := &metav1.PartialObjectMetadata{}
	ns.SetGroupVersionKind(namespaceKind)
	return ns
}

// workspaceIndex is the cache's index of namespaces by account.
const workspaceIndex = "workspaceOfAccount"

// IndexWorkspaces makes the index that Workspaces uses: each charge of an account looks for its workspaces.
func IndexWorkspaces(ctx context.Context, indexer client.FieldIndexer) error {
	return indexer.IndexField(ctx, NamespaceMetadata(), workspaceIndex, func(ns client.Object) []string {
		if account := ns.GetLabels()[v1alpha1.AccountLabel]; account != "" {
			return []string{account}
		}
		return nil
	})
}

// Workspaces returns the namespaces of an account, from the cache.
func (b *Base) Workspaces(ctx context.Context, account string) ([]metav1.PartialObjectMetadata, error) {
	var list metav1.PartialObjectMetadataList
	list.SetGroupVersionKind(namespaceKind)
	if err := b.Client.List(ctx, &list, client.MatchingFields{workspaceIndex: account}); err != nil {
		return nil, fmt.Errorf("listing the workspaces: %w", err)
	}
	return list.Items, nil
}

// Suspension returns the suspension that forbids generating and sending for a site of a workspace, or nil.
func (b *Base) Suspension(ctx context.Context, site *v1alpha1.Site) (*lifecycle.BlockedError, error) {
	name, err := b.Account(ctx, site.Namespace)
	if err != nil || name == "" {
		return lifecycle.Suspension(site, nil, b.Suspend), err
	}
	account, err := Read[v1alpha1.Account](ctx, b.Client, types.NamespacedName{Name: name}, client.UnsafeDisableDeepCopy)
	return lifecycle.Suspension(site, account, b.Suspend), err
}
