package operationtest

import (
	"fmt"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/record"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// Edited changes the author's content in kube-apiserver and in the index, as after a PATCH that no controller has seen.
func (api *API) Edited(a *v1alpha1.Article, c *v1alpha1.ArticleContent) *v1alpha1.Article {
	api.T.Helper()
	b := a.DeepCopy()
	b.ResourceVersion, b.Spec.Content = "2", c
	api.Objects.Articles[client.ObjectKeyFromObject(b)] = b
	cached, err := api.Index.Transform()(b.DeepCopy())
	if err != nil {
		api.T.Fatal(err)
	}
	api.Index.Handlers().Articles.OnUpdate(a, cached)
	return b
}

// InDelivery is an article of which a delivery has come to a state.
func (api *API) InDelivery(n int, state v1alpha1.CycleState, attempt, status int32) *v1alpha1.Article {
	api.T.Helper()
	return api.Article(func(a *v1alpha1.Article) {
		Aged(a, n)
		p := &v1alpha1.Publication{Post: v1alpha1.SitePost{State: v1alpha1.PostUncertain}}
		p.Cycle = &v1alpha1.DeliveryCycle{Number: 2, State: state, Reason: "ReceiverRejected", Purpose: v1alpha1.PurposePut}
		p.Attempts = []v1alpha1.DeliveryAttempt{
			{Cycle: 1, Number: 4}, {Cycle: 2, Number: attempt, AttemptResult: v1alpha1.AttemptResult{HTTPStatus: status}},
		}
		if state == v1alpha1.CycleRetryScheduled {
			p.Cycle.NextAttemptTime = &v1alpha1.MicroTime{Time: Began.Add(time.Minute)}
		}
		a.Status.Publication = p
	})
}

// Aged names an article, so that those with higher numbers are younger.
func Aged(a *v1alpha1.Article, n int) {
	a.Name = fmt.Sprintf("0198f0a1-%04x-7000-8000-00000000beef", n)
}

// Published is an article with a revision that the receiver has accepted.
func (api *API) Published() *v1alpha1.Article {
	api.T.Helper()
	doc := content.Document{
		Title: "Shoes & trails", Markdown: "Some *text* <script>x</script>.", MetaTitle: "Meta", MetaDescription: "Description",
		FAQ: []v1alpha1.FAQ{{Question: "Why?", Answer: "Because."}},
	}
	return api.Article(func(a *v1alpha1.Article) {
		name := identity.RevisionName(a.Name, a.Name, 1)
		rev := revision.New(a, doc, revision.Origin{Name: name, Number: 1, Source: v1alpha1.SourceGenerated})
		rev.CreationTimestamp = metav1.NewTime(Began)
		rev.Spec.Scores = v1alpha1.Scores{
			SEOScore: 80, StyleScore: new(int32(100)),
			Passed:        []string{"SEO/keyphrase-in-slug 9/9: the slug has the keyword", "Gate/language: it is English"},
			Failed:        []string{"SEO/outbound-links -3/9: there is no link: add one"},
			NotApplicable: []string{"SEO/keyphrase-density: there is no keyword"},
		}
		api.Objects.Revisions = map[client.ObjectKey]*v1alpha1.ArticleRevision{client.ObjectKeyFromObject(rev): rev}
		at := v1alpha1.NewMicroTime(Began)
		a.Spec.Stage = v1alpha1.StagePublished
		a.Status = v1alpha1.ArticleStatus{
			Slug: "shoes-trails",
			Revision: &v1alpha1.CurrentRevision{
				Name: name, Number: 1, Digest: doc.Digest(), Title: doc.Title, Source: v1alpha1.SourceGenerated, SEOScore: 80,
			},
			Publication: &v1alpha1.Publication{Post: v1alpha1.SitePost{
				State: v1alpha1.PostPresent, PublishTime: &at, URL: "https://blog.example.com/shoes",
				Revision: &v1alpha1.PublicationRevision{Name: name, Number: 1, Digest: doc.Digest()},
			}},
			Observed: v1alpha1.Observed{Conditions: []metav1.Condition{
				{Type: v1alpha1.ConditionReady, Status: metav1.ConditionTrue, Reason: "Delivered", Message: "accepted by the receiver"},
			}},
		}
	})
}

// TextOf is the text of a revision with this number in its title.
func TextOf(number int64) content.Document {
	return content.Document{Title: "Text " + strconv.FormatInt(number, 10), Slug: "proposed", Markdown: "Some *text*."}
}

// WithRevisions is an article whose texts were made under these numbers, each of them kept or dropped as the controller does.
func (api *API) WithRevisions(numbers ...int32) *v1alpha1.Article {
	api.T.Helper()
	api.Objects.Revisions = map[client.ObjectKey]*v1alpha1.ArticleRevision{}
	return api.Article(func(a *v1alpha1.Article) {
		a.Spec.Review = &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionRejected, By: "Mara", Digest: TextOf(5).Digest(), Note: "no"}
		for _, n := range numbers {
			source := v1alpha1.SourceWritten
			if n == numbers[0] {
				source = v1alpha1.SourceGenerated
			}
			rev := revision.New(a, TextOf(int64(n)), revision.Origin{
				Name: identity.RevisionName(a.Name, a.Name, n), Number: n, Source: source,
				Scores: revision.Score(TextOf(int64(n)), check.Input{}),
			})
			api.Objects.Revisions[client.ObjectKeyFromObject(rev)] = rev
			record.MakeCurrent(a, v1alpha1.CurrentRevision{
				Name: rev.Name, Number: n, Digest: rev.Spec.Digest, Title: rev.Spec.Title, Source: source,
			})
		}
	})
}

