package controllers

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// obstaclePoll is how often a step is tried again that waits for something no watch tells of, such as a Secret.
const obstaclePoll = 30 * time.Second

// secretPoll is how often what is complete is looked at again, in case a Secret has gone: each look costs a request.
const secretPoll = 10 * time.Minute

// Base is what every reconciler works with.
type Base struct {
	// Client reads from the cache and writes.
	Client client.Client
	// Live reads from the API server.
	Live client.Reader
	// Clock is the time.
	Clock clock.Clock
	// Recorder makes Kubernetes events.
	Recorder events.EventRecorder
	// Holder identifies this process in what it writes ahead.
	Holder string
	// Random returns numbers in [0, 1) for jitter.
	Random func() float64
}

// load returns an article and its site from the cache; either is nil where it does not exist.
func (b *Base) load(ctx context.Context, key types.NamespacedName) (*v1alpha1.Article, *v1alpha1.Site, error) {
	article := &v1alpha1.Article{}
	if err := b.Client.Get(ctx, key, article); err != nil {
		return nil, nil, client.IgnoreNotFound(err)
	}
	site := &v1alpha1.Site{}
	err := b.Client.Get(ctx, types.NamespacedName{Namespace: key.Namespace, Name: article.Spec.SiteRef.Name}, site)
	if apierrors.IsNotFound(err) {
		return article, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("reading the site: %w", err)
	}
	return article, site, nil
}

// save writes an article's status, with conditions and phase made anew, where anything in it has changed. The write
// counts only against the state that was read: a conflict is returned.
func (b *Base) save(ctx context.Context, old, article *v1alpha1.Article, site *v1alpha1.Site, found lifecycle.Obstacles) error {
	lifecycle.Summarize(article, site, b.Clock.Now(), found)
	if err := b.appendEvents(ctx, old, article); err != nil {
		return err
	}
	if equality.Semantic.DeepEqual(old.Status, article.Status) {
		return nil
	}
	patch := client.MergeFromWithOptions(old, client.MergeFromWithOptimisticLock{})
	if err := b.Client.Status().Patch(ctx, article, patch); err != nil {
		return fmt.Errorf("writing the article's status: %w", err)
	}
	return nil
}

// account returns the name of the account that a namespace belongs to, or "" where it is no workspace.
func (b *Base) account(ctx context.Context, namespace string) (string, error) {
	ns := &metav1.PartialObjectMetadata{}
	ns.SetGroupVersionKind(namespaceKind)
	if err := b.Client.Get(ctx, types.NamespacedName{Name: namespace}, ns); err != nil {
		return "", fmt.Errorf("reading the namespace: %w", client.IgnoreNotFound(err))
	}
	return ns.Labels[v1alpha1.AccountLabel], nil
}

// now is the clock's time as status holds it.
func (b *Base) now() metav1.MicroTime { return metav1.NewMicroTime(b.Clock.Now()) }

// wait looks again at the decision's time, if it has one.
func (b *Base) wait(d lifecycle.Decision) ctrl.Result {
	if d.Until.IsZero() {
		return ctrl.Result{}
	}
	return ctrl.Result{RequeueAfter: max(d.Until.Sub(b.Clock.Now()), time.Millisecond)}
}

// lookAgain says when an object that names Secrets, which are not watched, is looked at again: soon where its condition Ready
// waits for one.
func (b *Base) lookAgain(conditions []metav1.Condition) time.Duration {
	ready := meta.FindStatusCondition(conditions, v1alpha1.ConditionReady)
	if ready != nil && (ready.Reason == v1alpha1.ReasonSecretNotFound || ready.Reason == v1alpha1.ReasonInvalidSecret) {
		return obstaclePoll
	}
	return lifecycle.Jitter(secretPoll, b.Random())
}

// settled ends a reconcile: a conflict means that the object was read stale, and its newer state comes by itself.
func settled(result ctrl.Result, err error) (ctrl.Result, error) {
	if apierrors.IsConflict(err) {
		return ctrl.Result{}, nil
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	return result, nil
}

// event tells of a transition that a person might act on.
func (b *Base) event(article *v1alpha1.Article, kind, reason, action, note string) {
	b.Recorder.Eventf(article, nil, kind, reason, action, "%s", note)
}
