package dashboard

import (
	"net/http"
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// editView is the data of the editor.
type editView struct {
	textFields

	Article rest.Article
}

func editRoutes() []route {
	const edit = "/w/:workspace/articles/:uid/edit"
	return []route{
		page(edit, v1alpha1.ScopeWrite, showEditor),
		form(edit, v1alpha1.ScopeWrite, "edit-article", saveEdit),
		form(edit+"/preview", v1alpha1.ScopeWrite, "preview-text", previewEdit),
	}
}

// showEditor shows the editor with the text as it is.
func showEditor(v *visit) (*answer, error) {
	view, err := v.editor()
	if err != nil {
		return nil, err
	}
	if !v.actionsOn(view.Article).Edit {
		return v.message(http.StatusConflict, "This text cannot be edited now", whyFixed(view.Article)), nil
	}
	view.Text = textOf(view.Article)
	return v.editPage(view), nil
}

// whyFixed says why an article cannot be edited.
func whyFixed(a rest.Article) string {
	switch {
	case a.Status == statusPublished, a.Publication != nil && a.Publication.State == stateDelivering:
		return "A text does not change once it is published, or while it is being sent."
	case a.Status == statusArchived:
		return "The article is archived. Publish it to bring it back."
	}
	return "There is no finished text yet, or the last change is being stored. Try again in a moment."
}

// editor reads what the editor shows beside the text.
func (v *visit) editor() (*editView, error) {
	a, err := onArticle[rest.Article](v, "get-article", nil)
	if err != nil {
		return nil, err
	}
	site, err := v.site(a.SiteUID)
	return &editView{Article: a, textFields: textFields{
		Toolbar: v.dashboard.static.toolbar.path, Language: site.Voice.Language, Preview: v.articlePath(a.UID, "edit", "preview"),
	}}, err
}

func (v *visit) editPage(view *editView) *answer {
	return v.page("edit.html", "Edit: "+titleOf(view.Article.ArticleSummary), view)
}

// saveEdit saves what differs from the text that was read. If there is another text by now, nothing is saved, and the page shows both.
func saveEdit(v *visit) (*answer, error) {
	view, err := v.editor()
	if err != nil {
		return nil, err
	}
	view.Text = v.textForm()
	if view.Text.Digest == "" {
		return v.notSeen(), nil
	}
	if view.Article.RevisionDigest != view.Text.Digest {
		return v.conflict(view), nil
	}
	body := view.Text.edits(view.Article)
	if len(body) == 0 {
		return v.redirect(v.articlePath(view.Article.UID), "Nothing was changed."), nil
	}
	body["digest"] = view.Text.Digest
	if _, err := onArticle[rest.Article](v, "edit-article", body); err != nil {
		return v.notSaved(view, err)
	}
	done := "Saved. The text is in review again."
	switch {
	case !written(view.Article) && asksForAnother(body):
		done = "Saved. Another text is being generated."
	case view.Article.Status == statusDraft:
		done = "Saved. It is a draft until it is submitted."
	}
	return v.redirect(v.articlePath(view.Article.UID), done), nil
}

// asksForAnother reports whether an edit asks the generator for another text.
func asksForAnother(edits map[string]any) bool {
	for _, name := range []string{"target_keyword", "secondary_keywords", "tone"} {
		if _, changed := edits[name]; changed && edits["content_markdown"] == nil {
			return true
		}
	}
	return false
}

// notSaved shows the form again, with what was typed and what is wrong with it.
func (v *visit) notSaved(view *editView, err error) (*answer, error) {
	refused, ok := refusal(err)
	if !ok {
		return nil, err
	}
	status := refused.GetStatus()
	if status == http.StatusConflict {
		now, err := onArticle[rest.Article](v, "get-article", nil)
		if err == nil && now.RevisionDigest != view.Text.Digest {
			view.Article = now
			return v.conflict(view), nil
		}
	}
	if status == http.StatusNotFound || status == http.StatusForbidden {
		return nil, err
	}
	view.Problem, view.Problems = "Not saved: "+problemOf(err), fieldProblems(err)
	if status == http.StatusBadRequest {
		view.Problem, status = "Not saved. Look at the fields that are marked.", http.StatusUnprocessableEntity
	}
	return v.editPage(view).with(status), nil
}

// previewEdit answers with a document that has the text of the form and its scores. Nothing is stored. If the button is about a question
// of the FAQ, it answers with the editor, which has a question more or less, or in another place.
func previewEdit(v *visit) (*answer, error) {
	view, err := v.editor()
	if err != nil {
		return nil, err
	}
	view.Text = v.textForm()
	if row := v.form("row"); row != "" {
		view.Text.change(row)
		return v.editPage(view), nil
	}
	view.Text.Site = view.Article.SiteUID
	return v.previewText(view.Text)
}

// previewText answers with a document that has a text which is not stored, or with what is missing.
func (v *visit) previewText(text textForm) (*answer, error) {
	p, err := call[rest.Preview](v, rest.Request{Operation: "preview-text", Body: text.whole()})
	if isStatus(err, http.StatusBadRequest) {
		return v.document(previewView{Problem: missing(fieldProblems(err))}), nil
	}
	if err != nil {
		return nil, err
	}
	return v.document(previewView{
		Title: p.Title, HTML: sanitised(p.ContentHTML), Scores: &p.Scores, Checks: sortChecks(p.Scores.Checks),
	}), nil
}

// missing lists what is wrong with fields, in a fixed order.
func missing(problems map[string]string) []string {
	out := make([]string, 0, len(problems))
	for field, message := range problems {
		out = append(out, fieldName(field)+": "+message)
	}
	slices.Sort(out)
	return out
}

// fieldName is the label of a field of the REST API.
func fieldName(field string) string {
	field, rest, _ := strings.Cut(field, "[")
	name, ok := map[string]string{
		"title": "Title", "content_markdown": "Text", "slug": "Slug", "meta_title": "Meta title", "meta_description": "Meta description",
		"faq": "FAQ", "target_keyword": "Keyword", "site_uid": "Site", "tone": "Tone", "keyword": "Keyword",
		"secondary_keywords": "Secondary keywords", "length": "Length",
	}[field]
	if !ok {
		name = field
	}
	if number, _, ok := strings.Cut(rest, "]"); ok {
		name += " " + oneMore(number)
	}
	return name
}
