package kinds

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"

	api "github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// edit is a change of an article's spec.
type edit struct {
	name   string
	stage  api.ArticleStage
	change func(*api.Article)
}

// edits are changes of every field that says what is published, and of those beside them.
func edits() []edit {
	return []edit{
		{
			name: "content changes", change: func(a *api.Article) { a.Spec.Content.Markdown = "They slip." },
		},
		{
			name: "content gets a field more", change: func(a *api.Article) { a.Spec.Content.Slug = "shoes" },
		},
		{
			name: "content goes", change: func(a *api.Article) { a.Spec.Content = nil },
		},
		{
			name: "generate changes", change: func(a *api.Article) { a.Spec.Generate.Keyword = "road shoes" },
		},
		{
			name: "generate gets a field more", change: func(a *api.Article) { a.Spec.Generate.Tone = "dry" },
		},
		{
			name: "generate goes", change: func(a *api.Article) { a.Spec.Generate = nil },
		},
		{
			name: "stage becomes Draft", change: func(a *api.Article) { a.Spec.Stage = api.StageDraft },
		},
		{
			name: "stage becomes Review", change: func(a *api.Article) { a.Spec.Stage = api.StageReview },
		},
		{
			name: "stage becomes Archived", change: func(a *api.Article) { a.Spec.Stage = api.StageArchived },
		},
		{
			name: "stage returns from Archived", stage: api.StageArchived,
			change: func(a *api.Article) { a.Spec.Stage = api.StagePublished },
		},
		{
			name: "publishAfter changes", change: func(a *api.Article) { a.Spec.PublishAfter = &api.Time{Time: now} },
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

// published returns an article of which the site has this much.
func published(state api.PostPresence, stage api.ArticleStage) *api.Article {
	article := newArticle(workspace)
	article.Spec.Stage = stage
	article.Status.ObservedGeneration = 1
	article.Status.Publication = &api.Publication{Post: api.SitePost{
		State: state, Revision: &api.PublicationRevision{Name: "welcome-0a1b2c3d-1", Number: 1, Digest: digest},
	}}
	return article
}

// What was valid yesterday must be valid today, or one changed article stops everything that a GitOps tool applies with it: what a change
// does is decided by the controller.
var _ = Describe("An article", func() {
	DescribeTable("accepts each change of its manifest, whatever its status says", func(ctx SpecContext, state api.PostPresence) {
		for _, e := range edits() {
			stage := e.stage
			if stage == "" {
				stage = api.StagePublished
			}
			u := update{name: fmt.Sprintf("%s: %s", state, e.name), from: published(state, stage), change: to(e.change)}
			expectAnswer(attempt(ctx, u), u)
		}
	},
		Entry("Uncertain", api.PostUncertain),
		Entry("Present", api.PostPresent),
	)
})
