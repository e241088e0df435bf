package controllers_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/testkit"
)

// eventSecret is whsec_ and the base64 of 32 bytes.
const eventSecret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="

// subscribe creates a subscription to a receiver of its own.
func (w *world) subscribe(name string, changes ...func(*v1alpha1.EventSubscription)) *testkit.Receiver {
	GinkgoHelper()
	r := testkit.NewReceiver()
	w.createEventSecret(name, eventSecret)
	s := &v1alpha1.EventSubscription{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: name},
		Spec: v1alpha1.EventSubscriptionSpec{
			URL: r.URL, Events: []v1alpha1.EventSelector{v1alpha1.SelectAll},
			SigningSecretRef: v1alpha1.SecretKeyReference{Name: name, Key: "secret"},
		},
	}
	for _, change := range changes {
		change(s)
	}
	Expect(api.Create(w.ctx, s)).To(Succeed())
	// A subscription does not get events that are older than itself, and the fake clock is not kube-apiserver's.
	w.clock.SetTime(s.CreationTimestamp.Add(1e9))
	return r
}

func (w *world) createEventSecret(name, value string) {
	GinkgoHelper()
	Expect(api.Create(w.ctx, &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: name}, StringData: map[string]string{"secret": value},
	})).To(Succeed())
}

func forEvents(events ...v1alpha1.EventSelector) func(*v1alpha1.EventSubscription) {
	return func(s *v1alpha1.EventSubscription) { s.Spec.Events = events }
}

func (w *world) subscription(name string) *v1alpha1.EventSubscription {
	GinkgoHelper()
	s := &v1alpha1.EventSubscription{}
	Expect(api.Get(w.ctx, client.ObjectKey{Namespace: w.namespace, Name: name}, s)).To(Succeed())
	return s
}

// subscriptionStatus changes what a subscription's status says.
func (w *world) subscriptionStatus(name string, change func(*v1alpha1.EventSubscription)) {
	GinkgoHelper()
	s := w.subscription(name)
	old := s.DeepCopy()
	change(s)
	Expect(api.Status().Patch(w.ctx, s, client.MergeFrom(old))).To(Succeed())
}

// annotate sets one annotation.
func (w *world) annotate(o client.Object, key, value string) {
	GinkgoHelper()
	patch := fmt.Sprintf(`{"metadata": {"annotations": {%q: %q}}}`, key, value)
	Expect(api.Patch(w.ctx, o, client.RawPatch(types.MergePatchType, []byte(patch)))).To(Succeed())
}

// deliveries of a subscription.
func (w *world) deliveries(subscription string) []v1alpha1.EventDelivery {
	GinkgoHelper()
	var list v1alpha1.EventDeliveryList
	Expect(api.List(w.ctx, &list, client.InNamespace(w.namespace), client.MatchingFields{"spec.subscriptionRef.name": subscription})).To(Succeed())
	return list.Items
}

// dispatchAndDeliver empties the article's outbox and delivers every event of the workspace until it is stable.
func (w *world) dispatchAndDeliver(key client.ObjectKey) {
	GinkgoHelper()
	_, err := w.Outbox.Reconcile(w.ctx, request(key))
	Expect(err).NotTo(HaveOccurred())
	w.deliver()
}

// deliver delivers every event of the workspace until it is stable, and its subscriptions up to date.
func (w *world) deliver() {
	GinkgoHelper()
	for range 100 {
		before := w.eventVersions()
		w.reconcileEvents()
		switch {
		case w.eventVersions() != before:
		case w.EventDeliveries.Engine.Calls.Len() > 0:
			<-w.Notified
		case w.deliveryInProgress():
		default:
			return
		}
	}
	Fail("the deliveries do not become stable")
}

func (w *world) reconcileEvents() {
	GinkgoHelper()
	var list v1alpha1.EventDeliveryList
	Expect(api.List(w.ctx, &list, client.InNamespace(w.namespace))).To(Succeed())
	for i := range list.Items {
		_, err := w.EventDeliveries.Reconcile(w.ctx, request(client.ObjectKeyFromObject(&list.Items[i])))
		Expect(err).NotTo(HaveOccurred())
	}
	var subscriptions v1alpha1.EventSubscriptionList
	Expect(api.List(w.ctx, &subscriptions, client.InNamespace(w.namespace))).To(Succeed())
	for i := range subscriptions.Items {
		_, err := w.Subscriptions.Reconcile(w.ctx, request(client.ObjectKeyFromObject(&subscriptions.Items[i])))
		Expect(err).NotTo(HaveOccurred())
	}
}

func (w *world) eventVersions() string {
	GinkgoHelper()
	var list v1alpha1.EventDeliveryList
	Expect(api.List(w.ctx, &list, client.InNamespace(w.namespace))).To(Succeed())
	var versions strings.Builder
	for i := range list.Items {
		fmt.Fprint(&versions, list.Items[i].Name, list.Items[i].ResourceVersion, ";")
	}
	return versions.String()
}

func (w *world) deliveryInProgress() bool {
	GinkgoHelper()
	var list v1alpha1.EventDeliveryList
	Expect(api.List(w.ctx, &list, client.InNamespace(w.namespace))).To(Succeed())
	for i := range list.Items {
		if c := list.Items[i].Status.Cycle; c != nil && c.State == v1alpha1.CycleDelivering {
			return true
		}
	}
	return false
}
