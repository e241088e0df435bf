package articles

import (
	_ "embed" // for actionsFile
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
)

// bulkAction is what can be done with many articles of the list.
type bulkAction struct {
	// Name of the action, and of its operation in bulk-articles.
	Name string
	// Text of the button; Done says of an article that it has been done.
	Text, Done string
	// Question is asked before, about a number of articles.
	Question, Consequence string
	// Reason and Time say that the form asks for them, Danger that nothing brings the articles back.
	Reason, Time, Danger bool
	// OfText says that it is about the text that is in the list.
	OfText bool
}

// The actions that approve.
const (
	doApprove           = "approve"
	doApproveAndPublish = "approve-and-publish"
)

// doPublish is the operation that publishes.
const doPublish = "publish"

// bulkActions are all of them, in the order of the buttons.
var bulkActions = page.Read[[]bulkAction](actionsFile)

//go:embed actions.yaml
var actionsFile []byte

// operations are those of bulk-articles that it does with each article, one after the other. The time of publication is set before the
// approval: an article whose publication was asked for is published as soon as it is approved.
func (b bulkAction) operations() []string {
	if b.Name == doApproveAndPublish {
		return []string{doPublish, doApprove}
	}
	return []string{b.Name}
}

// approves reports whether it approves texts.
func (b bulkAction) approves() bool { return slices.Contains(b.operations(), doApprove) }

// possible reports whether the person may do it with an article now. The operations decide again.
func (b bulkAction) possible(a restarticle.ArticleSummary) bool {
	return !slices.ContainsFunc(b.operations(), func(operation string) bool {
		return !slices.ContainsFunc(a.Actions, func(action restarticle.Action) bool { return action.Name == operation && action.Allowed })
	})
}

// bulkActionsOn returns what the person may do with at least one of some articles.
func bulkActionsOn(articles []restarticle.ArticleSummary) []bulkAction {
	var out []bulkAction
	for _, action := range bulkActions() {
		if slices.ContainsFunc(articles, action.possible) {
			out = append(out, action)
		}
	}
	return out
}

// bulkActionNamed returns the action with a name.
func bulkActionNamed(name string) (bulkAction, bool) {
	i := slices.IndexFunc(bulkActions(), func(a bulkAction) bool { return a.Name == name })
	if i < 0 {
		return bulkAction{}, false
	}
	return bulkActions()[i], true
}

// digestOf names the text of an article that is decided on: of a published one, that which its site does not have yet.
func digestOf(a restarticle.ArticleSummary) string {
	if a.Pending != nil {
		return a.Pending.RevisionDigest
	}
	return a.RevisionDigest
}

// selected returns the articles that the form names, with the digests of their texts in the list, and whether it means more than can be
// changed at once. All that the filter of the list finds have the texts of now.
func selected(v *page.Visit) (items []bulkItem, more bool, err error) {
	if v.Form("all") == "" {
		for _, value := range v.Forms("item") {
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
