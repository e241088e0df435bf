package moneywalk_test

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
)

// newSubscription returns a subscription to the articles that are published.
func newSubscription() *v1alpha1.EventSubscription {
	return &v1alpha1.EventSubscription{
		ObjectMeta: metav1.ObjectMeta{Namespace: workspace, Name: "newsroom"},
		Spec: v1alpha1.EventSubscriptionSpec{
			URL: "https://news.example/hook", Events: []v1alpha1.EventSelector{v1alpha1.EventSelector(v1alpha1.EventPublished)}, SigningSecretRef: signing,
		},
	}
}

// dispatch has the controller make the deliveries of an article's events.
func (w *walk) dispatch(name string) {
	p, ctx := w.controller, w.running
	w.spawn("outbox of "+name, func() {
		_, _ = p.Outbox.Reconcile(ctx, ctrl.Request{NamespacedName: client.ObjectKey{Namespace: workspace, Name: name}})
	})
}

// deliveries returns the names of those that exist.
func (w *walk) deliveries() []string {
	var list v1alpha1.EventDeliveryList
	w.must(w.store.list(&list))
	names := make([]string, len(list.Items))
	for i := range list.Items {
		names[i] = list.Items[i].Name
	}
	return names
}

// deliver has the controller do the next step of a delivery. The site of an article that is gone suspends nothing.
func (w *walk) deliver(name string) {
	p, ctx, key, d := w.controller, w.running, client.ObjectKey{Namespace: workspace, Name: name}, &v1alpha1.EventDelivery{}
	if w.store.get(key, d) != nil {
		return
	}
	about := client.ObjectKey{Namespace: workspace, Name: d.Spec.ArticleRef.Name}
	w.process.catchUp(about, &v1alpha1.Article{})
	s := w.suspension
	s.site = s.site && w.store.get(about, &v1alpha1.Article{}) == nil
	w.spawn("event "+name, func() {
		w.look(name, s)
		_, _ = p.EventDeliveries.Reconcile(ctx, ctrl.Request{NamespacedName: key})
	})
}

// deliverOne has the controller do the next step of one of the deliveries.
func (w *walk) deliverOne() {
	if names := w.deliveries(); len(names) > 0 {
		w.deliver(names[w.random.IntN(len(names))])
	}
}

// event notes the attempts to deliver an event.
func (b *books) event(was, is *v1alpha1.EventDelivery) {
	open, before := cycles.InProgress(&is.Status.DeliveryRecord), cycles.InProgress(&was.Status.DeliveryRecord)
	if open != nil && (before == nil || before.ID != open.ID) {
		b.begins("attempts to deliver events", is.Name)
	}
}
