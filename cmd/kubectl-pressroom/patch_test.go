package main

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

var otherDigest = "sha256:" + strings.Repeat("0", 64)

var _ = Describe("A decision", func() {
	It("is about the text whose digest is named, and about no other", func() {
		w := newWorkspace()
		inReview(w, "shoes")
		got := w.as(reviewer, "approve", "shoes", "--digest", otherDigest)
		Expect(got).To(failing(1, "its digest is now "+w.get("shoes").Status.Revision.Digest))
		Expect(w.get("shoes").Spec.Review).To(BeNil())

		got = w.as(reviewer, "approve", "shoes", "--digest", w.get("shoes").Status.Revision.Digest, "-m", "Fine.")
		Expect(got).To(And(succeeding(), HaveField("Out", "article.pressroom.dev/shoes approved\n")))
		Expect(w.get("shoes").Spec.Review.Note).To(Equal("Fine."))
		Expect(w.reconcile("shoes").Status.Phase).To(Equal(v1alpha1.PhaseApproved))
	})

	It("is not made on a text that comes between reading and writing", func() {
		w := newWorkspace()
		inReview(w, "shoes")
		c, err := client.NewWithWatch(cluster.Config, client.Options{Scheme: cluster.Client.Scheme()})
		Expect(err).NotTo(HaveOccurred())
		late := func(ctx context.Context, c client.WithWatch, obj client.Object, patch client.Patch, o ...client.PatchOption) error {
			if w.get("shoes").Status.Revision.Number == 1 {
				Expect(w.as(author, "regenerate", "shoes")).To(succeeding())
				w.reconcile("shoes")
			}
			return c.Patch(ctx, obj, patch, o...)
		}
		s := &session{Client: interceptor.NewClient(c, interceptor.Funcs{Patch: late}), namespace: w.Workspace}
		change := &edit{aboutText: true, change: func(a *v1alpha1.Article, site *v1alpha1.Site) error {
			a.Spec.Review = &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionApproved, Digest: a.Status.Revision.Digest, By: "system:admin"}
			return lifecycle.CheckAction(a, site, lifecycle.ActionApprove, time.Now())
		}}
		_, _, err = change.apply(w.ctx, s, "shoes", dryRunNone)
		Expect(err).To(MatchError(ContainSubstring("the text has changed")))
		Expect(w.get("shoes").Status.Revision.Number).To(BeEquivalentTo(2))
		Expect(w.get("shoes").Spec.Review).To(BeNil())
	})

	It("stays that of the person who made it first", func() {
		w := newWorkspace()
		inReview(w, "shoes")
		Expect(w.as(reviewer, "approve", "shoes")).To(succeeding())
		Expect(w.as(manager, "approve", "shoes")).To(HaveField("Out", "article.pressroom.dev/shoes approved (no change)\n"))
		Expect(w.get("shoes").Spec.Review.By).To(Equal(reviewer))
	})

	It("is not made on what cannot be decided", func() {
		w := newWorkspace()
		published(w, "shoes")
		Expect(w.as(reviewer, "reject", "shoes", "-m", "Late.")).To(failing(1, "it can be archived, not rejected"))
		Expect(w.as(reviewer, "approve", "shoes")).To(HaveField("Out", "article.pressroom.dev/shoes approved (no change)\n"))
	})
})

