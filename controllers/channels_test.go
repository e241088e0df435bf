package controllers_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/publish"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

// channel is publishing or events: what holds for one holds for the other.
type channel struct {
	name string
	// target makes a receiver known under a name: a Site or an EventSubscription.
	target func(t *tenant, name, url string)
	// targetWithSecret is target at the tenant's receiver, signed with another Secret, which need not be there.
	targetWithSecret func(t *tenant, name, secret string)
	// due makes a delivery to a target that may start at once.
	due func(t *tenant, name, target string) client.ObjectKey
	// reconciler of the process that the tenant has just now.
	reconciler func(t *tenant) reconcile.Reconciler
	// deliveries are what that process has in progress.
	deliveries func(t *tenant) *inflight.Tracker[publish.Outcome]
	// object carries a delivery, objects are all that do.
	object  func(t *tenant, key client.ObjectKey) client.Object
	objects func(t *tenant) []client.Object
	// delivered is the type of the condition that shows it.
	delivered string
	// kind is what the metrics call it.
	kind string
}

func publishing() channel {
	return channel{
		name: "publishing", delivered: v1alpha1.ConditionPublished, kind: "publication",
		target: func(t *tenant, name, url string) {
			t.CreateSite(func(s *v1alpha1.Site) { s.Name, s.Spec.CMS.Headless.URL = name, url })
		},
		targetWithSecret: func(t *tenant, name, secret string) {
			t.CreateSite(func(s *v1alpha1.Site) { s.Name, s.Spec.CMS.Headless.SigningSecretRef.Name = name, secret })
		},
		due: func(t *tenant, name, target string) client.ObjectKey {
			key := t.CreateArticle(name, WithText(name, "Text."), ApprovedInManifest, OfSite(target))
			t.makeReady(key)
			return key
		},
		reconciler: func(t *tenant) reconcile.Reconciler { return t.Articles },
		deliveries: func(t *tenant) *inflight.Tracker[publish.Outcome] { return t.Publication.Engine.Calls },
		object:     func(t *tenant, key client.ObjectKey) client.Object { return t.GetArticle(key) },
		objects: func(t *tenant) []client.Object {
			var list v1alpha1.ArticleList
			Expect(api.List(t.Ctx, &list, client.InNamespace(t.Namespace))).To(Succeed())
			return pointers[v1alpha1.Article](list.Items)
		},
	}
}

func eventChannel() channel {
	return channel{
		name: "events", delivered: v1alpha1.ConditionDelivered, kind: "event",
		target: func(t *tenant, name, url string) {
			t.Subscribe(name, func(s *v1alpha1.EventSubscription) { s.Spec.URL = url })
		},
		targetWithSecret: func(t *tenant, name, secret string) {
			t.Subscribe(name, func(s *v1alpha1.EventSubscription) { s.Spec.URL, s.Spec.SigningSecretRef.Name = t.Receiver.URL, secret })
		},
		due:        func(t *tenant, name, target string) client.ObjectKey { return t.CreateDelivery(name, target) },
		reconciler: func(t *tenant) reconcile.Reconciler { return t.EventDeliveries },
		deliveries: func(t *tenant) *inflight.Tracker[publish.Outcome] { return t.EventDeliveries.Engine.Calls },
		object: func(t *tenant, key client.ObjectKey) client.Object {
			d := &v1alpha1.EventDelivery{}
			Expect(api.Get(t.Ctx, key, d)).To(Succeed())
			return d
		},
		objects: func(t *tenant) []client.Object {
			var list v1alpha1.EventDeliveryList
			Expect(api.List(t.Ctx, &list, client.InNamespace(t.Namespace))).To(Succeed())
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
func (c channel) records(t *tenant) map[string]v1alpha1.DeliveryRecord {
	GinkgoHelper()
	records := map[string]v1alpha1.DeliveryRecord{}
	for _, o := range c.objects(t) {
		records[o.GetName()] = recordOf(o)
	}
	return records
}

// reconcile has the process look at each object once, with as many workers as it has.
func (c channel) reconcile(t *tenant, keys ...client.ObjectKey) {
	GinkgoHelper()
	inParallel(len(keys), func(i int) {
		_, err := c.reconciler(t).Reconcile(t.Ctx, Request(keys[i]))
		Expect(err).NotTo(HaveOccurred())
	})
}

// attempt makes the attempts that are due, waits for their outcomes and has them recorded.
func (c channel) attempt(t *tenant, keys ...client.ObjectKey) {
	GinkgoHelper()
	c.reconcile(t, keys...)
	t.AwaitWork()
	c.reconcile(t, keys...)
}

// makeReady brings an approved article of stage Review to where its delivery is the next step.
func (t *tenant) makeReady(key client.ObjectKey) {
	GinkgoHelper()
	_, err := t.Articles.Reconcile(t.Ctx, Request(key))
	Expect(err).NotTo(HaveOccurred())
	t.EditArticle(key, ToBePublished)
}
