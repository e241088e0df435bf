package kinds

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	api "github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// awaitPolicies waits until kube-apiserver holds all policies: it takes them up a moment after they are created.
func awaitPolicies(ctx context.Context) {
	GinkgoHelper()
	article := existing(ctx, nil)
	Eventually(func(g Gomega) {
		labelled := article.DeepCopy()
		labelled.Labels = map[string]string{"team": "blog"}
		g.Expect(as(reviewer).Patch(ctx, labelled, client.MergeFrom(article), client.DryRunAll)).To(beForbidden("verb create"))

		reviewed := newArticle(workspace)
		reviewed.Spec.Review = &api.ArticleReview{Decision: api.DecisionRejected, By: author}
		g.Expect(as(author).Create(ctx, reviewed, client.DryRunAll)).To(beForbidden("verb approve"))

		automatic := newSite(workspace)
		automatic.Spec.Review.Policy = api.ReviewAutomatic
		g.Expect(as(siteWriter).Create(ctx, automatic, client.DryRunAll)).To(beForbidden("verb approve"))

		g.Expect(as(platform).Create(ctx, newWorkspace("other"), client.DryRunAll)).To(beForbidden("verb use"))
		g.Expect(as(clerk).Create(ctx, newAPIKeyOf("other"), client.DryRunAll)).To(beForbidden("verb use"))
	}).Should(Succeed())
}

// beForbidden matches an error 403 whose message has this part.
func beForbidden(part string) OmegaMatcher {
	return And(Satisfy(apierrors.IsForbidden), MatchError(ContainSubstring(part)))
}

// beInvalid matches an error 422 whose message has this part.
func beInvalid(part string) OmegaMatcher {
	return And(Satisfy(apierrors.IsInvalid), MatchError(ContainSubstring(part)))
}
