package article

import (
	"fmt"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/share"
)

// shareView is the data of the page that makes share links. The page that has made one answers the form: a link is not stored, so no other
// page can show it.
type shareView struct {
	Article restarticle.Article
	// URL is the link that was made, and ExpiresAt when it ends; empty before.
	URL, ExpiresAt string
	// Days are the lives that are offered, and Chosen the one that is.
	Days   []int32
	Chosen int32
	// Pinned means that the link opens the current text alone.
	Pinned  bool
	Problem string
}

// shareForm is the form that makes a link. Text is the digest of the only text that it opens; empty for the newest one.
type shareForm struct {
	Text restarticle.Digest
	Days int32
}

func showShare(v *page.Visit) (*page.Answer, error) {
	return sharePage(v, shareForm{Days: 7}, shareView{})
}

// sharePage answers with the page, whose form has what was chosen.
func sharePage(v *page.Visit, form shareForm, view shareView) (*page.Answer, error) {
	var err error
	if view.Article, err = getArticle(v); err != nil {
		return nil, err
	}
	view.Article.Title = page.TitleOf(view.Article.ArticleSummary)
	view.Days, view.Chosen, view.Pinned = []int32{1, 3, 7, 14, 30}, form.Days, form.Text != ""
	return v.Page("share.html", "Share a draft", view), nil
}

// makeLink makes a link. If that is not possible, the page says why.
func makeLink(v *page.Visit, form shareForm) (*page.Answer, error) {
	made, err := page.Call(v, share.Create, share.CreateInput{
		OnArticle: v.OnArticle(), Body: &share.LinkRequest{Revision: share.Revision(form.Text), Days: form.Days},
	})
	if refused, ok := page.Refusal(err); ok {
		answer, err := sharePage(v, form, shareView{Problem: page.ProblemOf(refused)})
		if err != nil {
			return nil, err
		}
		return answer.With(refused.GetStatus()), nil
	}
	if err != nil {
		return nil, fmt.Errorf("making a share link: %w", err)
	}
	return sharePage(v, form, shareView{URL: made.Body.URL, ExpiresAt: made.Body.ExpiresAt})
}

// endLinks ends all links of the article.
func endLinks(v *page.Visit) (*page.Answer, error) {
	_, err := page.Call(v, share.End, v.OnArticle())
	return v.Done(v.ArticlePath(v.Param("uid")), "All links to this article have ended.", err)
}
