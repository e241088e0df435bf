package kinds

import (
	"context"

	"github.com/fluxcd/cli-utils/pkg/kstatus/status"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	api "github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// computed returns what kstatus, and so Flux and kpt, makes of an object as kube-apiserver has it.
func computed(ctx context.Context, obj client.Object) *status.Result {
	GinkgoHelper()
	gvk, err := admin.GroupVersionKindFor(obj)
	Expect(err).NotTo(HaveOccurred())
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(gvk)
	Expect(admin.Get(ctx, client.ObjectKeyFromObject(obj), u)).To(Succeed())
	result, err := status.Compute(u)
	Expect(err).NotTo(HaveOccurred())
	return result
}

var _ = Describe("kstatus", func() {
	It("takes what nobody has looked at yet for in progress", func(ctx SpecContext) {
		for _, obj := range []client.Object{
			newArticle(workspace), newSite(workspace), newAccount(), newAPIKey(), newEventSubscription(workspace), newEventDelivery(workspace),
			newOAuthClient(), newOAuthGrant(),
		} {
			Expect(admin.Create(ctx, obj)).To(Succeed())
			Expect(computed(ctx, obj).Status).To(Equal(status.InProgressStatus), "%T", obj)
		}
	})

	It("takes what cannot continue by itself for current, and a changed spec for in progress again", func(ctx SpecContext) {
		article := createLive(ctx, workspace)
		Expect(computed(ctx, article).Status).To(Equal(status.CurrentStatus))

		article.Spec.Stage = api.StageArchived
		Expect(admin.Update(ctx, article)).To(Succeed())
		Expect(computed(ctx, article).Status).To(Equal(status.InProgressStatus))
	})

	It("takes what is stalled for failed", func(ctx SpecContext) {
		article := createLive(ctx, workspace)
		article.Status.Conditions = append(article.Status.Conditions,
			condition(api.ConditionStalled, metav1.ConditionTrue, api.ReasonDeliveryFailed))
		Expect(admin.Status().Update(ctx, article)).To(Succeed())
		Expect(computed(ctx, article).Status).To(Equal(status.FailedStatus))
	})
})
