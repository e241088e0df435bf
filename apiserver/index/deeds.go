package index

import (
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Deeds say what somebody did to an article, over the REST API, the dashboard or /mcp.
type Deeds struct {
	// Created it; Changed it, as one of the last who did; Decided on its text: approved or rejected it last, or gave one of its approvals.
	Created, Changed, Decided bool
}

// DeedsOf returns what a person did to the article, or an API key with the apps that were let in with it. The person is an e-mail address,
// or api-key: and the id of a key.
func (a *Article) DeedsOf(person string) Deeds {
	o := a.Object
	is := func(recorded string) bool { return isBy(recorded, person) }
	d := Deeds{
		Created: is(o.Annotations[v1alpha1.CreatedByAnnotation]),
		Decided: o.Spec.Review != nil && is(o.Spec.Review.By) ||
			slices.ContainsFunc(o.Spec.Approvals, func(given v1alpha1.ArticleApproval) bool { return is(given.By) }),
	}
	for by := range strings.SplitSeq(o.Annotations[v1alpha1.ChangedByAnnotation], ",") {
		d.Changed = d.Changed || is(by)
	}
	return d
}

// isBy reports whether a recorded name is that of a person or of an API key, or of an app that one of them has let in. Decisions are
// recorded with the display name of a key before its id, in parentheses.
func isBy(recorded, person string) bool {
	if recorded == person || strings.HasSuffix(recorded, " ("+person+")") {
		return true
	}
	app, ok := strings.CutPrefix(recorded, person+" (app ")
	return ok && strings.HasSuffix(app, ")") && !strings.Contains(app, " ")
}
