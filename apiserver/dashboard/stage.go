package dashboard

import (
	"net/http"
	"net/url"

	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// publish asks for publication of the text that was on the page, now or at a time.
func publish(v *visit) (*answer, error) {
	digest := v.form("digest")
	if digest == "" {
		return v.notSeen(), nil
	}
	body := rest.PublishRequest{Digest: rest.Digest(digest)}
	if v.form("when") == "at" {
		at, schedule, problem := v.scheduled()
		if problem != "" {
			view, err := v.article()
			if err != nil {
				return nil, err
			}
			view.Schedule, view.PublishProblem = schedule, problem
			return v.articlePage(view).with(http.StatusUnprocessableEntity), nil
		}
		body.PublishAt = &at
	}
	a, err := onArticle[rest.Article](v, "publish-article", body)
	if err != nil {
		return v.outdated(err, "published")
	}
	done := "On its way to its site."
	switch at, ok := timeOf(a.PublishAt); {
	case ok && at.After(v.now()) && a.Status == statusReview:
		done = "Goes out " + v.inBothZones(at) + ", if it is approved by then, else once it is."
	case ok && at.After(v.now()):
		done = "Goes out " + v.inBothZones(at) + "."
	case a.Status == statusReview:
		done = "Goes out once it is approved."
	}
	return v.redirect(v.articlePath(a.UID), done), nil
}

// command returns the handler of an operation without a body.
func command(operation, done string) handler {
	return func(v *visit) (*answer, error) {
		a, err := onArticle[rest.Article](v, operation, nil)
		if err != nil {
			return nil, err
		}
		return v.redirect(v.articlePath(a.UID), done), nil
	}
}

var (
	submit     = command("submit-article", "Submitted for review.")
	unschedule = command("unschedule-article", "Taken back: it is not published until you ask for it again.")
	archive    = command("archive-article", "Archived. What the site has received stays there.")
	regenerate = command("regenerate-article", "Another text is being generated.")
	redeliver  = command("redeliver-article", "It is sent again.")
)

// remove deletes the article.
func remove(v *visit) (*answer, error) {
	if _, err := onArticle[struct{}](v, "delete-article", nil); err != nil {
		return nil, err
	}
	return v.redirect(v.path("articles"), "Deleted: “"+v.form("title")+"”. What the site has received stays there."), nil
}

// confirmation asks before something that cannot be taken back.
type confirmation struct {
	Article rest.Article
	// Do is the last segment of the path that the form is sent to.
	Do, Question, Text, Button string
	Danger                     bool
}

var confirmations = map[string]confirmation{
	"delete": {
		Question: "Delete this article?", Button: "Delete", Danger: true,
		Text: "Its text and all its revisions are gone for good. What its site has received stays there.",
	},
	"regenerate": {
		Question: "Generate another text?", Button: "Generate another text",
		Text: "It takes a credit. The new text is in review again, and a decision on the present one no longer counts.",
	},
}

// showConfirmation is the page that asks.
func showConfirmation(v *visit) (*answer, error) {
	view, ok := confirmations[v.query("do")]
	if !ok {
		return v.notFound(), nil
	}
	view.Do = v.query("do")
	var err error
	if view.Article, err = onArticle[rest.Article](v, "get-article", nil); err != nil {
		return nil, err
	}
	view.Article.Title = titleOf(view.Article.ArticleSummary)
	return v.page("confirm-article.html", view.Question, view), nil
}

// withQuery returns a path with parameters.
func withQuery(path string, pairs ...string) string {
	values := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		values.Set(pairs[i], pairs[i+1])
	}
	return path + "?" + values.Encode()
}
