package kinds

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	api "github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// decision returns a reviewer's decision on the content with this digest; on the content in the same manifest if that is empty.
func decision(kind api.ReviewDecision, digest, by string) *api.ArticleReview {
	return &api.ArticleReview{Decision: kind, Digest: digest, By: by}
}

// approval and rejection are the reviewer's own decisions.
func approval(digest string) *api.ArticleReview {
	return decision(api.DecisionApproved, digest, reviewer)
}
func rejection(digest string) *api.ArticleReview {
	return decision(api.DecisionRejected, digest, reviewer)
}

// existing creates an article with this review, as an administrator.
func existing(ctx context.Context, review *api.ArticleReview) *api.Article {
	GinkgoHelper()
	article := newArticle(workspace)
	article.Spec.Review = review
	Expect(admin.Create(ctx, article)).To(Succeed())
	return article
}

// changeAs changes an article as a user, by a patch of what differs.
func changeAs(ctx context.Context, user string, article *api.Article, change func(*api.Article)) error {
	GinkgoHelper()
	before := article.DeepCopy()
	change(article)
	return as(user).Patch(ctx, article, client.MergeFrom(before))
}

// applyAs applies some fields of an article as a user and field manager.
func applyAs(ctx context.Context, user string, article *api.Article, fields map[string]any) error {
	GinkgoHelper()
	u := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(fields)}
	u.SetGroupVersionKind(api.GroupVersion.WithKind("Article"))
	u.SetNamespace(article.Namespace)
	u.SetName(article.Name)
	return as(user).Apply(ctx, client.ApplyConfigurationFromUnstructured(u), client.FieldOwner(user), client.ForceOwnership)
}

func review(r *api.ArticleReview) func(*api.Article) {
	return func(a *api.Article) { a.Spec.Review = r }
}

