package article

import (
	"cmp"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/maker"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// PresentSummary returns the article as in lists (docs/reference/contract.md, Article summary).
func PresentSummary(c *operation.Call, i index.Article) ArticleSummary {
	a, site := i.Object, siteOrNil(c.Core, i.Object)
	why := lifecycle.Explain(a, site, c.Core.Clock.Now())
	out := ArticleSummary{
		ID: i.ID, UID: i.UID, Status: strings.ToLower(string(i.Phase)), Title: i.Title(), Slug: i.Slug(), TargetKeyword: i.Keyword(),
		CreatedAt: operation.Milliseconds(identity.RecordTime(i.ID)), UpdatedAt: operation.Milliseconds(i.UpdatedAt()),
		PublishAt: publishAt(a),
		Reasons:   reasons(a), Review: presentReview(a.Spec.Review), Approvals: presentApprovals(a, site),
		SiteUID: i.SiteUID, StatusMessage: message(why), StatusReason: operation.SnakeCase(why.Reason),
		StatusDetail: presentDetail(c, i, why),
		Actions:      presentActions(c, a), Progress: presentProgress(a.Status.Run),
		Publication: presentPublication(a.Status.Publication), PublishRequested: a.Spec.Stage == v1alpha1.StagePublished,
		UnpublishRequested: lifecycle.Unpublishing(a), RedeliverRequested: lifecycle.RedeliveryRequested(a),
	}
	if r := a.Status.Revision; r != nil {
		out.SEOScore = new(r.SEOScore)
		if !edited(a, site) {
			out.RevisionDigest, out.UnsupportedClaims = r.Digest, r.UnsupportedClaims
		}
	}
	if lifecycle.Pending(a, site) {
		live := lifecycle.Have(a).Revision
		out.RevisionDigest, out.SEOScore = live.Digest, cmp.Or(live.SEOScore, out.SEOScore)
		out.Pending, out.UnsupportedClaims = pending(a, site, c.Core.Clock.Now()), nil
	}
	if lifecycle.Published(a) {
		out.Disclosure = lifecycle.DisclosureNames[lifecycle.Have(a).Revision.Disclosure]
	}
	if p := lifecycle.Have(a); p.UnpublishTime != nil {
		out.UnpublishedAt = operation.WhenOrNull(p.UnpublishTime)
	} else {
		out.PublishedURL = p.URL
		out.PublishedAt, out.PostUpdatedAt = operation.WhenOrNull(p.PublishTime), operation.WhenOrNull(p.UpdateTime)
	}
	return out
}

// pending returns the text of a published article that its site does not have yet.
func pending(a *v1alpha1.Article, site *v1alpha1.Site, now time.Time) *PendingText {
	r := a.Status.Revision
	out := &PendingText{Status: strings.ToLower(string(lifecycle.TextPhase(a, site, now))), Title: r.Title}
	switch written := a.Spec.Content; {
	case !edited(a, site) && r.Digest != lifecycle.Have(a).Revision.Digest:
		out.RevisionDigest, out.SEOScore, out.UnsupportedClaims = r.Digest, new(r.SEOScore), r.UnsupportedClaims
	case written != nil && written.Title != "":
		out.Title = written.Title
	}
	return out
}

// publishAt is the time that publication was asked for, if it is asked for at all.
func publishAt(a *v1alpha1.Article) *string {
	at := lifecycle.NotBefore(a)
	if at.IsZero() || a.Spec.Stage != v1alpha1.StagePublished {
		return nil
	}
	return new(operation.Milliseconds(at))
}

// reasons are those of the conditions that are about the newest spec.
func reasons(a *v1alpha1.Article) ArticleReasons {
	of := func(condition string) string {
		c := meta.FindStatusCondition(a.Status.Conditions, condition)
		if c == nil || c.ObservedGeneration != a.Generation {
			return ""
		}
		return operation.SnakeCase(c.Reason)
	}
	return ArticleReasons{
		Ready: of(v1alpha1.ConditionReady), Generated: of(v1alpha1.ConditionGenerated),
		Approved: of(v1alpha1.ConditionApproved), Published: of(v1alpha1.ConditionPublished),
	}
}

func presentReview(r *v1alpha1.ArticleReview) *ArticleReview {
	if r == nil {
		return nil
	}
	return &ArticleReview{Decision: strings.ToLower(string(r.Decision)), By: r.By, Note: r.Note, Digest: r.Digest}
}

func presentApprovals(a *v1alpha1.Article, site *v1alpha1.Site) ArticleApprovals {
	counted := lifecycle.ApprovalsOf(a, site)
	return ArticleApprovals{Required: counted.Required, Given: append([]string{}, counted.Given...)}
}

func present(c *operation.Call, i Item, current *Text) Article {
	a := i.Object
	out := Article{
		Envelope: operation.Succeeded, ArticleSummary: PresentSummary(c, i.Article),
		Content: PresentContent(content.Document{}, "", nil), SecondaryKeywords: []string{},
		Grounding: presentGrounding(c.Core, a.Namespace, current),
	}
	if asked := a.Spec.Generate; asked != nil {
		out.SecondaryKeywords, out.Tone = append(out.SecondaryKeywords, asked.SecondaryKeywords...), asked.Tone
		out.Instructions = asked.Instructions
		if asked.BriefRef != nil {
			out.BriefUID = new(operation.BriefUIDOf(a.Namespace, asked.BriefRef))
		}
	}
	out.RevisionDigest, out.UnsupportedClaims = "", unsupported(a, current)
	if current == nil {
		return out
	}
	d := current.Document
	if written := a.Spec.Content; current.Digest == "" && written != nil && !lifecycle.Published(a) {
		out.Slug = cmp.Or(written.Slug, out.Slug)
	}
	out.Title, out.ContentMarkdown, out.RevisionDigest = d.Title, d.Markdown, current.Digest
	out.Content = PresentContent(d, current.html, current.scores)
	if current.scores == nil {
		// It is what the manifest gives.
		out.SEOScore, out.TextMaker = nil, presentMaker(maker.Editor(a))
		return out
	}
	out.Generator, out.TextMaker = presentGenerator(current.generator), presentMaker(current.madeBy)
	out.MadeAt = new(operation.Milliseconds(current.created))
	return out
}

func presentMaker(m *v1alpha1.RevisionMaker) TextMaker {
	if m == nil {
		return TextMaker{}
	}
	out := TextMaker{MadeBy: m.Name, MadeWith: m.Manager}
	if m.Restored > 0 {
		out.RestoredFrom = new(int64(m.Restored))
	}
	return out
}

func presentGenerator(g *v1alpha1.GeneratorRecord) *TextGenerator {
	if g == nil {
		return nil
	}
	return &TextGenerator{
		Type: strings.ToLower(string(g.Type)), Model: g.Model, PromptVersion: g.PromptVersion, Turns: g.Turns, Repairs: g.Repairs,
		InputTokens: g.InputTokens, CachedTokens: g.CachedTokens, OutputTokens: g.OutputTokens,
		Cost: (*TokenCost)(g.Cost),
	}
}

// PresentContent returns what a text has beside its title and its Markdown. The scores are nil while there are none.
func PresentContent(d content.Document, html string, scores *v1alpha1.Scores) Content {
	out := Content{
		ContentHTML: html, MetaTitle: d.MetaTitle, MetaDescription: d.MetaDescription, FAQ: make([]FAQEntry, 0, len(d.FAQ)),
		PostFields: PostFields{Tags: append([]string{}, d.Tags...), Category: d.Category, Author: d.Author}, Scores: presentScores(scores),
	}
	for _, f := range d.FAQ {
		out.FAQ = append(out.FAQ, FAQEntry(f))
	}
	if i := d.Image; i != nil {
		out.Image = &Picture{i.URL, i.Alt, i.Credit, i.SHA256, i.Type, i.Width, i.Height, i.Bytes}
	}
	return out
}

// scoresVersion numbers the checks for clients.
const scoresVersion = 2

// presentScores returns the scores of a text as the REST API shows them; empty ones if there are none.
func presentScores(in *v1alpha1.Scores) Scores {
	out := Scores{Groups: []ScoreGroup{}, Checks: []ScoreCheck{}}
	if in == nil {
		return out
	}
	out.Version, out.SEOScore = scoresVersion, new(in.SEOScore)
	for _, g := range revision.GroupScores(in) {
		out.Groups = append(out.Groups, ScoreGroup{Name: strings.ToLower(string(g.Group)), Score: g.Score})
	}
	for _, f := range revision.Findings(in) {
		most := points(f.MaxPoints)
		out.Checks = append(out.Checks, ScoreCheck{
			Name: f.Check, Group: strings.ToLower(string(f.Group)), Result: string(f.Result), Points: points(f.Points), MaxPoints: most,
			Weight: most, Message: f.Message,
		})
	}
	return out
}

// points keeps the points of a check within the bounds of the answer.
func points(n int) int32 { return int32(min(max(n, -100), 100)) }

// readable returns what the credential may read of an article. Operations that change an article answer with it; without the
// scope read, that is what the caller needs to go on, and nothing of the text, its author's or its reviewer's.
func readable(c *operation.Call, body Article) Article {
	if c.Principal.Has(v1alpha1.ScopeRead) {
		return body
	}
	return Article{
		Envelope: body.Envelope,
		ArticleSummary: ArticleSummary{
			ID: body.ID, UID: body.UID, Status: body.Status, CreatedAt: body.CreatedAt, UpdatedAt: body.UpdatedAt,
			PublishAt: body.PublishAt, Reasons: body.Reasons,
			Approvals: ArticleApprovals{Required: body.Approvals.Required, Given: []string{}},
			SiteUID:   body.SiteUID, RevisionDigest: body.RevisionDigest,
			PublishRequested: body.PublishRequested, UnpublishRequested: body.UnpublishRequested,
			RedeliverRequested: body.RedeliverRequested, StatusReason: body.StatusReason, Actions: body.Actions,
		},
		Content: PresentContent(content.Document{}, "", nil), SecondaryKeywords: []string{}, Grounding: Grounding{Claims: []Claim{}},
	}
}
