package article

import (
	"html/template"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
)

// editorsView says who else has the editor of an article open.
type editorsView struct {
	// Editors are their names, as reviews have them.
	Editors []string
	// Merges says what becomes of changes at the same time, where it matters.
	Merges string
	// SavedBy made the text, at a time; empty if that is not known.
	SavedBy string
	SavedAt template.HTML
}

// Say is what a screen reader says when it changes.
func (e editorsView) Say() string {
	if len(e.Editors) == 0 {
		return "Nobody else has the editor open"
	}
	return "The editor is open: " + page.People(e.Editors)
}

// openEditor says that the person has the editor of an article open, and returns who else has.
func openEditor(v *page.Visit, a restarticle.Article) (editorsView, error) {
	out, err := page.Call(v, restarticle.OpenEditor, v.OnArticle())
	return editorsView{
		Editors: out.Body.Editors, Merges: "Changes of different paragraphs are merged when you save.",
		SavedBy: a.MadeBy, SavedAt: v.When(a.MadeAt),
	}, err
}

// OfEditors is who has the editor open, for the page of an article.
func (a *articleView) OfEditors() editorsView { return editorsView{Editors: a.Editors} }
