package apiserver_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// What the controllers would do, done by the spec: the facade is tested without them.

// setStatus changes an article's status as a controller does.
func (t *tenant) setStatus(name string, change func(*v1alpha1.Article)) *v1alpha1.Article {
	GinkgoHelper()
	var a *v1alpha1.Article
	Eventually(func() error {
		a = t.article(name)
		change(a)
		site := &v1alpha1.Site{}
		if err := api.Get(ctx, client.ObjectKey{Namespace: t.workspace, Name: a.Spec.SiteRef.Name}, site); err != nil {
			return err
		}
		lifecycle.Summarize(a, site, time.Now(), lifecycle.Blockers{})
		return api.Status().Update(ctx, a)
	}).Should(Succeed())
	return a
}

// finishRun makes the revision of an article's run.
func (t *tenant) finishRun(name string, doc content.Document) *v1alpha1.Article {
	GinkgoHelper()
	return t.setStatus(name, func(a *v1alpha1.Article) {
		number := a.Status.LastRevisionNumber + 1
		rev := t.makeRevision(a, doc, number, v1alpha1.SourceGenerated)
		a.Status.Generation = &v1alpha1.GenerationRun{
			ID: rev.Name, Number: number, RequestHash: lifecycle.RequestHash(a.Spec.Generate),
			Nonce: a.Annotations[v1alpha1.RegenerateAnnotation], State: v1alpha1.RunSucceeded, Charge: v1alpha1.Charged,
			Attempt: 1, StartedAt: metav1.NowMicro(), Type: v1alpha1.GeneratorBuiltIn,
		}
	})
}

// takeIn makes the revision that takes in what the author has written.
func (t *tenant) takeIn(name string) *v1alpha1.Article {
	GinkgoHelper()
	return t.setStatus(name, func(a *v1alpha1.Article) {
		base := content.Document{}
		if r := a.Status.Revision; r != nil {
			current := &v1alpha1.ArticleRevision{}
			Expect(api.Get(ctx, client.ObjectKey{Namespace: t.workspace, Name: r.Name}, current)).To(Succeed())
			var err error
			base, err = revision.Document(current)
			Expect(err).NotTo(HaveOccurred())
		}
		t.makeRevision(a, revision.Overlay(base, a.Spec.Content), a.Status.LastRevisionNumber+1, v1alpha1.SourceWritten)
	})
}

func (t *tenant) makeRevision(a *v1alpha1.Article, doc content.Document, number int64, source v1alpha1.RevisionSource) *v1alpha1.ArticleRevision {
	GinkgoHelper()
	uid := identity.UID(identity.KindArticle, a.Namespace, a.Name)
	rev, err := revision.New(a, doc, revision.Origin{
		Name: identity.RevisionName(a.Name, uid, number), Number: number, Source: source, Encoding: v1alpha1.EncodingPlain,
	})
	Expect(err).NotTo(HaveOccurred())
	if err := api.Create(ctx, rev); !apierrors.IsAlreadyExists(err) {
		Expect(err).NotTo(HaveOccurred())
	}
	a.Status.LastRevisionNumber = number
	a.Status.Slug = "some-slug"
	a.Status.Revision = &v1alpha1.CurrentRevision{
		Name: rev.Name, Number: number, Digest: rev.Spec.Digest, ContentHash: lifecycle.ContentHash(a.Spec.Content), Title: doc.Title,
		Source: source, SEOScore: rev.Spec.Scores.SEOScore, CreatedAt: metav1.NowMicro(),
	}
	return rev
}

// failRun ends an article's run without a revision.
func (t *tenant) failRun(name string) {
	GinkgoHelper()
	t.setStatus(name, func(a *v1alpha1.Article) {
		a.Status.Generation = &v1alpha1.GenerationRun{
			ID: "r", Number: 1, RequestHash: lifecycle.RequestHash(a.Spec.Generate), State: v1alpha1.RunFailed, Charge: v1alpha1.Refunded,
			Attempt: 1, StartedAt: metav1.NowMicro(), Type: v1alpha1.GeneratorBuiltIn, Reason: v1alpha1.ReasonRefused, Message: "the model would not",
		}
	})
}

// deliver puts an article's publication into a state.
func (t *tenant) deliver(name string, state v1alpha1.PublicationState, cycle v1alpha1.CycleState) *v1alpha1.Article {
	GinkgoHelper()
	return t.setStatus(name, func(a *v1alpha1.Article) {
		at := metav1.NewMicroTime(time.Date(2026, 11, 20, 9, 0, 0, 7_000_000, time.UTC))
		a.Status.Publication = &v1alpha1.Publication{State: state, Revision: a.Status.Revision.Name, Digest: a.Status.Revision.Digest}
		if state == v1alpha1.PublicationPublished {
			a.Status.Publication.PublishedAt = &at
			a.Status.Publication.URL = "https://blog.example.com/some-slug"
		}
		if cycle != "" {
			a.Status.Publication.Cycle = &v1alpha1.DeliveryCycle{
				Number: 1, State: cycle, Nonce: a.Annotations[v1alpha1.RedeliverAnnotation], Reason: v1alpha1.ReasonExhausted,
			}
		}
	})
}

// published is the name of an article that is approved and published, as the replica sees it too.
func (t *tenant) published(r *replica, cycle v1alpha1.CycleState) string {
	GinkgoHelper()
	name := t.inReview(r)
	Expect(r.ask(t, "POST", "/v1/api/blogs/"+name+"/approve", nil)).To(saying(200, "approved"))
	Expect(r.ask(t, "POST", "/v1/api/blogs/"+name+"/publish", nil)).To(saying(200, "approved"))
	t.deliver(name, v1alpha1.PublicationPublished, cycle)
	return name
}

var someText = content.Document{
	Title: "Trail shoes", Markdown: "Some *text* about shoes.", MetaTitle: "Meta title", MetaDescription: "Meta description",
	FAQ: []v1alpha1.FAQ{{Question: "Why?", Answer: "Because."}},
}

// inReview is the name of a generated article that waits in review.
func (t *tenant) inReview(r *replica) string {
	GinkgoHelper()
	got := r.ask(t, "POST", "/v1/api/generate", t.generate("trail shoes"))
	Expect(got.status).To(Equal(202), got.raw)
	t.finishRun(got.text("blog_uid"), someText)
	return got.text("blog_uid")
}
