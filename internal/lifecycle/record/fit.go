package record

import (
	"encoding/json"
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// outboxGrowth is room in a status, in bytes, for the outbox controller, which writes Dispatched in place of Pending.
const outboxGrowth = 64

// FitStatus drops the oldest transitions beyond v1alpha1.MaxTransitions. If status is then over MaxArticleStatusBytes, it drops the terms
// of the text, without which related articles are found less well, after them as many transitions as necessary, and then what differs in
// the CMS, the address of that post, what the site answered, which text it may have, the title of the one that it had, the names of
// revisions, and the messages of earlier attempts. The transitions of the outbox stay, without their texts. All other fields
// have bounds of their own.
func FitStatus(a *v1alpha1.Article) {
	dropTransitions(a, func() bool { return len(a.Status.Transitions) > v1alpha1.MaxTransitions })
	if a.Status.Revision != nil && a.Status.Revision.Terms != "" && tooLarge(a) {
		a.Status.Revision.Terms = ""
	}
	dropTransitions(a, func() bool { return tooLarge(a) })
	fitPublication(a)
	for i := range a.Status.Transitions {
		if !tooLarge(a) {
			return
		}
		a.Status.Transitions[i].By, a.Status.Transitions[i].Message = "", ""
	}
}

// fitPublication drops what a publication can do without while status is too large.
func fitPublication(a *v1alpha1.Article) {
	p := a.Status.Publication
	if p == nil {
		return
	}
	if p.Cycle != nil {
		fitCycle(a, p.Cycle)
	}
	if p.LastAnswer != nil && tooLarge(a) {
		p.LastAnswer.Snippet = ""
	}
	if p.Post.Maybe != nil && tooLarge(a) {
		p.Post.Maybe.Revision = nil
	}
	if p.Post.Revision != nil && tooLarge(a) {
		p.Post.Revision.Title, p.Post.Revision.SEOScore = "", nil
	}
	if p.Post.Revision != nil && tooLarge(a) {
		p.Post.Revision.Name = "" // lifecycle.NameOfRevision makes it again.
	}
	for i := 0; i < len(p.Attempts)-1 && tooLarge(a); i++ {
		p.Attempts[i].Message = ""
	}
}

// fitCycle drops what a delivery cycle can do without while status is too large.
func fitCycle(a *v1alpha1.Article, c *v1alpha1.DeliveryCycle) {
	for len(c.Differences) > 0 && tooLarge(a) {
		c.Differences = c.Differences[:len(c.Differences)-1]
	}
	if tooLarge(a) {
		c.ConflictURL = ""
	}
	if c.Revision != nil && tooLarge(a) {
		c.Revision.Name = "" // lifecycle.NameOfRevision makes it again.
	}
}

// dropTransitions drops the oldest transitions that are not in the outbox while there are too many.
func dropTransitions(a *v1alpha1.Article, tooMany func() bool) {
	for tooMany() {
		i := slices.IndexFunc(a.Status.Transitions, func(t v1alpha1.ArticleTransition) bool { return !inOutbox(a, &t) })
		if i < 0 {
			return
		}
		a.Status.Transitions = slices.Delete(a.Status.Transitions, i, i+1)
	}
}

// tooLarge reports whether an article's status leaves less room than the outbox may need.
func tooLarge(a *v1alpha1.Article) bool {
	return jsonBytes(&a.Status) >= v1alpha1.MaxArticleStatusBytes-outboxGrowth
}

// jsonBytes is the size of a part of an object in JSON.
func jsonBytes(v any) int {
	data, err := json.Marshal(v)
	if err != nil {
		return 0 // it always has a JSON form
	}
	return len(data)
}
