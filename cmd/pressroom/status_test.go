package main

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/internal/survey"
)

var _ = Describe("status", func() {
	It("says what is wrong, and nothing once a controller leads", func(ctx SpecContext) {
		const namespace = "checked"
		Expect(api.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}})).To(Succeed())
		got := pressroom("status", "--system-namespace="+namespace)
		Expect(got.err).To(MatchError("no controller leads"))
		Expect(got.out).To(Equal("No programs.\n\nNo leader.\n\nNo failing informers.\n"))

		renewed := metav1.NewMicroTime(time.Now().Add(time.Hour))
		Expect(api.Create(ctx, &coordinationv1.Lease{
			ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: survey.LeaseName},
			Spec:       coordinationv1.LeaseSpec{HolderIdentity: new("pressroom-controller-0_1"), RenewTime: &renewed},
		})).To(Succeed())
		// The command sets the process's log, so it runs by itself.
		got = pressroom("status", "--system-namespace="+namespace, "--wait=5m")
		Expect(got.err).NotTo(HaveOccurred())
		Expect(got.out).To(MatchRegexp(`pressroom-controller-0_1 +\S+ +Current\n`))
	})

	It("names the namespace that it needs", func() {
		Expect(pressroom("status", "--system-namespace=").err).To(MatchError(ContainSubstring("--system-namespace")))
	})
})
