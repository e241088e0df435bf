package articles

import (
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
)

// bulkAction is an operation that can be done with many articles of the list.
type bulkAction struct {
	// Name of the operation in bulk-articles.
	Name string
	// Text of the button; Done says of an article that it has been done.
	Text, Done string
	Scope      v1alpha1.Scope
	// Question is asked before, about a number of articles.
	Question, Consequence string
	// Reason and Time say that the form asks for them, Danger that nothing brings the articles back.
	Reason, Time, Danger bool
	// digest says that it is about the text that is in the list.
	digest bool
	// possible reports whether an article allows it, by what a list shows. The operation decides again.
	possible func(restarticle.ArticleSummary) bool
}

// bulkActions are all of them, in the order of the buttons.
var bulkActions = []bulkAction{
	{
		Name: "submit", Text: "Submit", Done: "Submitted for review", Scope: v1alpha1.ScopeWrite,
		Question: "Submit", Consequence: "Reviewers are told of them.",
		possible: func(a restarticle.ArticleSummary) bool { return a.Status == page.StatusDraft },
	},
	{
		Name: "approve", Text: "Approve", Done: "Approved", Scope: v1alpha1.ScopeApprove, digest: true,
		Question: "Approve", Consequence: "An article whose publication was asked for is published then.",
		possible: func(a restarticle.ArticleSummary) bool {
			return a.RevisionDigest != "" && page.OneOf(a.Status, "review", "rejected")
		},
	},
	{
		Name: "reject", Text: "Reject", Done: "Rejected", Scope: v1alpha1.ScopeApprove, Reason: true, digest: true,
		Question: "Reject", Consequence: "The reason is recorded with each of them.",
		possible: func(a restarticle.ArticleSummary) bool {
			return a.RevisionDigest != "" && page.OneOf(a.Status, "review", "approved", "scheduled")
		},
	},
	{
		Name: "publish", Text: "Publish", Done: "Publication asked for", Scope: v1alpha1.ScopeWrite, Time: true, digest: true,
		Question: "Publish", Consequence: "One that is not approved yet is published once it is.",
		possible: func(a restarticle.ArticleSummary) bool {
			return a.RevisionDigest != "" && page.OneOf(a.Status, "draft", "review", "approved", "scheduled", "archived")
		},
	},
	{
		Name: "cancel-publication", Text: "Unschedule", Done: "Unscheduled", Scope: v1alpha1.ScopeWrite,
		Question: "Unschedule", Consequence: "They stay as they are until somebody publishes them.",
		possible: func(a restarticle.ArticleSummary) bool {
			return a.PublishAt != nil && !page.OneOf(a.Status, "published", "archived", "failed")
		},
	},
	{
		Name: "redeliver", Text: "Send again", Done: "Is sent again", Scope: v1alpha1.ScopeWrite,
		Question: "Send again", Consequence: "Each is sent to its site once more.",
		possible: func(a restarticle.ArticleSummary) bool {
			return a.Publication != nil && page.OneOf(a.Publication.State, "failed", "delivered") && a.Status != "archived"
		},
	},
	{
		Name: "regenerate", Text: "Generate again", Done: "Is generated again", Scope: v1alpha1.ScopeWrite,
		Question: "Generate another text for", Consequence: "Each takes a credit, and its new text is in review again.",
		possible: func(a restarticle.ArticleSummary) bool {
			return a.TargetKeyword != "" && page.OneOf(a.Status, "draft", "review", "rejected", "approved", "scheduled", "failed")
		},
	},
	{
		Name: "archive", Text: "Archive", Done: "Archived", Scope: v1alpha1.ScopeWrite,
		Question: "Archive", Consequence: "What a site has received stays there. Publishing brings them back.",
		possible: func(a restarticle.ArticleSummary) bool { return a.Status != "archived" },
	},
	{
		Name: "delete", Text: "Delete", Done: "Deleted", Scope: v1alpha1.ScopeWrite, Danger: true,
		Question: "Delete", Consequence: "Their texts are gone for good. What a site has received stays there.",
		possible: func(restarticle.ArticleSummary) bool { return true },
	},
}

// bulkActionsOn returns what the person may do with at least one of some articles.
func bulkActionsOn(v *page.Visit, articles []restarticle.ArticleSummary) []bulkAction {
	var out []bulkAction
	for _, action := range bulkActions {
		if v.May(action.Scope) && slices.ContainsFunc(articles, action.possible) {
			out = append(out, action)
		}
	}
	return out
}

// bulkActionNamed returns the action with a name, if the person may do it.
func bulkActionNamed(v *page.Visit, name string) (bulkAction, bool) {
	i := slices.IndexFunc(bulkActions, func(a bulkAction) bool { return a.Name == name && v.May(a.Scope) })
	if i < 0 {
		return bulkAction{}, false
	}
	return bulkActions[i], true
}
