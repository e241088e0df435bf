package controllers_test

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

// channel is publishing or events: what holds for one holds for the other.
type channel struct {
	name string
	// target makes a receiver known under a name: a Site or an EventSubscription.
	target func(w *world, name, url string)
	// targetWithSecret is target at the world's receiver, signed with another Secret, which need not be there.
	targetWithSecret func(w *world, name, secret string)
	// due makes a delivery to a target that may start at once.
	due func(w *world, name, target string) client.ObjectKey
	// reconciler of the process that the world has just now.
	reconciler func(w *world) reconcile.Reconciler
	// deliveries are what that process has in progress.
	deliveries func(w *world) *inflight.Tracker[publish.Outcome]
	// object carries a delivery, objects are all that do.
	object  func(w *world, key client.ObjectKey) client.Object
	objects func(w *world) []client.Object
	// delivered is the type of the condition that tells of it.
	delivered string
	// kind is what the metrics call it.
	kind string
}

func publishing() channel {
	return channel{
		name: "publishing", delivered: v1alpha1.ConditionPublished, kind: "publication",
		target: func(w *world, name, url string) {
			w.createSite(func(s *v1alpha1.Site) { s.Name, s.Spec.CMS.Headless.URL = name, url })
		},
		targetWithSecret: func(w *world, name, secret string) {
			w.createSite(func(s *v1alpha1.Site) { s.Name, s.Spec.CMS.Headless.SigningSecretRef.Name = name, secret })
		},
		due: func(w *world, name, target string) client.ObjectKey {
			key := w.createArticle(name, withText(name, "Text."), approvedInManifest, ofSite(target))
			w.makeReady(key)
			return key
		},
		reconciler: func(w *world) reconcile.Reconciler { return w.Articles },
		deliveries: func(w *world) *inflight.Tracker[publish.Outcome] { return w.Publication.Engine.Calls },
		object:     func(w *world, key client.ObjectKey) client.Object { return w.get(key) },
		objects: func(w *world) []client.Object {
			var list v1alpha1.ArticleList
			Expect(api.List(w.ctx, &list, client.InNamespace(w.namespace))).To(Succeed())
			return pointers[v1alpha1.Article](list.Items)
		},
	}
}

func eventChannel() channel {
	return channel{
		name: "events", delivered: v1alpha1.ConditionDelivered, kind: "event",
		target: func(w *world, name, url string) {
			w.subscribe(name, func(s *v1alpha1.EventSubscription) { s.Spec.URL = url })
		},
		targetWithSecret: func(w *world, name, secret string) {
			w.subscribe(name, func(s *v1alpha1.EventSubscription) { s.Spec.URL, s.Spec.SigningSecretRef.Name = w.receiver.URL, secret })
		},
		due:        func(w *world, name, target string) client.ObjectKey { return w.createDelivery(name, target) },
		reconciler: func(w *world) reconcile.Reconciler { return w.EventDeliveries },
		deliveries: func(w *world) *inflight.Tracker[publish.Outcome] { return w.EventDeliveries.Engine.Calls },
		object: func(w *world, key client.ObjectKey) client.Object {
			d := &v1alpha1.EventDelivery{}
			Expect(api.Get(w.ctx, key, d)).To(Succeed())
			return d
		},
		objects: func(w *world) []client.Object {
			var list v1alpha1.EventDeliveryList
			Expect(api.List(w.ctx, &list, client.InNamespace(w.namespace))).To(Succeed())
			return pointers[v1alpha1.EventDelivery](list.Items)
		},
	}
}

func channels() []channel { return []channel{publishing(), eventChannel()} }

// pointers makes objects of the items of a list.
func pointers[T any, P interface {
	*T
	client.Object
}](items []T) []client.Object {
	objects := make([]client.Object, len(items))
	for i := range items {
		objects[i] = P(&items[i])
	}
	return objects
}

// recordOf returns what an object's status says of its delivery.
func recordOf(o client.Object) v1alpha1.DeliveryRecord {
	switch o := o.(type) {
	case *v1alpha1.Article:
		if o.Status.Publication != nil {
			return o.Status.Publication.DeliveryRecord
		}
	case *v1alpha1.EventDelivery:
		return o.Status.DeliveryRecord
	}
	return v1alpha1.DeliveryRecord{}
}

// records returns the record of each object by its name.
func (c channel) records(w *world) map[string]v1alpha1.DeliveryRecord {
	GinkgoHelper()
	records := map[string]v1alpha1.DeliveryRecord{}
	for _, o := range c.objects(w) {
		records[o.GetName()] = recordOf(o)
	}
	return records
}

// reconcile has the process look at each object once, with as many workers as it has.
func (c channel) reconcile(w *world, keys ...client.ObjectKey) {
	GinkgoHelper()
	inParallel(len(keys), func(i int) {
		_, err := c.reconciler(w).Reconcile(w.ctx, request(keys[i]))
		Expect(err).NotTo(HaveOccurred())
	})
}

// attempt makes the attempts that are due, waits for their outcomes and has them recorded.
func (c channel) attempt(w *world, keys ...client.ObjectKey) {
	GinkgoHelper()
	c.reconcile(w, keys...)
	w.awaitWork()
	c.reconcile(w, keys...)
}

func ofSite(name string) func(*v1alpha1.Article) {
	return func(a *v1alpha1.Article) { a.Spec.SiteRef.Name = name }
}

// makeReady brings an approved article of stage Review to where its delivery is the next step.
func (w *world) makeReady(key client.ObjectKey) {
	GinkgoHelper()
	_, err := w.Articles.Reconcile(w.ctx, request(key))
	Expect(err).NotTo(HaveOccurred())
	w.edit(key, toBePublished)
}

// createDelivery makes an event for a subscription, as the outbox would.
func (w *world) createDelivery(name, subscription string) client.ObjectKey {
	GinkgoHelper()
	s := w.subscription(subscription)
	d := &v1alpha1.EventDelivery{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: w.namespace, Name: name,
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(s, v1alpha1.GroupVersion.WithKind("EventSubscription"))},
		},
		Spec: v1alpha1.EventDeliverySpec{
			SubscriptionRef: v1alpha1.LocalReference{Name: s.Name}, ArticleRef: v1alpha1.LocalReference{Name: "shoes"},
			Type: v1alpha1.EventPublished, Time: metav1.NewMicroTime(w.clock.Now()), Body: fmt.Sprintf(`{"name": %q}`, name),
		},
	}
	Expect(api.Create(w.ctx, d)).To(Succeed())
	return client.ObjectKeyFromObject(d)
}
