package article

import (
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

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
			PublishAt: body.PublishAt, Reasons: body.Reasons, SiteUID: body.SiteUID, RevisionDigest: body.RevisionDigest,
			PublishRequested: body.PublishRequested, StatusReason: body.StatusReason, Actions: body.Actions,
		},
		FAQ:               []FAQEntry{},
		Scores:            noScores(),
		SecondaryKeywords: []string{},
	}
}
