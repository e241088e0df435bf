package main

import (
	"context"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/internal/survey"
)

// later is kube-apiserver, where something happens after the first lease was asked for.
type later struct {
	client.Reader

	happens func()
}

func (l *later) Get(ctx context.Context, key client.ObjectKey, into client.Object, opts ...client.GetOption) error {
	err := l.Reader.Get(ctx, key, into, opts...)
	if happens := l.happens; happens != nil {
		l.happens = nil
		happens()
	}
	return err
}

var _ = Describe("status", func() {
	createNamespace := func(name string) {
		GinkgoHelper()
		Expect(api.Create(context.Background(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}})).To(Succeed())
	}
	lead := func(namespace string) {
		GinkgoHelper()
		renewed := metav1.NewMicroTime(time.Now().Add(time.Hour))
		Expect(api.Create(context.Background(), &coordinationv1.Lease{
			ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: survey.LeaseName},
			Spec:       coordinationv1.LeaseSpec{HolderIdentity: new("pressroom-controller-0_1"), RenewTime: &renewed},
		})).To(Succeed())
	}

	It("says what is wrong, and nothing once a controller leads", func() {
		const namespace = "checked"
		createNamespace(namespace)
		got := pressroom("status", "--system-namespace="+namespace)
		Expect(got.err).To(MatchError("no controller leads"))
		Expect(got.out).To(Equal("No programs.\n\nNo leader.\n\nNo failing informers.\n"))
		lead(namespace)
		got = pressroom("status", "--system-namespace="+namespace, "--wait=5m")
		Expect(got.err).NotTo(HaveOccurred())
		Expect(got.out).To(MatchRegexp(`pressroom-controller-0_1 +\S+ +Current\n`))
	})

	It("looks again while something is wrong, as long as --wait says", func(ctx SpecContext) {
		const namespace = "awaited"
		createNamespace(namespace)
		s := &survey.Survey{System: namespace, Clock: clock.RealClock{}}
		s.Client = &later{Reader: api, happens: func() { lead(namespace) }}
		found, err := awaitHealth(ctx, s, 0)
		Expect(err).NotTo(HaveOccurred())
		Expect(found.Err()).To(MatchError("no controller leads"), "once without --wait")

		Expect(api.Delete(ctx, &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: survey.LeaseName}})).To(Succeed())
		s.Client = &later{Reader: api, happens: func() { lead(namespace) }}
		found, err = awaitHealth(ctx, s, 5*time.Minute)
		Expect(err).NotTo(HaveOccurred())
		Expect(found.Err()).NotTo(HaveOccurred())
	})

	It("names the namespace that it needs", func() {
		Expect(pressroom("status", "--system-namespace=").err).To(MatchError(ContainSubstring("--system-namespace")))
	})
})
