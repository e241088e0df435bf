package controllertest

import (
	"github.com/fluxcd/cli-utils/pkg/kstatus/status"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// expectTrueToKStatus checks that GitOps tools read from the article what its conditions say.
func expectTrueToKStatus(a *v1alpha1.Article) {
	GinkgoHelper()
	object, err := runtime.DefaultUnstructuredConverter.ToUnstructured(a)
	Expect(err).NotTo(HaveOccurred())
	result, err := status.Compute(&unstructured.Unstructured{Object: object})
	Expect(err).NotTo(HaveOccurred())
	want := status.InProgressStatus
	switch {
	case meta.IsStatusConditionTrue(a.Status.Conditions, v1alpha1.ConditionReady):
		want = status.CurrentStatus
	case meta.IsStatusConditionTrue(a.Status.Conditions, v1alpha1.ConditionStalled):
		want = status.FailedStatus
	}
	Expect(result.Status).To(Equal(want), "kstatus: %s", result.Message)
	Expect(a.Status.ObservedGeneration).To(Equal(a.Generation))
	Expect(a.Status.Conditions).NotTo(ContainElement(HaveField("Reason", "")))
}
