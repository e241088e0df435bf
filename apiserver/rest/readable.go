package rest

import "github.com/pressroom-dev/pressroom/api/v1alpha1"

// readable returns an article as far as the credential may read it. Operations that change an article answer with it; without the
// scope read, that is what the caller needs to go on, and nothing of the text, its author's or its reviewer's.
func (c *call) readable(body Article) Article {
	if c.principal.Has(v1alpha1.ScopeRead) {
		return body
	}
	return Article{
		Envelope: body.Envelope,
		ArticleSummary: ArticleSummary{
			ID: body.ID, UID: body.UID, Status: body.Status, CreatedAt: body.CreatedAt, UpdatedAt: body.UpdatedAt,
			PublishAt: body.PublishAt, Reasons: body.Reasons, SiteUID: body.SiteUID, RevisionDigest: body.RevisionDigest,
			PublishRequested: body.PublishRequested,
		},
		FAQ:               []FAQEntry{},
		Scores:            noScores(),
		SecondaryKeywords: []string{},
	}
}
