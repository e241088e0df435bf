package controllertest

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
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// EventSecret is whsec_ and the base64 of 32 bytes.
const EventSecret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="

// Subscribe creates a subscription to a receiver of its own.
func (t *Tenant) Subscribe(name string, changes ...func(*v1alpha1.EventSubscription)) *testkit.Receiver {
	GinkgoHelper()
	r := testkit.NewReceiver()
	t.CreateEventSecret(name, EventSecret)
	s := &v1alpha1.EventSubscription{
		ObjectMeta: metav1.ObjectMeta{Namespace: t.Namespace, Name: name},
		Spec: v1alpha1.EventSubscriptionSpec{
			URL: r.URL, Events: []v1alpha1.EventSelector{v1alpha1.SelectAll},
			SigningSecretRef: v1alpha1.SecretKeyReference{Name: name, Key: "secret"},
		},
	}
	for _, change := range changes {
		change(s)
	}
	Expect(t.API.Create(t.Ctx, s)).To(Succeed())
	// A subscription does not get events that are older than itself, and the fake clock is not kube-apiserver's.
	t.Clock.SetTime(s.CreationTimestamp.Add(1e9))
	return r
}

// CreateEventSecret creates the Secret of a subscription.
func (t *Tenant) CreateEventSecret(name, value string) {
	GinkgoHelper()
	Expect(t.API.Create(t.Ctx, &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: t.Namespace, Name: name}, StringData: map[string]string{"secret": value},
	})).To(Succeed())
}

// ForEvents selects the events of a subscription.
func ForEvents(events ...v1alpha1.EventSelector) func(*v1alpha1.EventSubscription) {
	return func(s *v1alpha1.EventSubscription) { s.Spec.Events = events }
}

// Subscription reads a subscription.
func (t *Tenant) Subscription(name string) *v1alpha1.EventSubscription {
	GinkgoHelper()
	s := &v1alpha1.EventSubscription{}
	Expect(t.API.Get(t.Ctx, client.ObjectKey{Namespace: t.Namespace, Name: name}, s)).To(Succeed())
	return s
}

// EditSubscriptionStatus changes what a subscription's status says.
func (t *Tenant) EditSubscriptionStatus(name string, change func(*v1alpha1.EventSubscription)) {
	GinkgoHelper()
	s := t.Subscription(name)
	old := s.DeepCopy()
	change(s)
	Expect(t.API.Status().Patch(t.Ctx, s, client.MergeFrom(old))).To(Succeed())
}

// Annotate sets one annotation.
func (t *Tenant) Annotate(o client.Object, key, value string) {
	GinkgoHelper()
	patch := fmt.Sprintf(`{"metadata": {"annotations": {%q: %q}}}`, key, value)
	Expect(t.API.Patch(t.Ctx, o, client.RawPatch(types.MergePatchType, []byte(patch)))).To(Succeed())
}

// Deliveries of a subscription.
func (t *Tenant) Deliveries(subscription string) []v1alpha1.EventDelivery {
	GinkgoHelper()
	var list v1alpha1.EventDeliveryList
	of := client.MatchingFields{"spec.subscriptionRef.name": subscription}
	Expect(t.API.List(t.Ctx, &list, client.InNamespace(t.Namespace), of)).To(Succeed())
	return list.Items
}

// DispatchAndDeliver empties the article's outbox and delivers every event of the workspace until it is stable.
func (t *Tenant) DispatchAndDeliver(key client.ObjectKey) {
	GinkgoHelper()
	_, err := t.Outbox.Reconcile(t.Ctx, Request(key))
	Expect(err).NotTo(HaveOccurred())
	t.Deliver()
}

// Deliver delivers every event of the workspace until it is stable, and its subscriptions up to date.
func (t *Tenant) Deliver() {
	GinkgoHelper()
	before, _ := t.eventVersions()
	for range 100 {
		t.ReconcileEvents()
		after, inProgress := t.eventVersions()
		switch {
		case after != before:
		case t.EventDeliveries.Engine.Calls.Len() > 0:
			<-t.Notified
		case inProgress:
		default:
			return
		}
		before = after
	}
	Fail("the deliveries do not become stable")
}

// ReconcileEvents reconciles each delivery and each subscription of the workspace once.
func (t *Tenant) ReconcileEvents() {
	GinkgoHelper()
	var list v1alpha1.EventDeliveryList
	Expect(t.API.List(t.Ctx, &list, client.InNamespace(t.Namespace))).To(Succeed())
	for i := range list.Items {
		_, err := t.EventDeliveries.Reconcile(t.Ctx, Request(client.ObjectKeyFromObject(&list.Items[i])))
		Expect(err).NotTo(HaveOccurred())
	}
	var subscriptions v1alpha1.EventSubscriptionList
	Expect(t.API.List(t.Ctx, &subscriptions, client.InNamespace(t.Namespace))).To(Succeed())
	for i := range subscriptions.Items {
		_, err := t.EventSubscriptions.Reconcile(t.Ctx, Request(client.ObjectKeyFromObject(&subscriptions.Items[i])))
		Expect(err).NotTo(HaveOccurred())
	}
}

// eventVersions tells the states of the workspace's deliveries apart, and whether an attempt of one is in progress.
func (t *Tenant) eventVersions() (versions string, inProgress bool) {
	GinkgoHelper()
	var list v1alpha1.EventDeliveryList
	Expect(t.API.List(t.Ctx, &list, client.InNamespace(t.Namespace))).To(Succeed())
	var all strings.Builder
	for i := range list.Items {
		fmt.Fprint(&all, list.Items[i].Name, list.Items[i].ResourceVersion, ";")
		c := list.Items[i].Status.Cycle
		inProgress = inProgress || c != nil && c.State == v1alpha1.CycleInProgress
	}
	return all.String(), inProgress
}

// CreateDelivery makes an event for a subscription, as the outbox would.
func (t *Tenant) CreateDelivery(name, subscription string) client.ObjectKey {
	GinkgoHelper()
	s := t.Subscription(subscription)
	d := &v1alpha1.EventDelivery{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: t.Namespace, Name: name,
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(s, v1alpha1.GroupVersion.WithKind("EventSubscription"))},
		},
		Spec: v1alpha1.EventDeliverySpec{
			SubscriptionRef: v1alpha1.LocalReference{Name: s.Name}, ArticleRef: v1alpha1.LocalReference{Name: "shoes"},
			SiteRef: v1alpha1.LocalReference{Name: "acme"},
			Type:    v1alpha1.EventPublished, Time: v1alpha1.NewMicroTime(t.Clock.Now()), Body: fmt.Sprintf(`{"name": %q}`, name),
		},
	}
	Expect(t.API.Create(t.Ctx, d)).To(Succeed())
	return client.ObjectKeyFromObject(d)
}

// DeliveryOf returns the one delivery of an event to a subscription.
func (t *Tenant) DeliveryOf(subscription string, event v1alpha1.ArticleEventType) *v1alpha1.EventDelivery {
	GinkgoHelper()
	var found []*v1alpha1.EventDelivery
	all := t.Deliveries(subscription)
	for i := range all {
		if all[i].Spec.Type == event {
			found = append(found, &all[i])
		}
	}
	Expect(found).To(HaveLen(1))
	return found[0]
}
