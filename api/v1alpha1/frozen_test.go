package v1alpha1_test

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	api "github.com/pressroom-dev/pressroom/api/v1alpha1"
)

const (
	contentFrozen  = "content may not change while the article is being delivered or once it is published"
	generateFrozen = "generate may not change while the article is being delivered or once it is published"
	stageFrozen    = "stage must stay, become Archived or return from it while the article is being delivered or once it is published"
)

// edit is a change of an article's spec, and the message that it gets on a frozen article; none if it stays allowed.
type edit struct {
	name       string
	stage      api.ArticleStage
	change     func(*api.Article)
	wantFrozen string
}

// edits are changes of every field that freezing speaks of, and of those beside them.
func edits() []edit {
	return []edit{
		{
			name: "content changes", change: func(a *api.Article) { a.Spec.Content.Markdown = "They slip." }, wantFrozen: contentFrozen,
		},
		{
			name: "content gets a field more", change: func(a *api.Article) { a.Spec.Content.Slug = "shoes" }, wantFrozen: contentFrozen,
		},
		{
			name: "content goes", change: func(a *api.Article) { a.Spec.Content = nil }, wantFrozen: contentFrozen,
		},
		{
			name: "generate changes", change: func(a *api.Article) { a.Spec.Generate.Keyword = "road shoes" }, wantFrozen: generateFrozen,
		},
		{
			name: "generate gets a field more", change: func(a *api.Article) { a.Spec.Generate.Tone = "dry" }, wantFrozen: generateFrozen,
		},
		{
			name: "generate goes", change: func(a *api.Article) { a.Spec.Generate = nil }, wantFrozen: generateFrozen,
		},
		{
			name: "stage becomes Draft", change: func(a *api.Article) { a.Spec.Stage = api.StageDraft }, wantFrozen: stageFrozen,
		},
		{
			name: "stage becomes Review", change: func(a *api.Article) { a.Spec.Stage = api.StageReview }, wantFrozen: stageFrozen,
		},
		{
			name: "stage becomes Archived", change: func(a *api.Article) { a.Spec.Stage = api.StageArchived },
		},
		{
			name: "stage returns from Archived", stage: api.StageArchived,
			change: func(a *api.Article) { a.Spec.Stage = api.StagePublished },
		},
		{
			name: "publishAfter changes", change: func(a *api.Article) { a.Spec.PublishAfter = &metav1.Time{Time: now} },
		},
		{
			name: "a redelivery is asked for", change: func(a *api.Article) {
				a.Annotations = map[string]string{api.RedeliverAnnotation: "1"}
			},
		},
		{
			name: "nothing changes", change: func(*api.Article) {},
		},
	}
}

// published returns an article whose publication has this state.
func published(state api.PublicationState, stage api.ArticleStage) *api.Article {
	article := newArticle(workspace)
	article.Spec.Stage = stage
	article.Status.ObservedGeneration = 1
	article.Status.Publication = &api.Publication{State: state, Revision: api.PublicationRevision{Name: "welcome-0a1b2c3d-1", Number: 1, Digest: digest}}
	return article
}

// frozenFields are all edits of articles whose publication has this state.
func frozenFields(state api.PublicationState, frozen bool) []update {
	var updates []update
	for _, e := range edits() {
		stage := e.stage
		if stage == "" {
			stage = api.StagePublished
		}
		u := update{name: fmt.Sprintf("%s: %s", state, e.name), from: published(state, stage), change: to(e.change)}
		if frozen {
			u.want = e.wantFrozen
		}
		updates = append(updates, u)
	}
	return updates
}

var _ = Describe("An article", func() {
	expectAnswers := func(frozen bool) func(SpecContext, api.PublicationState) {
		return func(ctx SpecContext, state api.PublicationState) {
			for _, u := range frozenFields(state, frozen) {
				expectAnswer(attempt(ctx, u), u)
			}
		}
	}

	DescribeTable("that is being delivered or published keeps content, generate and stage", expectAnswers(true),
		Entry("Delivering", api.PublicationDelivering),
		Entry("Published", api.PublicationPublished),
	)

	DescribeTable("that waits or has failed may change", expectAnswers(false),
		Entry("RetryScheduled", api.PublicationRetryScheduled),
		Entry("Failed", api.PublicationFailed),
	)

	DescribeTable("may not be given a source while it is frozen", func(ctx SpecContext, remove, add func(*api.Article), want string) {
		article := published(api.PublicationPublished, api.StagePublished)
		remove(article)
		u := update{name: want, from: article, change: to(add), want: want}
		expectAnswer(attempt(ctx, u), u)
	},
		Entry("content", func(a *api.Article) { a.Spec.Content = nil },
			func(a *api.Article) { a.Spec.Content = &api.ArticleContent{Title: "New"} }, contentFrozen),
		Entry("generate", func(a *api.Article) { a.Spec.Generate = nil },
			func(a *api.Article) { a.Spec.Generate = &api.GenerateRequest{Keyword: "road shoes"} }, generateFrozen),
	)

	It("may have its status written in every state", func(ctx SpecContext) {
		article := newArticle(workspace)
		article.Spec.Stage = api.StagePublished
		Expect(admin.Create(ctx, article)).To(Succeed())
		for _, state := range []api.PublicationState{
			api.PublicationDelivering, api.PublicationRetryScheduled, api.PublicationDelivering, api.PublicationFailed,
			api.PublicationDelivering, api.PublicationPublished,
		} {
			article.Status.Publication = &api.Publication{State: state, Revision: api.PublicationRevision{Name: "welcome-0a1b2c3d-1", Number: 1, Digest: digest}}
			article.Status.ObservedGeneration = article.Generation
			article.Status.Conditions = []metav1.Condition{condition(api.ConditionPublished, metav1.ConditionFalse, string(state))}
			Expect(admin.Status().Update(ctx, article)).To(Succeed(), string(state))
		}
	})

	It("does not have its spec changed by a write of its status", func(ctx SpecContext) {
		article := newArticle(workspace)
		Expect(admin.Create(ctx, article)).To(Succeed())
		article.Spec.Content.Markdown = "They slip."
		Expect(admin.Status().Update(ctx, article)).To(Succeed())
		Expect(admin.Get(ctx, client.ObjectKeyFromObject(article), article)).To(Succeed())
		Expect(article.Spec.Content.Markdown).To(Equal("They grip."))
	})
})
