package kinds

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	api "github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// entries returns approvals of a text by these people.
func entries(digest string, by ...string) []api.ArticleApproval {
	out := make([]api.ArticleApproval, 0, len(by))
	for _, name := range by {
		out = append(out, api.ArticleApproval{By: name, Digest: digest})
	}
	return out
}

// approvedBy creates an article with these approvals, whose current revision has the digest.
func approvedBy(ctx context.Context, approvals []api.ArticleApproval) *api.Article {
	GinkgoHelper()
	article := newArticle(workspace)
	article.Spec.Approvals = approvals
	Expect(admin.Create(ctx, article)).To(Succeed())
	setStatus(ctx, article, api.ArticleStatus{
		Observed: api.Observed{ObservedGeneration: 1},
		Revision: &api.CurrentRevision{
			Name: "welcome-0a1b2c3d-1", Number: 1, Digest: digest, Title: "Trail running shoes", Source: api.SourceWritten,
			CreationTime: api.NewMicroTime(now),
		},
	})
	return article
}

var _ = Describe("The approvals of several reviewers", func() {
	const (
		needApprove = "who changes spec.approvals must hold the verb approve on articles.pressroom.dev"
		needOwnName = "by of each entry of spec.approvals that is added, changed or removed must be "
		other       = "kit@acme.example"
		collector   = "system:serviceaccount:kube-system:generic-garbage-collector"
	)
	allowed, noApprove, noName := Succeed(), beForbidden(needApprove), func(user string) OmegaMatcher { return beForbidden(needOwnName + user) }

	BeforeEach(func(ctx SpecContext) {
		allow(ctx, collector, rule("pressroom.dev", "articles", "get", "update", "patch"))
		Eventually(may).WithContext(ctx).WithArguments(collector, "patch", "articles", "").Should(BeTrue())
	})

	// own is the entry of the user in the table below; the others are by other people.
	type change struct {
		name string
		// before and after are the entries, with those of the user.
		before, after func(user string) []api.ArticleApproval
		// approver is what those get who may approve, and not attest.
		approver func(user string) OmegaMatcher
	}
	succeeds := func(string) OmegaMatcher { return allowed }
	none := func(string) []api.ArticleApproval { return nil }
	of := func(digest string, by ...string) func(string) []api.ArticleApproval {
		return func(user string) []api.ArticleApproval {
			named := append([]string{}, by...)
			for i := range named {
				if named[i] == "own" {
					named[i] = user
				}
			}
			return entries(digest, named...)
		}
	}
	and := func(one, more func(string) []api.ArticleApproval) func(string) []api.ArticleApproval {
		return func(user string) []api.ArticleApproval { return append(one(user), more(user)...) }
	}
	noted := func(user string) []api.ArticleApproval {
		return []api.ArticleApproval{{By: other, Digest: digest, Note: "Fine."}}
	}
	changes := []change{
		{"add the own", none, of(digest, "own"), succeeds},
		{"add the own beside another's", of(digest, other), of(digest, other, "own"), succeeds},
		{"add another's", none, of(digest, other), noName},
		{"add the own and another's at once", none, of(digest, "own", other), noName},
		{"change the digest of the own", of(otherDigest, "own", other), and(of(digest, "own"), of(otherDigest, other)), succeeds},
		{"change the digest of another's", of(otherDigest, other), of(digest, other), noName},
		{"take the digest from another's", of(digest, other), of("", other), noName},
		{"change the note of another's", of(digest, other), noted, noName},
		{"remove the own", of(digest, other, "own"), of(digest, other), succeeds},
		{"remove another's", of(digest, other, "own"), of(digest, "own"), noName},
		{"remove all", of(digest, other, "own"), none, noName},
		{"replace another's by the own", of(digest, other), of(digest, "own"), noName},
		{"replace the own by another's", of(digest, "own"), of(digest, other), noName},
		{"remove another's of another text", of(otherDigest, other), none, succeeds},
		{"replace another's of another text by the own", of(otherDigest, other), of(digest, "own"), succeeds},
		{"remove another's without a digest", of("", other), none, noName},
		{"turn them round", of(digest, other, "own"), of(digest, "own", other), nil},
	}
	for _, c := range changes {
		It("are guarded: to "+c.name, func(ctx SpecContext) {
			if c.approver == nil {
				Expect(changeAs(ctx, author, approvedBy(ctx, c.before(author)), func(a *api.Article) { a.Spec.Approvals = c.after(author) })).To(Succeed())
				return
			}
			for user, want := range map[string]OmegaMatcher{
				author: noApprove, collector: Satisfy(apierrors.IsForbidden), reviewer: c.approver(reviewer), manager: c.approver(manager),
				gitops: allowed, facade: allowed,
			} {
				err := changeAs(ctx, user, approvedBy(ctx, c.before(user)), func(a *api.Article) { a.Spec.Approvals = c.after(user) })
				Expect(err).To(want, user)
			}
		})
	}

	DescribeTable("are at most five, of different people, also for those who may name others", func(ctx SpecContext, by []string, want string) {
		for _, user := range []string{gitops, facade} {
			article := approvedBy(ctx, nil)
			Expect(changeAs(ctx, user, article, func(a *api.Article) { a.Spec.Approvals = entries(digest, by...) })).To(beInvalid(want))
		}
	},
		Entry("six", []string{"a", "b", "c", "d", "e", "f"}, "must have at most 5 items"),
		Entry("one person twice", []string{"a", "b", "a"}, "Duplicate value"),
		Entry("nobody", []string{""}, "Required value"),
	)

	It("may not be brought along by an author who creates an article, and may by who reviews pull requests", func(ctx SpecContext) {
		article := newArticle(workspace)
		article.Spec.Approvals = entries("", author)
		Expect(as(author).Create(ctx, article)).To(noApprove)
		article.Spec.Approvals = entries("", "mara@acme.example", "jo@acme.example")
		Expect(as(manager).Create(ctx, article.DeepCopy())).To(noName(manager))
		Expect(as(gitops).Create(ctx, article)).To(Succeed())
	})

	It("stay while an author changes everything else", func(ctx SpecContext) {
		Expect(changeAs(ctx, author, approvedBy(ctx, entries(digest, other, reviewer)), func(a *api.Article) {
			a.Spec.Content.Markdown, a.Spec.Stage = "They slip.", api.StagePublished
		})).To(Succeed())
	})

	It("without a digest are given again by who changes the content under them, and so in their name", func(ctx SpecContext) {
		edit := func(a *api.Article) { a.Spec.Content.Markdown = "They slip." }
		needs := beForbidden("who changes spec.content under an approval without a digest must hold the verb approve")
		Expect(changeAs(ctx, author, approvedBy(ctx, entries("", other)), edit)).To(needs)
		Expect(changeAs(ctx, author, approvedBy(ctx, entries(digest, other)), edit)).To(Succeed())
		Expect(changeAs(ctx, manager, approvedBy(ctx, entries("", other, manager)), edit)).To(noName(manager))
		Expect(changeAs(ctx, manager, approvedBy(ctx, entries("", manager)), edit)).To(Succeed())
		Expect(changeAs(ctx, manager, approvedBy(ctx, entries("", manager)), func(a *api.Article) {
			edit(a)
			a.Spec.Approvals = nil
		})).To(Succeed())
		Expect(changeAs(ctx, gitops, approvedBy(ctx, entries("", other)), edit)).To(Succeed())
	})

	It("are all, with the review, that a reviewer may change", func(ctx SpecContext) {
		const only = "may change spec.review and spec.approvals only"
		Expect(changeAs(ctx, reviewer, approvedBy(ctx, nil), func(a *api.Article) {
			a.Spec.Approvals, a.Spec.Content.Markdown = entries(digest, reviewer), "They slip."
		})).To(beForbidden(only))
		Expect(changeAs(ctx, reviewer, approvedBy(ctx, nil), func(a *api.Article) {
			a.Spec.Approvals, a.Spec.Review = entries(digest, reviewer), approval(digest)
		})).To(Succeed())
	})

	It("of others stay when a field manager applies or drops its own", func(ctx SpecContext) {
		article := approvedBy(ctx, nil)
		for _, user := range []string{reviewer, manager} {
			before := article.DeepCopy()
			article.Spec.Approvals = append(article.Spec.Approvals, entries(digest, user)...)
			patch := client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
			Expect(as(user).Patch(ctx, article, patch, client.FieldOwner("pressroom-plugin"))).To(Succeed())
		}
		flux := map[string]any{"spec": map[string]any{"approvals": []any{map[string]any{"by": other, "digest": digest}}}}
		Expect(applyAs(ctx, gitops, article, flux)).To(Succeed())
		Expect(admin.Get(ctx, client.ObjectKeyFromObject(article), article)).To(Succeed())
		Expect(article.Spec.Approvals).To(ConsistOf(entries(digest, reviewer, manager, other)))
		Expect(applyAs(ctx, gitops, article, map[string]any{"spec": map[string]any{"stage": "Review"}})).To(Succeed())
		Expect(admin.Get(ctx, client.ObjectKeyFromObject(article), article)).To(Succeed())
		Expect(article.Spec.Approvals).To(ConsistOf(entries(digest, reviewer, manager)), "what is taken from a manifest goes, and nothing else")
	})

	It("may be written beside a text that stays, on an object of the version before", func(ctx SpecContext) {
		article := existing(ctx, approval(digest))
		Expect(changeAs(ctx, reviewer, article, func(a *api.Article) { a.Spec.Approvals = entries(digest, reviewer) })).To(Succeed())
		Expect(changeAs(ctx, reviewer, article, func(a *api.Article) { a.Spec.Approvals = nil })).To(Succeed())
	})
})
