package article

import (
	"cmp"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/reading"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/generation"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
)

// editView is the data of the editor.
type editView struct {
	textFields

	Article restarticle.Article
	// OfEditors is who else has the editor open.
	OfEditors editorsView
	// tag is the ETag of the article.
	tag  string
	site restsite.SiteAnswer
	// merged means that the text was merged with that of somebody else once, and is not a second time.
	merged bool
	// others have saved a text since the form was read, by the names that reviews have.
	others []string
}

func editRoutes() []page.Route {
	const edit = "/w/:workspace/articles/:uid/edit"
	return []page.Route{
		page.Show(edit, v1alpha1.ScopeWrite, showEditor),
		page.Form(edit, restarticle.Update, saveEdit),
		page.Form(edit+"/preview", generation.Preview, previewEdit),
	}
}

// showEditor shows the editor with the text as it is.
func showEditor(v *page.Visit) (*page.Answer, error) {
	view, err := readEditor(v)
	if err != nil {
		return nil, err
	}
	if !actionsOn(v, view.Article)["edit"] {
		return v.Message(http.StatusConflict, "This text cannot be edited now", whyFixed(view.Article)), nil
	}
	if view.OfEditors, err = openEditor(v, view.Article); err != nil {
		return nil, err
	}
	if v.Updates() {
		answer := v.Page("editors.html", "", view.OfEditors)
		answer.Bare = true
		return answer, nil
	}
	view.Text = textOf(view.Article)
	view.Text.Version = view.tag
	view.explain(v)
	return editPage(v, view), nil
}

// whyFixed says why an article cannot be edited.
func whyFixed(a restarticle.Article) string {
	i := slices.IndexFunc(a.Actions, func(action restarticle.ArticleAction) bool { return action.Name == "edit" })
	switch {
	case i >= 0:
		return page.Sentence(a.Actions[i].Message)
	case a.Status == page.StatusPublished, a.Publication != nil && a.Publication.State == page.StateInProgress:
		return "A text does not change once it is published, or while it is being sent."
	case a.Status == page.StatusArchived:
		return "The article is archived. Publish it to bring it back."
	}
	return "There is no text yet that could be edited: it is being generated, or that has failed."
}

// readEditor reads what the editor shows beside the text.
func readEditor(v *page.Visit) (*editView, error) {
	a, tag, err := getTagged(v)
	if err != nil {
		return nil, err
	}
	site, err := readSite(v, a.SiteUID)
	return &editView{Article: a, tag: tag, site: site, textFields: textFields{
		Field: fieldOf(v, a.SiteUID), Generates: a.Generator != nil, Language: site.Voice.Language,
		Preview: v.ArticlePath(a.UID, "edit", "preview"),
	}}, err
}

// readSent is readEditor with the text that was sent.
func readSent(v *page.Visit) (*editView, error) {
	view, err := readEditor(v)
	if err == nil {
		view.Text, err = sentText(v)
	}
	return view, err
}

func editPage(v *page.Visit, view *editView) *page.Answer {
	return v.Page("edit.html", "Edit: "+page.TitleOf(view.Article.ArticleSummary), view).WithStyles(view.Field.Nonce)
}

// saveEdit saves what differs from the text that was read. If there is another text by now, nothing is saved, and the page shows both.
func saveEdit(v *page.Visit) (*page.Answer, error) {
	view, err := readSent(v)
	if err != nil {
		return nil, err
	}
	if view.Text.Digest == "" && view.Text.Version == "" {
		return notSeen(v), nil
	}
	body := view.Text.edits(view.Article)
	// Without a digest, kube-apiserver compares the version.
	same := view.Text.Digest == "" || view.Text.Digest == view.Article.RevisionDigest
	switch {
	case same && changesNothing(body):
		return stored(v, view, "Nothing was changed."), nil
	case !same && hasText(v, view):
		return stored(v, view, "Saved."), nil
	case !same:
		return saveMerged(v, view)
	}
	return save(v, view, body)
}

// save saves a change of the text that the article has.
func save(v *page.Visit, view *editView, body restarticle.UpdateArticleRequest) (*page.Answer, error) {
	if err := view.update(v, body); err != nil {
		return notSaved(v, view, err)
	}
	done := "Saved. The text is in review again."
	switch {
	case !written(view.Article) && asksForAnother(body):
		regenerated := restarticle.ArticleSummary{UID: view.Article.UID}
		return saved(v, restarticle.Article{ArticleSummary: regenerated}, "Saved. Another text is being generated."), nil
	case view.Article.Status == page.StatusDraft:
		done = "Saved. It is a draft until it is submitted."
	}
	// Of a published article, the answer may have the text of its site.
	var err error
	if view.Article, view.tag, err = getTagged(v); err != nil {
		return nil, err
	}
	return stored(v, view, done), nil
}

// update changes the article, if it has the text that was read.
func (e *editView) update(v *page.Visit, body restarticle.UpdateArticleRequest) error {
	in := restarticle.UpdateInput{OnArticle: restarticle.OnArticle{UID: e.Article.UID}, Body: body}
	if in.Body.Digest = restarticle.Digest(e.Text.Digest); in.Body.Digest == "" {
		in.IfMatch.IfMatch = e.Text.Version
	}
	_, err := page.Call(v, restarticle.Update, in)
	return err
}