// WithPost is an article that a CMS has.
func (api *API) WithPost(changes ...func(*v1alpha1.Article)) *v1alpha1.Article {
	api.T.Helper()
	a := api.WithPending()
	p := a.Status.Publication
	p.Post.ContentHash, p.Post.URL = "0123456789abcdef", "https://blog.example.com/text"
	p.Cycle = &v1alpha1.DeliveryCycle{
		Number: 1, State: v1alpha1.CycleAccepted, Purpose: v1alpha1.PurposePut, Revision: p.Post.Revision.DeepCopy(),
	}
	for _, change := range changes {
		change(a)
	}
	api.Indexed(a)
	return a
}

// TakenBack is unpublished, while its stage asks for publication.
func TakenBack(a *v1alpha1.Article) {
	p := a.Status.Publication
	p.Post.State, p.Post.UnpublishTime = v1alpha1.PostAbsent, new(v1alpha1.NewMicroTime(Began.Add(time.Hour)))
	p.Hold = v1alpha1.HoldRequested
	p.Cycle = &v1alpha1.DeliveryCycle{Number: 2, State: v1alpha1.CycleAccepted, Purpose: v1alpha1.PurposeRemove, RequestNonce: "1"}
}

// SiteWith changes the site.
func (api *API) SiteWith(change func(*v1alpha1.Site)) {
	s := api.Site(Workspace, SiteUID).DeepCopy()
	change(s)
	api.Index.Handlers().Sites.OnAdd(s, false)
}

// WordPress makes the CMS of a site WordPress.
func WordPress(s *v1alpha1.Site) {
	s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSWordPress, WordPress: &v1alpha1.WordPressConnection{URL: "https://blog.example.com"}}
}

// WithPending is an article whose site has revision 1, and whose revision 2 waits for a reviewer.
func (api *API) WithPending() *v1alpha1.Article {
	api.T.Helper()
	a := api.WithRevisions(1)
	live := a.Status.Revision
	a.Spec.Stage, a.Spec.Review = v1alpha1.StagePublished, nil
	a.Status.Slug = "text"
	a.Status.Run = &v1alpha1.GenerationRun{State: v1alpha1.RunSucceeded, RequestHash: lifecycle.RequestHash(a.Spec.Generate)}
	a.Status.Publication = &v1alpha1.Publication{Post: v1alpha1.SitePost{
		State: v1alpha1.PostPresent, PublishTime: new(v1alpha1.NewMicroTime(Began)),
		Revision: &v1alpha1.PublicationRevision{Name: live.Name, Number: 1, Digest: live.Digest},
	}}
	api.SiteWith(func(s *v1alpha1.Site) { s.Spec.Publishing.Updates = v1alpha1.UpdatesReviewed })
	api.addRevision(a, 2)
	return a
}

// addRevision makes a written revision of a number current.
func (api *API) addRevision(a *v1alpha1.Article, number int32) {
	api.T.Helper()
	rev := revision.New(a, TextOf(int64(number)), revision.Origin{
		Name: identity.RevisionName(a.Name, a.Name, number), Number: number, Source: v1alpha1.SourceWritten,
	})
	api.Objects.Revisions[client.ObjectKeyFromObject(rev)] = rev
	a.Spec.Content = &v1alpha1.ArticleContent{Title: rev.Spec.Title, Markdown: rev.Spec.Markdown, Slug: rev.Spec.Slug}
	record.MakeCurrent(a, v1alpha1.CurrentRevision{
		Name: rev.Name, Number: number, Digest: rev.Spec.Digest, Title: rev.Spec.Title, Source: v1alpha1.SourceWritten,
		ContentHash: lifecycle.ContentHash(a.Spec.Content),
	})
	a.ResourceVersion = strconv.Itoa(int(number))
	api.Indexed(a)
}

// Stored is an article as kube-apiserver has it.
func (api *API) Stored(a *v1alpha1.Article) *v1alpha1.Article {
	return api.Objects.Articles[client.ObjectKeyFromObject(a)]
}
