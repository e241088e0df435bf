package lifecycle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/grant"
)

// Approvals say how many people must approve the current revision of an article, and who has.
type Approvals struct {
	// Required is how many people must approve, 1 to 5.
	Required int
	// Given are the names of those who have, each once: that of spec.review last.
	Given []string
}

// Missing is how many people must approve yet; 0 if nobody must.
func (a Approvals) Missing() int { return max(0, a.Required-len(a.Given)) }

// String says how many have approved, and who: "1 of 2 approvals: mara@acme.example".
func (a Approvals) String() string {
	text := fmt.Sprintf("%d of %d approvals", len(a.Given), a.Required)
	if len(a.Given) == 0 {
		return text
	}
	return text + ": " + strings.Join(a.Given, ", ")
}

// ApprovalsOf counts the people who have approved the current revision of an article. A rejection is not counted here. site is nil if it is
// not known; one approval is required then. A text that the site has, or is being sent, is asked for no more approvals than it has.
func ApprovalsOf(a *v1alpha1.Article, site *v1alpha1.Site) Approvals {
	out := Approvals{Required: 1}
	if site != nil {
		out.Required = cmp.Or(int(site.Spec.Review.Approvals), 1)
	}
	for _, approval := range counted(a, site) {
		out.Given = append(out.Given, approval.By)
	}
	if given := len(out.Given); given > 0 && sent(a) {
		out.Required = min(out.Required, given)
	}
	return out
}

// counted returns the approvals of the current revision, one for each person: that of spec.review last. Who rejects it has not approved it.
func counted(a *v1alpha1.Article, site *v1alpha1.Site) []v1alpha1.ArticleApproval {
	revision, review := a.Status.Revision, a.Spec.Review
	if revision == nil {
		return nil
	}
	decided := review != nil && reviewCovers(a, site, review, revision)
	var out []v1alpha1.ArticleApproval
	for _, entry := range a.Spec.Approvals {
		again := decided && samePerson(review.By, entry.By) ||
			slices.ContainsFunc(out, func(other v1alpha1.ArticleApproval) bool { return samePerson(other.By, entry.By) })
		if !again && reviewCovers(a, site, asReview(entry), revision) {
			out = append(out, entry)
		}
	}
	if counts(a, site, review) {
		out = append(out, v1alpha1.ArticleApproval{By: review.By, Digest: review.Digest, Note: review.Note})
	}
	return out
}

// asReview returns an approval as if it were the only one.
func asReview(entry v1alpha1.ArticleApproval) *v1alpha1.ArticleReview {
	return &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionApproved, By: entry.By, Digest: entry.Digest, Note: entry.Note}
}

// samePerson reports whether two names are those of one person, who counts once with all their apps and under all names of a key.
func samePerson(one, other string) bool { return grant.PersonBehind(one) == grant.PersonBehind(other) }

func indexOf(approvals []v1alpha1.ArticleApproval, by string) int {
	return slices.IndexFunc(approvals, func(entry v1alpha1.ArticleApproval) bool { return entry.By == by })
}

// sent reports whether the current revision is what the site has, or is being sent.
func sent(a *v1alpha1.Article) bool {
	if LiveIsCurrent(a) {
		return true
	}
	revision, cycle := a.Status.Revision, CycleOf(a)
	return revision != nil && DeliveryInProgress(a) != nil && cycle.Revision != nil && cycle.Revision.Digest == revision.Digest
}

// LastApproval returns the decision by which the current revision is approved: spec.review, or the last of spec.approvals if that is enough
// since the Site asks for fewer. It is nil if no person has approved the revision.
func LastApproval(a *v1alpha1.Article, site *v1alpha1.Site) *v1alpha1.ArticleReview {
	all := counted(a, site)
	if len(all) == 0 || ReviewOf(a, site) != ReviewApproved {
		return nil
	}
	return asReview(all[len(all)-1])
}

// Approve writes into spec that somebody approves the current revision, and reports whether that changes anything. While approvals of other
// people are missing, it adds or replaces the entry of that person in spec.approvals; the last approval is spec.review, in place of a
// rejection too. Where the Site asks for several, nothing changes if that person has approved the revision, or enough others have. Nothing
// changes of what the site has or is being sent. The article has a current revision (CheckAction).
func Approve(a *v1alpha1.Article, site *v1alpha1.Site, by, note string) bool {
	if NothingToReview(a, site) || addsNothing(a, site, by) {
		return false
	}
	approval := v1alpha1.ArticleApproval{By: by, Digest: a.Status.Revision.Digest, Note: note}
	missing, review := ApprovalsOf(a, site).Missing(), a.Spec.Review
	switch {
	case ReviewOf(a, site) == ReviewRejected && review.By == by:
	case missing > 1, missing == 1 && counts(a, site, review):
		addApproval(a, approval)
		return true
	case review != nil && sameDecision(*review, *asReview(approval)):
		return false
	}
	a.Spec.Review = asReview(approval)
	return true
}

// addsNothing reports whether the approvals stay as they are if somebody approves: that person has an entry, or none is missing where the
// Site asks for several.
func addsNothing(a *v1alpha1.Article, site *v1alpha1.Site, by string) bool {
	approvals, review := ApprovalsOf(a, site), a.Spec.Review
	has := slices.ContainsFunc(approvals.Given, func(name string) bool { return samePerson(name, by) })
	missing := approvals.Missing()
	if ReviewOf(a, site) == ReviewRejected {
		return has && missing > 0
	}
	entry := has && (review == nil || !samePerson(review.By, by))
	return entry || approvals.Required > 1 && (has || missing == 0)
}

// counts reports whether a decision is an approval of the current revision.
func counts(a *v1alpha1.Article, site *v1alpha1.Site, r *v1alpha1.ArticleReview) bool {
	return r != nil && r.Decision == v1alpha1.DecisionApproved && reviewCovers(a, site, r, a.Status.Revision)
}

// sameDecision reports whether two decisions differ only in the person. The one who was first stays recorded.
func sameDecision(one, other v1alpha1.ArticleReview) bool {
	one.By = other.By
	return one == other
}

// addApproval adds an approval to the entries in place of that of the same person. If there are too many entries, it replaces one of
// another text.
func addApproval(a *v1alpha1.Article, approval v1alpha1.ArticleApproval) {
	at := indexOf(a.Spec.Approvals, approval.By)
	if at < 0 && len(a.Spec.Approvals) >= v1alpha1.MaxApprovals {
		at = slices.IndexFunc(a.Spec.Approvals, func(entry v1alpha1.ArticleApproval) bool {
			return entry.Digest != "" && entry.Digest != approval.Digest
		})
	}
	if at < 0 {
		a.Spec.Approvals = append(a.Spec.Approvals, approval)
	} else {
		a.Spec.Approvals[at] = approval
	}
}

// Reject writes into spec that somebody rejects the current revision, and reports whether that changes anything. It takes back the approval
// of that person. The article has a current revision that may be rejected (CheckAction).
func Reject(a *v1alpha1.Article, by, note string) bool {
	rejection := v1alpha1.ArticleReview{Decision: v1alpha1.DecisionRejected, By: by, Digest: a.Status.Revision.Digest, Note: note}
	at := indexOf(a.Spec.Approvals, by)
	repeated := a.Spec.Review != nil && sameDecision(*a.Spec.Review, rejection)
	if repeated && at < 0 {
		return false
	}
	if at >= 0 {
		a.Spec.Approvals = slices.Delete(a.Spec.Approvals, at, at+1)
	}
	if !repeated {
		a.Spec.Review = &rejection
	}
	return true
}
