package dashboard

import (
	"net/http"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// maxReason bounds the reason of a rejection, in characters.
const maxReason = 2000

// notSeen answers a form without the digest of a text: nobody decides on what they have not seen.
func (v *visit) notSeen() *answer {
	return v.message(http.StatusUnprocessableEntity, "Nothing has been done",
		"The form does not say which text it is about. Open the article again, and decide there.")
}

// approve approves the text that was on the page, and publishes it if the button says so. These are two operations: if the second one
// fails the page says so, and offers it again.
func approve(v *visit) (*answer, error) {
	digest := v.form("digest")
	if digest == "" {
		return v.notSeen(), nil
	}
	a, err := onArticle[rest.Article](v, "approve-article", rest.ApproveRequest{Digest: rest.Digest(digest)})
	if err != nil {
		return v.outdated(err, "approved")
	}
	if v.form("then") != "publish" || !v.may(v1alpha1.ScopeWrite) {
		return v.goOn(a, "Approved"), nil
	}
	if _, err := onArticle[rest.Article](v, "publish-article", rest.PublishRequest{Digest: rest.Digest(digest)}); err != nil {
		problem := "Approved, but not published: " + problemOf(err) + " Publish is still offered here."
		return v.redirectProblem(v.articlePath(v.param("uid")), problem), nil
	}
	return v.goOn(a, "Approved, and on its way"), nil
}

// reject rejects the text that was on the page.
func reject(v *visit) (*answer, error) {
	digest, reason := v.form("digest"), strings.TrimSpace(v.form("reason"))
	if digest == "" {
		return v.notSeen(), nil
	}
	problem := ""
	switch {
	case reason == "":
		problem = "Say why: whoever changes the text needs to know."
	case len([]rune(reason)) > maxReason:
		problem = "At most 2000 characters."
	}
	if problem != "" {
		view, err := v.article()
		if err != nil {
			return nil, err
		}
		if view.Digest() != digest {
			return v.changedPage(view.Article, "rejected")
		}
		view.Reason, view.ReasonProblem, view.OpenNext = reason, problem, v.form("next") != ""
		return v.articlePage(view).with(http.StatusUnprocessableEntity), nil
	}
	a, err := onArticle[rest.Article](v, "reject-article", rest.RejectRequest{Reason: reason, Digest: rest.Digest(digest)})
	if err != nil {
		return v.outdated(err, "rejected")
	}
	return v.goOn(a, "Rejected"), nil
}

// goOn leads back to the article, or on to the next one that waits for review if the form says so.
func (v *visit) goOn(a rest.Article, done string) *answer {
	if v.form("next") == "" {
		return v.redirect(v.articlePath(a.UID), done+".")
	}
	done += ": “" + titleOf(a.ArticleSummary) + "”."
	for _, after := range []string{a.ID, ""} {
		// The list may still have the article itself.
		if next := v.beside(after, "oldest"); next != "" && next != v.articlePath(a.UID) {
			return v.redirect(withQuery(next, "next", "1"), done)
		}
	}
	return v.redirect(v.path("articles"), done+" Nothing else waits for review.")
}

// outdated answers a form whose operation was refused: with what has changed if the article has another text than the one that was on
// the page.
func (v *visit) outdated(err error, done string) (*answer, error) {
	if !isStatus(err, http.StatusConflict) {
		return nil, err
	}
	a, readErr := onArticle[rest.Article](v, "get-article", nil)
	if readErr != nil || a.RevisionDigest == v.form("digest") {
		return nil, err
	}
	return v.changedPage(a, done)
}
