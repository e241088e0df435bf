//go:build e2e

package gitops

import (
	"context"
	"slices"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/brief"
	"github.com/pressroom-dev/pressroom/internal/generate"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

// newBriefed is a repository with a generated article that rests on a Brief. The requests that its generator gets are in requests.
func newBriefed(tool string, requests *[]generate.Request) *repository {
	GinkgoHelper()
	r := newRepository(tool)
	r.Generator.Does(func(_ context.Context, call int, q generate.Request, _ generate.Progress) (generate.Result, error) {
		*requests = append(*requests, q)
		return Written(q.Keyword, call), nil
	})
	article, brief := r.manifest("huts", ""), r.manifest("season", "")
	article["spec"] = map[string]any{
		"siteRef": map[string]any{"name": "acme"}, "generate": map[string]any{"keyword": "mountain huts", "briefRef": map[string]any{"name": "season"}},
	}
	brief["kind"], brief["spec"] = "Brief", map[string]any{"facts": []any{"The huts open in May."}}
	r.objects = []map[string]any{article, brief}
	return r
}

var _ = Describe("A Brief and its article in one commit", func() {
	applied := map[string]func(*repository) *v1alpha1.Article{
		"Flux":    func(r *repository) *v1alpha1.Article { return r.sync() },
		"Argo CD": (*repository).argoApply,
	}
	for name, apply := range applied {
		forBoth("make one text, in any order, by "+name, func(tool string) {
			for _, reversed := range []bool{false, true} {
				var requests []generate.Request
				r := newBriefed(tool, &requests)
				if reversed {
					slices.Reverse(r.objects)
				}
				a := apply(r)
				Expect(Reason(a, v1alpha1.ConditionGenerated)).To(Equal("True/Succeeded"))
				Expect(requests).To(HaveExactElements(HaveField("Material.Facts", []string{"The huts open in May."})))
				Expect(r.Usage().CreditsUsed).To(Equal(int64(1)))

				By("a commit that changes the Brief alone: no other text is made")
				of := slices.IndexFunc(r.objects, func(o map[string]any) bool { return o["kind"] == "Brief" })
				r.objects[of]["spec"] = map[string]any{"facts": []any{"The huts open in June."}}
				again := apply(r)
				Expect(again.Status.Revision).To(Equal(a.Status.Revision))
				Expect(r.Revision(again).Spec.Brief.Digest).To(Equal(brief.Digest(v1alpha1.BriefSpec{Facts: []string{"The huts open in May."}})))
				Expect(requests).To(HaveLen(1))
			}
		})

		forBoth("wait for each other if the Brief comes a commit later, by "+name, func(tool string) {
			var requests []generate.Request
			r := newBriefed(tool, &requests)
			all := r.objects
			r.objects = all[:1]
			Expect(Reason(apply(r), v1alpha1.ConditionReady)).To(Equal("False/BriefNotFound"))
			Expect(r.Usage().CreditsUsed).To(BeZero())
			r.objects = all
			r.Clock.Step(30 * time.Second)
			Expect(Reason(apply(r), v1alpha1.ConditionGenerated)).To(Equal("True/Succeeded"))
			Expect(r.Usage().CreditsUsed).To(Equal(int64(1)))
		})

		It("leave the text as it is if the Brief is pruned, by "+name, func() {
			var requests []generate.Request
			r := newBriefed(author, &requests)
			a := apply(r)
			Expect(as(author).Delete(r.Ctx, briefOf(r))).To(Succeed())
			r.objects = r.objects[:1]
			r.Clock.Step(24 * time.Hour)
			Expect(apply(r).Status.Revision).To(Equal(a.Status.Revision))
			Expect(requests).To(HaveLen(1))
		})
	}
})

func briefOf(r *repository) *v1alpha1.Brief {
	b := &v1alpha1.Brief{}
	b.Namespace, b.Name = r.Namespace, "season"
	return b
}
