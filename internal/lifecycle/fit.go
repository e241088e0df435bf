package lifecycle

import (
	"encoding/json"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// outboxGrowth is room in a status, in bytes, for the outbox controller, which writes Dispatched in place of Pending.
const outboxGrowth = 64

// FitStatus drops the oldest transitions beyond v1alpha1.MaxTransitions. If status is then over MaxArticleStatusBytes, it drops the terms
// of the text, without which related articles are found less well, and after them as many transitions as necessary. All other fields
// have bounds of their own.
func FitStatus(a *v1alpha1.Article) {
	all := a.Status.Transitions
	a.Status.Transitions = all[max(len(all)-v1alpha1.MaxTransitions, 0):]
	if a.Status.Revision != nil && a.Status.Revision.Terms != "" && tooLarge(a) {
		a.Status.Revision.Terms = ""
	}
	for len(a.Status.Transitions) > 0 && tooLarge(a) {
		a.Status.Transitions = a.Status.Transitions[1:]
	}
}

// tooLarge reports whether an article's status leaves less room than the outbox may need.
func tooLarge(a *v1alpha1.Article) bool {
	return statusBytes(a) >= v1alpha1.MaxArticleStatusBytes-outboxGrowth
}

// statusBytes is the size of an article's status in JSON.
func statusBytes(a *v1alpha1.Article) int {
	data, err := json.Marshal(&a.Status)
	if err != nil {
		return 0 // a status always has a JSON form
	}
	return len(data)
}