var _ = Describe("An approval of several", func() {
	It("is an entry until the last one, which is the review, and leaves those of others alone", func() {
		w := newWorkspace()
		site := w.SiteObject()
		site.Spec.Review.Approvals = 2
		Expect(api.Update(w.ctx, site)).To(Succeed())
		inReview(w, "shoes")
		Expect(w.as(author, "publish", "shoes")).To(succeeding())
		const partly = "article.pressroom.dev/shoes approved, 1 of 2 approvals: " + reviewer
		Expect(w.as(reviewer, "approve", "shoes", "-m", "Fine.", "--dry-run=client")).To(HaveField("Out", partly+" (dry run)\n"))
		Expect(w.as(reviewer, "approve", "shoes", "-m", "Fine.")).To(HaveField("Out", partly+"\n"))
		Expect(w.as(reviewer, "approve", "shoes", "-m", "Fine again.")).To(HaveField("Out", partly+" (no change)\n"))
		a := w.reconcile("shoes")
		entry := v1alpha1.ArticleApproval{By: reviewer, Digest: a.Status.Revision.Digest, Note: "Fine."}
		Expect(a.Spec.Approvals).To(ConsistOf(entry))
		Expect(a.Spec.Review).To(BeNil())
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(w.as(reader, "tree", "shoes").Out).To(And(
			ContainSubstring("Review, AwaitingApprovals, 1 of 2 approvals: "+reviewer), ContainSubstring("by "+reviewer+", Fine.")))

		Expect(w.as(manager, "approve", "shoes")).To(HaveField("Out",
			"article.pressroom.dev/shoes approved, 2 of 2 approvals: "+reviewer+", "+manager+"\n"))
		a = w.reconcile("shoes")
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(a.Spec.Approvals).To(ConsistOf(entry))
		Expect(a.Spec.Review.By).To(Equal(manager))
	})

	It("is taken back by a rejection of the same person", func() {
		w := newWorkspace()
		site := w.SiteObject()
		site.Spec.Review.Approvals = 3
		Expect(api.Update(w.ctx, site)).To(Succeed())
		inReview(w, "shoes")
		Expect(w.as(reviewer, "approve", "shoes")).To(succeeding())
		Expect(w.as(manager, "approve", "shoes")).To(succeeding())
		Expect(w.as(reviewer, "reject", "shoes", "-m", "No sources.")).To(HaveField("Out", "article.pressroom.dev/shoes rejected\n"))
		a := w.reconcile("shoes")
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseRejected))
		Expect(a.Spec.Approvals).To(ConsistOf(HaveField("By", manager)))
	})
})