var _ = Describe("The reviewer's word", func() {
	const (
		needApprove  = "who changes spec.review must hold the verb approve on articles.pressroom.dev"
		needApprove2 = "who changes spec.content under an approval without a digest must hold the verb approve"
		needOwnName  = "spec.review.by must be "
	)

	DescribeTable("may be given by",
		func(ctx SpecContext, user, by string, want OmegaMatcher) {
			Expect(changeAs(ctx, user, existing(ctx, nil), review(decision(api.DecisionApproved, digest, by)))).To(want)
		},
		Entry("no author", author, author, beForbidden(needApprove)),
		Entry("no author in a reviewer's name", author, reviewer, beForbidden(needApprove)),
		Entry("a reviewer in their own name", reviewer, reviewer, Succeed()),
		Entry("no reviewer in another's name", reviewer, author, beForbidden(needOwnName+reviewer)),
		Entry("an administrator of the workspace in their own name", manager, manager, Succeed()),
		Entry("no administrator of the workspace in another's name", manager, reviewer, beForbidden(needOwnName+manager)),
		Entry("a GitOps controller in anybody's name", gitops, author, Succeed()),
		Entry("the facade in the name of a key", facade, "Newsletter tool", Succeed()),
		Entry("no facade of another namespace", "system:serviceaccount:default:pressroom-apiserver", author, beForbidden("cannot patch")),
	)

	DescribeTable("is needed for every change of it",
		func(ctx SpecContext, before, after *api.ArticleReview) {
			Expect(changeAs(ctx, author, existing(ctx, before), review(after))).To(beForbidden(needApprove))
			Expect(changeAs(ctx, reviewer, existing(ctx, before), review(after))).To(Succeed())
		},
		Entry("a rejection given", nil, rejection(digest)),
		Entry("an approval taken back", approval(digest), nil),
		Entry("a rejection taken back", rejection(""), nil),
		Entry("a rejection turned into an approval", rejection(digest), approval(digest)),
		Entry("an approval of other content", approval(digest), approval(otherDigest)),
		Entry("an approval of the content in the same manifest", approval(digest), approval("")),
		Entry("another note", approval(digest),
			&api.ArticleReview{Decision: api.DecisionApproved, Digest: digest, By: reviewer, Note: "Fine."}),
	)

	It("may not be brought along by an author who creates an article", func(ctx SpecContext) {
		article := newArticle(workspace)
		article.Spec.Review = decision(api.DecisionApproved, "", author)
		Expect(as(author).Create(ctx, article)).To(beForbidden(needApprove))

		article.Spec.Review = nil
		Expect(as(author).Create(ctx, article)).To(Succeed())
	})

	It("may be brought along by who reviews pull requests", func(ctx SpecContext) {
		article := newArticle(workspace)
		article.Spec.Review = decision(api.DecisionApproved, "", "mara@acme.example")
		Expect(as(gitops).Create(ctx, article)).To(Succeed())
	})

	It("stays what it is while an author changes everything else", func(ctx SpecContext) {
		for _, before := range []*api.ArticleReview{
			approval(digest), rejection(digest), rejection(""),
		} {
			Expect(changeAs(ctx, author, existing(ctx, before), func(a *api.Article) {
				a.Annotations = map[string]string{api.RegenerateAnnotation: "1"}
				a.Spec.Content.Markdown, a.Spec.Generate.Tone, a.Spec.Stage = "They slip.", "dry", api.StagePublished
			})).To(Succeed())
		}
	})

	It("is on the content in the same manifest, which then needs the reviewer's right to change", func(ctx SpecContext) {
		changeContent := func(a *api.Article) { a.Spec.Content.Markdown = "They slip." }
		changeSlug := func(a *api.Article) { a.Spec.Content.Slug = "shoes" }
		publish := func(a *api.Article) { a.Spec.Stage = api.StagePublished }
		approved := approval("")

		Expect(changeAs(ctx, author, existing(ctx, approved), changeContent)).To(beForbidden(needApprove2))
		Expect(changeAs(ctx, author, existing(ctx, approved), changeSlug)).To(beForbidden(needApprove2))
		Expect(changeAs(ctx, author, existing(ctx, approved), publish)).To(Succeed())
		Expect(changeAs(ctx, gitops, existing(ctx, approved), changeContent)).To(Succeed())
	})

	It("is given again by who changes the content under it, and so in their name", func(ctx SpecContext) {
		approved := approval("")
		Expect(changeAs(ctx, manager, existing(ctx, approved), func(a *api.Article) {
			a.Spec.Content.Markdown = "They slip."
		})).To(beForbidden(needOwnName + manager))
		Expect(changeAs(ctx, manager, existing(ctx, approved), func(a *api.Article) {
			a.Spec.Content.Markdown, a.Spec.Review.By = "They slip.", manager
		})).To(Succeed())
	})

	It("is never mixed from those of two reviewers", func(ctx SpecContext) {
		article := existing(ctx, nil)
		applyReview := func(user string, review map[string]any) {
			GinkgoHelper()
			Expect(applyAs(ctx, user, article, map[string]any{"spec": map[string]any{"review": review}})).To(Succeed())
		}
		applyReview(reviewer, map[string]any{"decision": "Rejected", "digest": digest, "by": reviewer, "note": "No sources."})
		applyReview(manager, map[string]any{"decision": "Rejected", "by": manager})
		Expect(admin.Get(ctx, client.ObjectKeyFromObject(article), article)).To(Succeed())
		Expect(article.Spec.Review).To(Equal(&api.ArticleReview{Decision: api.DecisionRejected, By: manager}))
	})

	It("is all of an article that a reviewer may change", func(ctx SpecContext) {
		const only = "who lacks the verb create on articles.pressroom.dev may change spec.review and spec.approvals only, and " + reviewer + " lacks it"
		for name, change := range map[string]func(*api.Article){
			"content":      func(a *api.Article) { a.Spec.Content.Markdown = "They slip." },
			"no content":   func(a *api.Article) { a.Spec.Content = nil },
			"generate":     func(a *api.Article) { a.Spec.Generate.Tone = "dry" },
			"stage":        func(a *api.Article) { a.Spec.Stage = api.StagePublished },
			"publishAfter": func(a *api.Article) { a.Spec.PublishAfter = &api.Time{Time: now} },
			"an annotation": func(a *api.Article) {
				metav1.SetMetaDataAnnotation(&a.ObjectMeta, api.RegenerateAnnotation, "1")
			},
			"a label":      func(a *api.Article) { metav1.SetMetaDataLabel(&a.ObjectMeta, "team", "blog") },
			"generateName": func(a *api.Article) { a.GenerateName = "other-" },
			// Who applies next removes what is theirs and not in their manifest.
			"the owner of a field": func(a *api.Article) {
				m := a.ManagedFields[0]
				m.Manager, m.Operation = "kustomize-controller", metav1.ManagedFieldsOperationApply
				a.ManagedFields = append(a.ManagedFields, m)
			},
			"the name of a field manager": func(a *api.Article) { a.ManagedFields[0].Manager = "kustomize-controller" },
			"no field managers":           func(a *api.Article) { a.ManagedFields = []metav1.ManagedFieldsEntry{{}} },
		} {
			article := existing(ctx, nil)
			Expect(changeAs(ctx, reviewer, article, change)).To(beForbidden(only), name)
			Expect(changeAs(ctx, reviewer, existing(ctx, nil), func(a *api.Article) {
				change(a)
				a.Spec.Review = approval(digest)
			})).To(beForbidden(only), name)
			Expect(changeAs(ctx, author, existing(ctx, nil), change)).To(Succeed(), name)
		}
		Expect(changeAs(ctx, reviewer, existing(ctx, nil), review(approval(digest)))).To(Succeed())
		Expect(changeAs(ctx, reviewer, existing(ctx, approval(digest)), review(nil))).To(Succeed())
	})

	It("is all that may be changed by who may also delete the article", func(ctx SpecContext) {
		deleter := "dora@acme.example"
		allow(ctx, deleter, rule("pressroom.dev", "articles", "patch", "approve", "delete"))
		Eventually(may).WithContext(ctx).WithArguments(deleter, "delete", "articles", "").Should(BeTrue())
		for _, change := range []func(*api.Article){
			func(a *api.Article) { a.OwnerReferences = []metav1.OwnerReference{configMap("settings", "u")} },
			func(a *api.Article) { a.Finalizers = []string{"acme.example/keep"} },
		} {
			Expect(changeAs(ctx, deleter, existing(ctx, nil), change)).To(beForbidden("verb create"))
			Expect(changeAs(ctx, reviewer, existing(ctx, nil), change)).To(Satisfy(apierrors.IsForbidden))
		}
		Expect(changeAs(ctx, deleter, existing(ctx, nil), review(decision(api.DecisionRejected, digest, deleter)))).To(Succeed())
	})

	It("leaves the end of an article to the garbage collector", func(ctx SpecContext) {
		collector := "system:serviceaccount:kube-system:generic-garbage-collector"
		allow(ctx, collector, rule("pressroom.dev", "articles", "get", "update", "patch"))
		Eventually(may).WithContext(ctx).WithArguments(collector, "patch", "articles", "").Should(BeTrue())
		article := newArticle(workspace)
		article.OwnerReferences = []metav1.OwnerReference{configMap("settings", "u"), configMap("other", "v")}
		article.OwnerReferences[0].BlockOwnerDeletion = new(true)
		article.Finalizers = []string{"acme.example/keep", "foregroundDeletion"}
		Expect(admin.Create(ctx, article)).To(Succeed())
		Expect(changeAs(ctx, reviewer, article, func(a *api.Article) { a.OwnerReferences[0].Name = "gone" })).
			To(Satisfy(apierrors.IsForbidden))
		Expect(admin.Get(ctx, client.ObjectKeyFromObject(article), article)).To(Succeed())
		for _, step := range []func(*api.Article){
			func(a *api.Article) { a.OwnerReferences[0].BlockOwnerDeletion = new(false) },
			func(a *api.Article) { a.OwnerReferences = a.OwnerReferences[1:] },
			func(a *api.Article) { a.OwnerReferences = nil },
			func(a *api.Article) { a.Finalizers = a.Finalizers[1:] },
		} {
			Expect(changeAs(ctx, collector, article, step)).To(Succeed())
		}
		Expect(admin.Delete(ctx, article)).To(Succeed())
		Expect(changeAs(ctx, collector, article, func(a *api.Article) { a.Finalizers = nil })).To(Succeed())
		Expect(admin.Get(ctx, client.ObjectKeyFromObject(article), article)).To(Satisfy(apierrors.IsNotFound))
	})

	It("may be given by every way of writing it", func(ctx SpecContext) {
		allow(ctx, reviewer, rule("pressroom.dev", "articles", "update"))
		Eventually(may).WithContext(ctx).WithArguments(reviewer, "update", "articles", "").Should(BeTrue())
		article := existing(ctx, nil)
		flux := map[string]any{"spec": map[string]any{"content": map[string]any{"markdown": "They grip."}}}
		Expect(applyAs(ctx, gitops, article, flux)).To(Succeed())
		Expect(changeAs(ctx, reviewer, article, review(rejection(digest)))).To(Succeed())
		for range 3 {
			Expect(admin.Get(ctx, client.ObjectKeyFromObject(article), article)).To(Succeed())
			article.Spec.Review = approval(digest)
			Expect(as(reviewer).Update(ctx, article)).To(Succeed())
			Expect(applyAs(ctx, reviewer, article, map[string]any{
				"spec": map[string]any{"review": map[string]any{"decision": "Rejected", "by": reviewer}},
			})).To(Succeed())
			Expect(applyAs(ctx, gitops, article, flux)).To(Succeed())
		}
		Expect(admin.Get(ctx, client.ObjectKeyFromObject(article), article)).To(Succeed())
		Expect(article.Spec.Review).To(Equal(rejection("")))
	})

	for what, annotation := range map[string]string{
		"overwrite what somebody has changed in the CMS": api.OverwriteAnnotation, "take a post back": api.UnpublishAnnotation,
	} {
		It("is needed to "+what, func(ctx SpecContext) {
			const need = "who sets the annotation pressroom.dev/overwrite or pressroom.dev/unpublish must hold the verb approve"
			ask := func(nonce string) func(*api.Article) {
				return func(a *api.Article) { metav1.SetMetaDataAnnotation(&a.ObjectMeta, annotation, nonce) }
			}
			article := existing(ctx, nil)
			Expect(changeAs(ctx, author, article, ask("1"))).To(beForbidden(need))
			Expect(changeAs(ctx, manager, article, ask("1"))).To(Succeed())
			Expect(changeAs(ctx, author, article, ask("2"))).To(beForbidden(need))
			Expect(changeAs(ctx, author, article, func(a *api.Article) { a.Spec.Stage = api.StagePublished })).To(Succeed())
		})
	}

	for what, annotation := range map[string]string{
		"wrote a text": api.EditedByAnnotation, "asked for a text": api.RequestedByAnnotation,
	} {
		It("is not who "+what+": only those who attest names say that", func(ctx SpecContext) {
			const need = "who sets the annotation pressroom.dev/edited-by or pressroom.dev/requested-by must hold the verb attest"
			named := func(name string) func(*api.Article) {
				return func(a *api.Article) {
					metav1.SetMetaDataAnnotation(&a.ObjectMeta, annotation, "0123456789abcdef "+name)
				}
			}
			article := existing(ctx, nil)
			for _, user := range []string{author, manager} {
				Expect(changeAs(ctx, user, article.DeepCopy(), named("Mara"))).To(beForbidden(need))
				made := newArticle(workspace)
				named("Mara")(made)
				Expect(as(user).Create(ctx, made)).To(beForbidden(need))
			}
			Expect(changeAs(ctx, facade, article, named("Mara"))).To(Succeed())
			Expect(changeAs(ctx, author, article, named("Petra"))).To(beForbidden(need))
			Expect(changeAs(ctx, author, article, func(a *api.Article) { a.Spec.Content.Markdown = "They slip." })).To(Succeed())
			Expect(changeAs(ctx, author, article, func(a *api.Article) { delete(a.Annotations, annotation) })).To(Succeed())
		})
	}

	It("may be on one article only, if the role names it", func(ctx SpecContext) {
		welcome, other := newArticle(newNamespace(ctx)), newArticle(workspace)
		welcome.Name, welcome.GenerateName = "welcome", ""
		Expect(admin.Create(ctx, welcome)).To(Succeed())
		Expect(admin.Create(ctx, other)).To(Succeed())
		Expect(changeAs(ctx, oneArticle, welcome, review(decision(api.DecisionApproved, digest, oneArticle)))).To(Succeed())
		Expect(changeAs(ctx, oneArticle, other, review(decision(api.DecisionApproved, digest, oneArticle)))).To(beForbidden(needApprove))
	})

	It("does not concern the status, finalizers and deletion", func(ctx SpecContext) {
		article := existing(ctx, decision(api.DecisionApproved, "", "mara@acme.example"))
		writer := "sam@acme.example"
		allow(ctx, writer, rule("pressroom.dev", "articles/status", "update"), rule("pressroom.dev", "articles", "create", "update", "delete"))
		Eventually(may).WithContext(ctx).WithArguments(writer, "delete", "articles", "").Should(BeTrue())

		setStatus(ctx, article, published(api.PostUncertain, api.StagePublished).Status)
		Expect(as(writer).Status().Update(ctx, article)).To(Succeed())
		article.Finalizers = []string{"foregroundDeletion"}
		Expect(as(writer).Update(ctx, article)).To(Succeed())
		Expect(as(writer).Delete(ctx, article)).To(Succeed())
	})
})
