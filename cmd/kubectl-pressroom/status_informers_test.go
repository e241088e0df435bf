package main

import (
	"context"
	"slices"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/apiserver"
	"github.com/pressroom-dev/pressroom/internal/informers"
	"github.com/pressroom-dev/pressroom/test/facadetest"
)

var _ = Describe("A facade that may not list a kind", func() {
	const pod = "pressroom-apiserver-5c9f-x2k"

	It("is shown by status, with the cause, until it can", func(ctx SpecContext) {
		cluster.Install("config/rbac/apiserver.yaml")
		allowed := withoutRule(ctx, "apikeys")
		clk := clocktesting.NewFakeClock(started.Add(-time.Hour))
		facade := facadetest.Start(cluster, func(o *apiserver.Options) {
			o.Clock = clk
			o.Pod = corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: defaultSystemNamespace, Name: pod, UID: "5c9f"}
		})
		DeferCleanup(facade.Stop)
		look := func() *installation {
			if clk.HasWaiters() {
				clk.Step(informers.ReportPeriod)
			}
			i := &installation{}
			Expect(yaml.UnmarshalStrict([]byte(runAt(clk.Now(), "status", "-o", "yaml").Out), i)).To(Succeed())
			return i
		}
		Eventually(look).Should(HaveField("FailingInformers", ConsistOf(And(
			HaveField("Pod", pod), HaveField("Kind", "APIKey"), HaveField("Since", HavePrefix("2026-11-20T11:")),
			HaveField("Message", ContainSubstring(`cannot list resource "apikeys"`)),
		))))
		since := look().FailingInformers[0].Since
		about := func() []corev1.Event {
			Expect(look().FailingInformers).To(ConsistOf(HaveField("Since", since)))
			var events corev1.EventList
			Expect(api.List(ctx, &events, client.InNamespace(defaultSystemNamespace), client.MatchingFields{"involvedObject.uid": "5c9f"})).To(Succeed())
			return events.Items
		}
		Eventually(about).Should(ConsistOf(And(HaveField("Type", corev1.EventTypeWarning), HaveField("Series.Count", BeNumerically(">", 2)))))
		Expect(runAt(clk.Now().Add(3*informers.ReportPeriod+time.Second), "status").Out).To(ContainSubstring("No failing informers."), "the Pod is gone")

		Expect(api.Update(ctx, allowed)).To(Succeed())
		// An informer tries again after at most 30 seconds.
		Eventually(look, "2m").Should(HaveField("FailingInformers", BeEmpty()))
		var recovered corev1.EventList
		Expect(api.List(ctx, &recovered, client.InNamespace(defaultSystemNamespace), client.MatchingFields{"reason": informers.ReasonRecovered})).To(Succeed())
		Expect(recovered.Items).To(ConsistOf(HaveField("Message", ContainSubstring("APIKey"))))
	})
})

// withoutRule takes from the role of the facade what it may do with a resource, and returns the role with it.
func withoutRule(ctx context.Context, resource string) *rbacv1.ClusterRole {
	GinkgoHelper()
	role := &rbacv1.ClusterRole{}
	Expect(api.Get(ctx, client.ObjectKey{Name: "pressroom-apiserver"}, role)).To(Succeed())
	whole := role.DeepCopy()
	role.Rules = slices.DeleteFunc(role.Rules, func(r rbacv1.PolicyRule) bool { return slices.Contains(r.Resources, resource) })
	Expect(len(role.Rules)).To(BeNumerically("<", len(whole.Rules)))
	Expect(api.Update(ctx, role)).To(Succeed())
	whole.ResourceVersion = role.ResourceVersion
	return whole
}