var _ = Describe("A command that changes articles", func() {
	It("does all that it can, and says what it could not", func() {
		w := newWorkspace()
		inReview(w, "shoes")
		inReview(w, "boots")
		got := w.as(author, "publish", "shoes", "nothing", "boots")
		Expect(got).To(failing(1, `articles.pressroom.dev "nothing" not found`))
		Expect(got.Out).To(Equal("article.pressroom.dev/shoes publication requested\narticle.pressroom.dev/boots publication requested\n"))
		Expect(w.get("boots").Spec.Stage).To(Equal(v1alpha1.StagePublished))
	})

	It("regenerates the articles with the labels of -l, and no others", func() {
		w := newWorkspace()
		for _, name := range []string{"boots", "shoes", "huts"} {
			inReview(w, name)
		}
		for name, season := range map[string]string{"boots": "winter", "shoes": "winter", "huts": "summer"} {
			a := w.get(name)
			metav1.SetMetaDataLabel(&a.ObjectMeta, "season", season)
			Expect(api.Update(w.ctx, a)).To(Succeed())
		}
		got := w.as(author, "regenerate", "-l", "season=winter")
		Expect(got).To(And(succeeding(), HaveField("Out",
			"article.pressroom.dev/boots regeneration requested\narticle.pressroom.dev/shoes regeneration requested\n")))
		Expect(w.get("boots").Annotations).To(HaveKey(v1alpha1.RegenerateAnnotation))
		Expect(w.get("huts").Annotations).NotTo(HaveKey(v1alpha1.RegenerateAnnotation))
		Expect(w.as(author, "regenerate", "-l", "season=spring")).To(And(HaveField("Code", 0), HaveField("Out", ""),
			HaveField("Problems", "No resources found in "+w.Workspace+" namespace.\n")))

		published(w, "old")
		a := w.get("old")
		metav1.SetMetaDataLabel(&a.ObjectMeta, "season", "summer")
		Expect(api.Update(w.ctx, a)).To(Succeed())
		got = w.as(author, "regenerate", "-l", "season=summer", "-o", "name")
		Expect(got).To(failing(1, "article old: "), "its site takes no updates")
		Expect(got.Out).To(Equal("article.pressroom.dev/huts\n"), "the others are done")
	})

	It("writes the fields that it is about, as an update of its own", func() {
		w := newWorkspace()
		inReview(w, "shoes")
		Expect(w.as(author, "publish", "shoes", "--at", "2099-01-01T10:00:00+01:00")).To(
			HaveField("Out", "article.pressroom.dev/shoes scheduled for 2099-01-01T09:00:00Z\n"))
		Expect(w.as(author, "publish", "shoes")).To(succeeding())
		a := w.get("shoes")
		Expect(a.Spec.PublishAfter).To(BeNil(), "publishing now takes the time away")
		Expect(fieldManager).NotTo(HavePrefix("kubectl"), "Flux removes what such a manager wrote")
		for _, f := range a.ManagedFields {
			if f.Manager == fieldManager {
				Expect(f.Operation).To(BeEquivalentTo("Update"))
				Expect(f.FieldsV1.GetRawString()).To(Equal(`{"f:spec":{"f:stage":{}}}`))
			}
		}
	})

	DescribeTable("writes nothing in a dry run", func(way, said string) {
		w := newWorkspace()
		inReview(w, "shoes")
		before := w.get("shoes")
		got := w.as(reviewer, "approve", "shoes", "--dry-run="+way)
		Expect(got).To(And(succeeding(), HaveField("Out", "article.pressroom.dev/shoes approved ("+said+")\n")))
		got = w.as(reviewer, "approve", "shoes", "--dry-run="+way, "-o", "json")
		Expect(got).To(succeeding())
		a := &v1alpha1.Article{}
		Expect(json.Unmarshal([]byte(got.Out), a)).To(Succeed())
		Expect(a.Kind).To(Equal("Article"))
		Expect(a.Spec.Review.By).To(Equal(reviewer))
		Expect(w.get("shoes")).To(Equal(before))
	},
		Entry("of the client", "client", "dry run"),
		Entry("of the server", "server", "server dry run"),
	)

	It("has the server check the rights in a dry run of the server", func() {
		w := newWorkspace()
		inReview(w, "shoes")
		Expect(w.as(author, "approve", "shoes", "--dry-run=server")).To(failing(1, needs("approve")))
	})

	It("prints the object, or its name, as -o says", func() {
		w := newWorkspace()
		inReview(w, "shoes")
		Expect(w.as(author, "publish", "shoes", "-o", "name")).To(HaveField("Out", "article.pressroom.dev/shoes\n"))
		got := w.as(author, "publish", "shoes", "-o", "yaml")
		a := &v1alpha1.Article{}
		Expect(yaml.Unmarshal([]byte(got.Out), a)).To(Succeed())
		Expect(a.Spec.Stage).To(Equal(v1alpha1.StagePublished))
		Expect(a.ManagedFields).To(BeEmpty())
		Expect(w.as(author, "publish", "shoes", "-o", "jsonpath={.spec.stage}")).To(HaveField("Out", "Published"))
	})

	It("sends an article again that its site has refused", func() {
		w := newWorkspace()
		undelivered(w, "shoes")
		Expect(w.as(author, "publish", "shoes")).To(failing(1, "redeliver it"))
		w.receiver.AnswersStatus(204)
		Expect(w.as(author, "redeliver", "shoes")).To(HaveField("Out", "article.pressroom.dev/shoes redelivery requested\n"))
		Expect(w.reconcile("shoes").Status.Phase).To(Equal(v1alpha1.PhasePublished))
	})

	It("overwrites what was changed in a CMS for those who may approve", func() {
		w := newWorkspace()
		undelivered(w, "shoes")
		w.receiver.AnswersStatus(204)
		Expect(w.as(author, "redeliver", "shoes", "--overwrite")).To(failing(1, needs("approve")))
		Expect(w.as(manager, "redeliver", "shoes", "--overwrite")).To(HaveField("Out", "article.pressroom.dev/shoes redelivery requested\n"))
		Expect(w.get("shoes").Annotations).To(HaveKey(v1alpha1.OverwriteAnnotation))
		Expect(w.reconcile("shoes").Status.Phase).To(Equal(v1alpha1.PhasePublished))
	})

	DescribeTable("refuses what makes no sense before it asks the server", func(want string, args ...string) {
		Expect(run(args...)).To(failing(1, want))
	},
		Entry("no article", "requires at least 1 arg", "approve"),
		Entry("nothing to regenerate", "name articles, or select them with -l", "regenerate"),
		Entry("a selector that is empty", "name articles, or select them with -l", "regenerate", "-l", ""),
		Entry("names and a selector", "and not both", "regenerate", "shoes", "-l", "season=winter"),
		Entry("a rejection without a reason", `"message" not set`, "reject", "shoes"),
		Entry("a broken digest", "--digest must be sha256:", "approve", "shoes", "--digest=42"),
		Entry("a digest for two", "--digest names one text", "approve", "a", "b", "--digest="+otherDigest),
		Entry("a broken time", "--at must be a time in the form of RFC 3339", "publish", "shoes", "--at=tomorrow"),
		Entry("a time that has passed", "--at must be a time to come", "publish", "shoes", "--at=2026-11-20T12:00:00Z"),
		Entry("an unknown dry run", `must be "none", "server" or "client"`, "publish", "shoes", "--dry-run=perhaps"),
		Entry("an unknown command", "unknown command", "applaud"),
	)
})