func changesNothing(r restarticle.UpdateArticleRequest) bool { return reflect.ValueOf(r).IsZero() }

// savedView tells the script of the editor what has been saved.
type savedView struct {
	Done string
	// Digest of the saved text; empty while it is being stored. Path is where to go if nothing is left to edit.
	Digest, Path string
	// Merged means that the saved text has changes that somebody else has made, too.
	Merged bool
	// Article has what was made of the text.
	Article restarticle.Article
}

// saved leads to the article, or tells the editor how it can go on.
func saved(v *page.Visit, a restarticle.Article, done string) *page.Answer {
	path := v.ArticlePath(a.UID)
	if !v.Stays() {
		return v.Redirect(path, done)
	}
	view := savedView{Done: done, Digest: a.RevisionDigest, Article: a}
	if a.Status == "" {
		view.Path = path
	}
	answer := v.Page("saved.html", done, view)
	answer.Bare = true
	return answer
}

// hasText reports whether an article has the text of a form already: its answer was lost, or its revision is being made.
func hasText(v *page.Visit, view *editView) bool {
	text, others := view.Text, view.Text
	others.Title, others.Markdown, text.Site = view.Article.Title, page.Verbatim(view.Article.ContentMarkdown), view.Article.SiteUID
	// What is made of the text was another in the form.
	made := madeOf(view.Article)
	if made.MetaTitle == view.Article.MetaTitle {
		others.MetaTitle = made.MetaTitle
	}
	if made.MetaDescription == view.Article.MetaDescription {
		others.MetaDescription = made.MetaDescription
	}
	if !changesNothing(others.edits(view.Article)) {
		return false
	}
	// The stored text is tidied.
	p, err := preview(v, text)
	return err == nil && p.Title == view.Article.Title && p.ContentHTML == view.Article.ContentHTML
}

// asksForAnother reports whether an edit asks the generator for another text.
func asksForAnother(r restarticle.UpdateArticleRequest) bool {
	return !r.ContentMarkdown.Given && (r.TargetKeyword != nil || r.SecondaryKeywords.Given || r.Tone.Given)
}

// notSaved shows the form again, with what was typed and what is wrong with it.
func notSaved(v *page.Visit, view *editView, err error) (*page.Answer, error) {
	refused, ok := page.Refusal(err)
	if !ok {
		return nil, err
	}
	status := refused.GetStatus()
	if status == http.StatusConflict || status == http.StatusPreconditionFailed {
		now, tag, err := getTagged(v)
		if err == nil && (status == http.StatusPreconditionFailed || now.RevisionDigest != view.Text.Digest) {
			view.Article, view.tag = now, tag
			if hasText(v, view) {
				return stored(v, view, "Saved."), nil
			}
			return saveMerged(v, view)
		}
	}
	if status == http.StatusNotFound || status == http.StatusForbidden {
		return nil, err
	}
	view.Problem, view.Problems = "Not saved: "+page.ProblemOf(err), page.FieldProblems(err)
	if status == http.StatusBadRequest {
		view.Problem, status = "Not saved. Look at the fields that are marked.", http.StatusUnprocessableEntity
	}
	return editPage(v, view).With(status), nil
}

// previewEdit answers with a document that has the text of the form and its scores. Nothing is stored. If the button is about a question
// of the FAQ, it answers with the editor, which has a question more or less, or in another place.
func previewEdit(v *page.Visit) (*page.Answer, error) {
	view, err := readSent(v)
	if err != nil {
		return nil, err
	}
	if view.Text.Row != "" {
		view.Text.changeRow()
		return editPage(v, view), nil
	}
	view.Text.Site = view.Article.SiteUID
	return previewText(v, view.Text, view.site, view.Article.Claims)
}

// previewText answers with a document that has a text which is not stored, or with what is missing. The claims are those of the text that
// is stored.
func previewText(v *page.Visit, text textForm, site restsite.SiteAnswer, claims []restarticle.Claim) (*page.Answer, error) {
	p, err := preview(v, text)
	if page.IsStatus(err, http.StatusBadRequest) {
		return showDocument(v, previewView{Problem: missing(page.FieldProblems(err))}), nil
	}
	if err != nil {
		return nil, err
	}
	found := sortChecks(p.Scores.Checks)
	return showDocument(v, previewView{
		Text: reading.Text{
			Title: p.Title, Language: site.Voice.Language, Image: p.Image,
			HTML: reading.Sanitised(markFindings(p.ContentHTML, found.Failed)),
		},
		Rated: &scoreView{p.Scores.SEOScore, site}, Checks: found, Words: p.Words, Claims: claimPassages(claims),
	}), nil
}

// preview returns what would be stored of a text.
func preview(v *page.Visit, text textForm) (generation.TextPreview, error) {
	out, err := page.Call(v, generation.Preview, generation.PreviewInput{Body: text.whole()})
	return out.Body, err
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
	name := cmp.Or(page.Words.Fields[field], field)
	number, _, _ := strings.Cut(rest, "]")
	if i, err := strconv.Atoi(number); err == nil {
		name += " " + strconv.Itoa(i+1)
	}
	return name
}
