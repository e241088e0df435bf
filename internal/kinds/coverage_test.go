package kinds

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	api "github.com/pressroom-dev/pressroom/api/v1alpha1"
)

var _ = Describe("CEL rules", func() {
	It("each refuse an invalid example or an update", func(ctx SpecContext) {
		var seen []refusal
		for _, example := range invalidExamples() {
			seen = append(seen, refusals(apply(ctx, admin, example.obj, client.DryRunAll))...)
		}
		for _, u := range fixedFields() {
			seen = append(seen, refusals(attempt(ctx, u))...)
		}
		answered := newIdempotencyRecord(workspace)
		answered.Spec.Answer = strings.Repeat("ä", 131072)
		for _, obj := range append(bodies(api.MaxMarkdownBytes+1), answered) {
			seen = append(seen, refusals(admin.Create(ctx, obj, client.DryRunAll))...)
		}
		for _, obj := range []client.Object{
			newAccount(), newAPIKey(), newArticle(workspace), newEventDelivery(workspace), newEventSubscription(workspace), newOAuthClient(),
			newOAuthGrant(), newSite(workspace),
		} {
			Expect(admin.Create(ctx, obj)).To(Succeed())
			for _, change := range badTimes {
				patch := client.RawPatch(types.MergePatchType, []byte(change))
				seen = append(seen, refusals(admin.Status().Patch(ctx, obj, patch, client.DryRunAll))...)
			}
		}
		crds, err := generatedCRDs()
		Expect(err).NotTo(HaveOccurred())
		rules := 0
		for _, c := range crds {
			walk(c, func(n node) {
				for _, r := range n.XValidations {
					rules++
					want := refusal{
						kind: c.Spec.Names.Kind, message: r.Message, field: cmp.Or(strings.TrimPrefix(n.path+r.FieldPath, "."), "<nil>"),
					}
					Expect(slices.ContainsFunc(seen, want.isPartOf)).To(BeTrue(), "nothing meets %+v", want)
				}
			})
		}
		Expect(rules).To(BeNumerically(">", 20))
	})
})

// badTimes are changes of a status with times that kube-apiserver takes by their format, and Go does not.
var badTimes = []string{
	`{"status": {"conditions": [
		{"type": "Ready", "status": "True", "reason": "Any", "message": "", "lastTransitionTime": "2026-12-01t09:00:00z"}]}}`,
	`{"status": {"creditsUsedTime": "2026-12-01t09:00:00z", "objects": {"countTime": "2026-12-01t09:00:00z"}}}`,
}

// itemNumber is what kube-apiserver calls an item of a list; a schema knows only that it is one.
var itemNumber = regexp.MustCompile(`\[\d+\]`)

// isPartOf reports whether an answer of kube-apiserver is this refusal, in more words.
func (r refusal) isPartOf(answer refusal) bool {
	return r.kind == answer.kind && r.field == itemNumber.ReplaceAllString(answer.field, "[]") && strings.Contains(answer.message, r.message)
}
