package index

import (
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Query chooses articles, and says which come first. An empty field chooses all.
type Query struct {
	SiteUID string
	Status  v1alpha1.ArticlePhase
	// Publication is the state of the last delivery cycle.
	Publication v1alpha1.CycleState
	// Text has words. Each must be part of the title, the keyword or the slug, in whatever case.
	Text string
	// OldestFirst reverses the order, which is newest first.
	OldestFirst bool
}

// treeKey names a tree of articles: those of a site, a status or a state of publication, or all where a field is empty. No tree has
// both a status and a state of publication.
type treeKey struct {
	siteUID     string
	status      v1alpha1.ArticlePhase
	publication v1alpha1.CycleState
}

// tree is the smallest tree that has all articles of the query.
func (q Query) tree() treeKey {
	if q.Publication != "" {
		return treeKey{siteUID: q.SiteUID, publication: q.Publication}
	}
	return treeKey{siteUID: q.SiteUID, status: q.Status}
}

// matcher decides what the choice of a tree does not.
type matcher struct {
	status v1alpha1.ArticlePhase
	words  []string
}

func (q Query) matcher() matcher {
	return matcher{status: q.Status, words: strings.Fields(strings.ToLower(q.Text))}
}

func (m matcher) matches(a *Article) bool {
	if m.status != "" && a.Phase != m.status {
		return false
	}
	if len(m.words) == 0 {
		return true
	}
	text := strings.ToLower(a.Title() + "\n" + a.Keyword() + "\n" + a.Slug())
	for _, word := range m.words {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}
