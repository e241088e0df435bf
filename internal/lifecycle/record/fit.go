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
// the CMS, the address of that post, and what the site answered. The transitions of the outbox stay, without their texts. All other fields
// have bounds of their own.
func FitStatus(a *v1alpha1.Article) {
	dropTransitions(a, func() bool { return len(a.Status.Transitions) > v1alpha1.MaxTransitions })
	if a.Status.Revision != nil && a.Status.Revision.Terms != "" && tooLarge(a) {
		a.Status.Revision.Terms = ""
	}
	dropTransitions(a, func() bool { return tooLarge(a) })
	if p := a.Status.Publication; p != nil {
		for len(p.Differences) > 0 && tooLarge(a) {
			p.Differences = p.Differences[:len(p.Differences)-1]
		}
		if tooLarge(a) {
			p.ConflictURL = ""
		}
		if p.LastAnswer != nil && tooLarge(a) {
			p.LastAnswer.Snippet = ""
		}
	}
	for i := range a.Status.Transitions {
		if !tooLarge(a) {
			return
		}
		a.Status.Transitions[i].By, a.Status.Transitions[i].Message = "", ""
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
