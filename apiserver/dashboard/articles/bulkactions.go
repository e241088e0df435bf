package articles

import (
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// bulkAction is what can be done with many articles of the list.
type bulkAction struct {
	// Name of the action, and of its operation in bulk-articles.
	Name lifecycle.ActionName
	// Text of the button; Done says of an article that it has been done.
	Text, Done string
	// Question is asked before, about a number of articles.
	Question, Consequence string
	// Reason and Time say that the form asks for them, Danger that nothing brings the articles back.
	Reason, Time, Danger bool
	// OfText says that it is about the text that is in the list.
	OfText bool
}

// approveAndPublish is two operations.
const approveAndPublish lifecycle.ActionName = "approve-and-publish"

// bulkActions are all of them, in the order of the buttons: the first two that are possible stand beside the menu that has the others.
// What nothing brings back comes last.
var bulkActions = []bulkAction{
	{
		Name: approveAndPublish, Text: "Approve and publish", Done: "Approved, and publication asked for", Question: "Approve and publish",
		Time: true, OfText: true,
		Consequence: "Each goes to its site at its time, once it has all approvals.",
	},
	{
		Name: lifecycle.ActionSubmit, Text: "Submit", Done: "Submitted for review", Question: "Submit",
		Consequence: "They are in review then, and reviewers are notified.",
	},
	{
		Name: lifecycle.ActionApprove, Text: "Approve", Done: "Approved", Question: "Approve", OfText: true,
		Consequence: "Those that are set to be published go out once they have all approvals. The others wait until somebody publishes them.",
	},
	{
		Name: lifecycle.ActionPublish, Text: "Publish", Done: "Publication asked for", Question: "Publish", Time: true, OfText: true,
		Consequence: "One that is not approved yet is published once it is.",
	},
	{
		Name: lifecycle.ActionRedeliver, Text: "Send again", Done: "Is sent again", Question: "Send again",
		Consequence: "Each is sent to its site once more.",
	},
	{
		Name: lifecycle.ActionReject, Text: "Reject", Done: "Rejected", Question: "Reject", Reason: true, OfText: true,
		Consequence: "Their authors see the reason.",
	},
	{
		Name: lifecycle.ActionCancelPublication, Text: "Unschedule", Done: "Unscheduled", Question: "Unschedule",
		Consequence: "They stay as they are until somebody publishes them.",
	},
	{
		Name: lifecycle.ActionRegenerate, Text: "Generate again", Done: "Is generated again", Question: "Generate another text for",
		Consequence: "Each takes a credit. The new texts are in review.",
	},
	{
		Name: lifecycle.ActionArchive, Text: "Archive", Done: "Archived", Question: "Archive",
		Consequence: "Their posts stay at their sites, unless a site unpublishes archived articles. Publishing brings them back.",
	},
	{
		Name: lifecycle.ActionUnpublish, Text: "Unpublish", Done: "Is unpublished", Question: "Unpublish", Danger: true,
		Consequence: "Their posts are taken back from their sites. The articles stay here, and can be published again.",
	},
	{
		Name: lifecycle.ActionDelete, Text: "Delete", Done: "Deleted", Question: "Delete", Danger: true,
		Consequence: "Their texts are gone for good. What a site has received stays there.",
	},
}

// operations are those of bulk-articles that it does with each article, one after the other. The time of publication is set before the
// approval: an article whose publication was asked for is published as soon as it is approved.
func (b bulkAction) operations() []lifecycle.ActionName {
	if b.Name == approveAndPublish {
		return []lifecycle.ActionName{lifecycle.ActionPublish, lifecycle.ActionApprove}
	}
	return []lifecycle.ActionName{b.Name}
}

// approves reports whether it approves texts.
func (b bulkAction) approves() bool { return slices.Contains(b.operations(), lifecycle.ActionApprove) }

// possible reports whether the person may do it with an article now. The operations decide again.
func (b bulkAction) possible(a restarticle.ArticleSummary) bool {
	return !slices.ContainsFunc(b.operations(), func(operation lifecycle.ActionName) bool {
		return !slices.ContainsFunc(a.Actions, func(action restarticle.ArticleAction) bool {
			return action.Name == string(operation) && action.Allowed
		})
	})
}

// bulkActionsOn returns what the person may do with at least one of some articles.
func bulkActionsOn(articles []restarticle.ArticleSummary) []bulkAction {
	var out []bulkAction
	for _, action := range bulkActions {
		if slices.ContainsFunc(articles, action.possible) {
			out = append(out, action)
		}
	}
	return out
}

// mainActions is how many actions stand beside the menu.
const mainActions = 2

// bulkMenu are the actions that are offered: the main ones, and those of the menu.
type bulkMenu struct{ Main, More []bulkAction }

// menuOf returns the actions as they are offered. One that nothing brings back is in the menu, unless all are such.
func menuOf(actions []bulkAction) bulkMenu {
	n := 0
	for n < min(mainActions, len(actions)) && !actions[n].Danger {
		n++
	}
	if n = max(n, 1); n >= len(actions) {
		return bulkMenu{Main: actions}
	}
	return bulkMenu{actions[:n], actions[n:]}
}

// bulkActionNamed returns the action with a name.
func bulkActionNamed(name string) (bulkAction, bool) {
	i := slices.IndexFunc(bulkActions, func(a bulkAction) bool { return string(a.Name) == name })
	if i < 0 {
		return bulkAction{}, false
	}
	return bulkActions[i], true
}

// digestOf names the text of an article that is decided on: of a published one, that which its site does not have yet.
func digestOf(a restarticle.ArticleSummary) string {
	if a.Pending != nil {
		return a.Pending.RevisionDigest
	}
	return a.RevisionDigest
}

// selected returns the articles that the form names, with the digests of their texts in the list, and whether it means more than can be
// changed at once. All that the filter of the list finds have the current texts.
func (f bulkForm) selected(v *page.Visit) (items []bulkItem, more bool, err error) {
	if !f.All {
		for _, value := range f.Chosen {
			uid, digest, _ := strings.Cut(value, " ")
			items = append(items, bulkItem{UID: uid, Digest: digest})
		}
		return items, false, nil
	}
	found, err := page.ListOf(v).Articles(v, "", false, page.MaxBulk)
	for _, a := range found.Data {
		items = append(items, bulkItem{UID: a.UID, Digest: digestOf(a)})
	}
	return items, found.HasMore, err
}
