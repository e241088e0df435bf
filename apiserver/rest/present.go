package rest

import (
	"cmp"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/publish/eventhook"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// item is an article with what is derived from it. It comes from the index or from kube-apiserver.
type item struct {
	index.Article
	// live is true if the object was read from kube-apiserver: it has the author's text then.
	live bool
}

func liveItem(a *v1alpha1.Article, now time.Time) item {
	uid := identity.UID(identity.KindArticle, a.Namespace, a.Name)
	return item{live: true, Article: index.Article{
		ID:      identity.RecordID(uid, a.CreatedAt()),
		UID:     uid,
		SiteUID: identity.UID(identity.KindSite, a.Namespace, a.Spec.SiteRef.Name),
		Phase:   lifecycle.Phase(a, now),
		Object:  a,
	}}
}

// presentSummary returns the article as in lists (contract, section 2).
func presentSummary(i index.Article) ArticleSummary {
	a := i.Object
	out := ArticleSummary{
		ID: i.ID, UID: i.UID, Status: strings.ToLower(string(i.Phase)), Title: i.Title(), Slug: i.Slug(), TargetKeyword: i.Keyword(),
		CreatedAt: milliseconds(identity.RecordTime(i.ID)), UpdatedAt: milliseconds(lifecycle.UpdatedAt(a)), PublishAt: publishAt(a),
		Reasons: reasons(a), Review: presentReview(a.Spec.Review),
		SiteUID: i.SiteUID, StatusMessage: statusMessage(a), Progress: presentProgress(a.Status.Run),
		Publication: presentPublication(a.Status.Publication), PublishRequested: a.Spec.Stage == v1alpha1.StagePublished,
	}
	if r := a.Status.Revision; r != nil {
		out.SEOScore = new(r.SEOScore)
		if !edited(a) {
			out.RevisionDigest = r.Digest
		}
	}
	if p := a.Status.Publication; p != nil {
		out.PublishedURL = p.URL
		out.PublishedAt = whenOrNull(p.PublishTime)
	}
	return out
}

// publishAt is the time that publication was asked for, if it is asked for at all.
func publishAt(a *v1alpha1.Article) *string {
	if a.Spec.PublishAfter == nil || a.Spec.Stage != v1alpha1.StagePublished {
		return nil
	}
	return new(milliseconds(a.Spec.PublishAfter.Time))
}

// reasons are those of the conditions that are about the newest spec.
func reasons(a *v1alpha1.Article) Reasons {
	of := func(condition string) string {
		c := meta.FindStatusCondition(a.Status.Conditions, condition)
		if c == nil || c.ObservedGeneration != a.Generation {
			return ""
		}
		return snakeCase(c.Reason)
	}
	return Reasons{
		Ready: of(v1alpha1.ConditionReady), Generated: of(v1alpha1.ConditionGenerated),
		Approved: of(v1alpha1.ConditionApproved), Published: of(v1alpha1.ConditionPublished),
	}
}

func presentReview(r *v1alpha1.ArticleReview) *Review {
	if r == nil {
		return nil
	}
	return &Review{Decision: strings.ToLower(string(r.Decision)), By: r.By, Note: r.Note, Digest: r.Digest}
}

// milliseconds formats a time as the contract says, in answers as in events.
func milliseconds(t time.Time) string {
	return eventhook.Time(t)
}

// timeOrNull formats a time in an answer: null for the zero time.
func timeOrNull(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return new(milliseconds(t))
}

// whenOrNull formats a time of an object in an answer: null if it is not set.
func whenOrNull(t *metav1.MicroTime) *string {
	if t == nil {
		return nil
	}
	return timeOrNull(t.Time)
}

// scopeNames returns scopes as answers have them.
func scopeNames(scopes []v1alpha1.Scope) []string { return strings.Fields(oauth.ScopeText(scopes)) }

// present returns the full article, with its text if there is one.
func present(i item, current *text) Article {
	a := i.Object
	out := Article{
		Envelope: succeeded, ArticleSummary: presentSummary(i.Article),
		FAQ: []FAQEntry{}, Scores: noScores(), SecondaryKeywords: []string{},
	}
	if asked := a.Spec.Generate; asked != nil {
		out.SecondaryKeywords, out.Tone = append(out.SecondaryKeywords, asked.SecondaryKeywords...), asked.Tone
	}
	out.RevisionDigest = ""
	if current == nil {
		return out
	}
	d := current.document
	if c := a.Spec.Content; current.digest == "" && c != nil {
		out.Slug = cmp.Or(c.Slug, out.Slug)
	}
	out.Title, out.ContentMarkdown, out.ContentHTML = d.Title, d.Markdown, current.html
	out.MetaTitle, out.MetaDescription, out.FAQ = d.MetaTitle, d.MetaDescription, presentFAQ(d.FAQ)
	out.RevisionDigest = current.digest
	if current.scores == nil {
		out.SEOScore = nil
		return out
	}
	out.Scores, out.Generator = presentScores(*current.scores), presentGenerator(current.generator)
	return out
}

func presentGenerator(g *v1alpha1.GeneratorRecord) *Generator {
	if g == nil {
		return nil
	}
	return &Generator{
		Type: strings.ToLower(string(g.Type)), Model: g.Model, PromptVersion: g.PromptVersion, Turns: g.Turns, Repairs: g.Repairs,
		InputTokens: g.InputTokens, CachedTokens: g.CachedTokens, OutputTokens: g.OutputTokens,
		Cost: presentCost(g.Cost),
	}
}

func presentCost(c *v1alpha1.Cost) *Cost {
	if c == nil {
		return nil
	}
	return &Cost{Amount: c.Amount, Currency: c.Currency}
}

// statusMessage is the controller's message, if it is about the newest spec.
func statusMessage(a *v1alpha1.Article) string {
	ready := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionReady)
	if ready == nil || ready.ObservedGeneration != a.Generation {
		return ""
	}
	return ready.Message
}

func presentFAQ(in []v1alpha1.FAQ) []FAQEntry {
	out := make([]FAQEntry, 0, len(in))
	for _, f := range in {
		out = append(out, FAQEntry{Question: f.Question, Answer: f.Answer})
	}
	return out
}

// scoresVersion numbers the checks for clients.
const scoresVersion = 2

// noScores are those of an article without a text.
func noScores() Scores { return Scores{Groups: []ScoreGroup{}, Checks: []Check{}} }

func presentScores(in v1alpha1.Scores) Scores {
	out := Scores{Version: scoresVersion, SEOScore: new(in.SEOScore), Groups: []ScoreGroup{}, Checks: []Check{}}
	for _, g := range revision.GroupScores(&in) {
		out.Groups = append(out.Groups, ScoreGroup{Name: strings.ToLower(string(g.Group)), Score: g.Score})
	}
	for _, f := range revision.Findings(&in) {
		most := points(f.MaxPoints)
		out.Checks = append(out.Checks, Check{
			Name: f.Check, Group: strings.ToLower(string(f.Group)), Result: string(f.Result), Points: points(f.Points), MaxPoints: most,
			Weight: most, Message: f.Message,
		})
	}
	return out
}

// points keeps the points of a check within the bounds of the answer.
func points(n int) int32 { return int32(min(max(n, -100), 100)) }
