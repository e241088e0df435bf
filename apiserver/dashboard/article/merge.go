package article

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/internal/textdiff"
)

// saveMerged saves the text of a form together with what other people have saved since it was read, if nobody has changed the same. Else
// nothing is saved, and the page shows both texts.
func saveMerged(v *page.Visit, view *editView) (*page.Answer, error) {
	if view.merged {
		return conflict(v, view), nil
	}
	view.merged = true
	base, err := readBase(v, view)
	if err != nil {
		return nil, err
	}
	if base == nil {
		return conflict(v, view), nil
	}
	m := merge(*base, view.Text, view.Article)
	if m.conflict {
		return conflict(v, view), nil
	}
	mine := view.Text
	view.Text, view.Text.Version = m.text, view.tag
	if body := view.Text.edits(view.Article); !changesNothing(body) {
		if err := view.update(v, body); err != nil {
			// The form comes back as it was sent.
			view.Text = mine
			return notSaved(v, view, err)
		}
		if view.Article, view.tag, err = getTagged(v); err != nil {
			return nil, err
		}
	}
	done := "Saved."
	if len(m.theirs) > 0 {
		done += " " + view.whoSaved(v) + " had changed " + strings.Join(m.theirs, ", ") + ": the changes of both are kept."
	}
	if view.explain(v) || !v.Stays() {
		return stored(v, view, done), nil
	}
	// The editor goes on with the merged text.
	answer := v.Page("saved.html", done, savedView{Done: done, Path: v.ArticlePath(view.Article.UID, "edit"), Merged: true})
	answer.Bare = true
	return answer, nil
}

// readBase returns the revision that the form was made of, and notes in the view who has saved others since; nil if it is not kept.
func readBase(v *page.Visit, view *editView) (*restarticle.ArticleRevision, error) {
	list, err := page.Call(v, restarticle.ListRevisions, v.OnArticle())
	if err != nil {
		return nil, err
	}
	// The newest one is first.
	revisions := list.Body.Data
	at := slices.IndexFunc(revisions, func(r restarticle.ArticleRevisionSummary) bool { return r.Digest == view.Text.Digest })
	since := revisions[:max(at, 0)]
	view.note(view.Article.MadeBy)
	for _, r := range since {
		view.note(r.MadeBy)
	}
	view.others = slices.DeleteFunc(view.others, func(name string) bool { return name == v.Person.By && len(view.others) > 1 })
	if at < 0 {
		return nil, nil
	}
	base, err := readRevision(v, strconv.FormatInt(revisions[at].Number, 10))
	if page.IsStatus(err, http.StatusNotFound) {
		return nil, nil
	}
	return &base, err
}

// note notes somebody who has saved a text meanwhile.
func (e *editView) note(name string) {
	if name != "" && !slices.Contains(e.others, name) {
		e.others = append(e.others, name)
	}
}

// merged is the form of a text that two people have changed.
type merged struct {
	text textForm
	// theirs are the names of the fields that the other one has changed.
	theirs []string
	// conflict means that both have changed the same.
	conflict bool
}

// merge returns the form of an article with the changes that a form has made to a revision, and those that the article has. A title and a
// meta field that are empty stay as they are.
func merge(base restarticle.ArticleRevision, mine textForm, a restarticle.Article) merged {
	before, now := formOf(base), textOf(a)
	mine.Title = cmp.Or(mine.Title, before.Title)
	mine.MetaTitle = cmp.Or(mine.MetaTitle, before.MetaTitle)
	mine.MetaDescription = cmp.Or(mine.MetaDescription, before.MetaDescription)
	m := merged{text: now}
	m.body(base.ContentMarkdown, string(mine.Markdown), a.ContentMarkdown)
	m.text.Title = either(&m, "the title", before.Title, mine.Title, now.Title)
	madeBefore, made := madeOf(articleOf(base)), madeOf(a)
	m.text.MetaTitle = m.meta("the meta title", [3]string{before.MetaTitle, mine.MetaTitle, now.MetaTitle},
		madeBefore.MetaTitle, made.MetaTitle)
	m.text.MetaDescription = m.meta("the meta description", [3]string{before.MetaDescription, mine.MetaDescription, now.MetaDescription},
		madeBefore.MetaDescription, made.MetaDescription)
	m.text.FAQ = either(&m, "the FAQ", before.filledIn(), mine.filledIn(), now.filledIn())
	m.text.Tags = strings.Join(either(&m, "the tags", before.tags(), mine.tags(), now.tags()), ", ")
	m.text.Category = either(&m, "the category", before.Category, mine.Category, now.Category)
	m.text.Author = either(&m, "the author", before.Author, mine.Author, now.Author)
	image := either(&m, "the image", before.Image(), mine.Image(), now.Image())
	m.text.ImageURL, m.text.ImageAlt, m.text.ImageCredit = image.URL, image.Alt, image.Credit
	m.slug(before.Slug, mine.Slug, now.Slug)
	// Revisions do not have what is asked of the generator.
	asked := mine.Keyword == now.Keyword
	if a.Generator != nil {
		asked = asked && mine.Tone == now.Tone && slices.Equal(page.Lines(mine.Secondary), page.Lines(now.Secondary))
	}
	m.conflict = m.conflict || !asked
	return m
}

// formOf returns the form of a revision.
func formOf(r restarticle.ArticleRevision) textForm { return textOf(articleOf(r)) }

// articleOf returns an article with the text of a revision.
func articleOf(r restarticle.ArticleRevision) restarticle.Article {
	return restarticle.Article{
		ArticleSummary:  restarticle.ArticleSummary{Title: r.Title, Slug: r.Slug, RevisionDigest: r.Digest},
		ContentMarkdown: r.ContentMarkdown, Content: r.Content,
	}
}

// body merges the body of the text.
func (m *merged) body(before, mine, now string) {
	text, ok := textdiff.Merge(before, mine, now)
	m.text.Markdown = page.Verbatim(text)
	m.conflict = m.conflict || !ok
	if before != now {
		m.theirs = append(m.theirs, "the text")
	}
}

// either returns the value of a field that one of two people may have changed. If both have, to different values, that is a conflict.
func either[T any](m *merged, name string, before, mine, now T) T {
	same := func(a, b T) bool { return equality.Semantic.DeepEqual(a, b) } // an empty list is none
	if !same(before, now) {
		m.theirs = append(m.theirs, name)
	}
	switch {
	case same(mine, before), same(mine, now):
		return now
	case !same(before, now):
		m.conflict = true
	}
	return mine
}

// meta is either of a meta field, of which it has the values before, mine and now. One that was made of the text, and still is, nobody has
// changed.
func (m *merged) meta(name string, values [3]string, madeBefore, made string) string {
	before, mine, now := values[0], values[1], values[2]
	switch {
	case before != madeBefore || now != made:
		return either(m, name, before, mine, now)
	case mine == before:
		return now
	default:
		return mine
	}
}

// slug is either of the slug. That of a revision is one that was proposed, and may be unknown: then a slug that differs is a conflict.
func (m *merged) slug(before, mine, now string) {
	switch {
	case mine == "", mine == now, mine == before:
		m.text.Slug = now
	case before == now:
		m.text.Slug = mine
	default:
		m.conflict = true
	}
}
