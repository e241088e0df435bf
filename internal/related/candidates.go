package related

import (
	"cmp"
	"slices"
)

// Article is what is known of an article without its text.
type Article struct {
	// Name of the article in its workspace.
	Name string
	// Title and Keyword, which say what it is about.
	Title, Keyword string
	// Terms of its text (see Terms); empty if they are not known.
	Terms string
	// URL where it is published; empty if it is not.
	URL string
	// Language as a BCP 47 tag.
	Language string
}

// Candidates returns at most n of the others that an article could link to, the nearest first: published ones in its language that share
// stems with it. See Compare.
func Candidates(of Article, others []Article, n int) []Article {
	_, candidates := NewMemory().Compare("", of, others, n)
	return candidates
}

// Compare compares an article with the others of its site, which scope names. It returns the names of those whose keyword
// has the same words of content, in any order and any form, and at most n that it could link to.
//
// Titles and keywords are compared on their own, and a second time together with the terms of texts; both count the same. A stem that few
// articles have counts more.
func (m *Memory) Compare(scope string, of Article, others []Article, n int) (sameKeyword []string, candidates []Article) {
	c := m.collect(scope, of, others)
	if n <= 0 {
		return c.sameKeyword, []Article{}
	}
	titles := newTFIDF((*subject).ofTitle, c.of, c.subjects, c.stems)
	texts := newTFIDF((*subject).ofAll, c.of, c.subjects, c.stems)
	shares := make([]float64, len(others))
	for i, candidate := range c.subjects {
		if candidate != nil {
			shares[i] = texts.similarity(candidate)
		}
	}
	texts.expand(c.nearest(others, feedbackArticles, func(i int) float64 { return shares[i] }))
	best := c.nearest(others, n, func(i int) float64 {
		if shares[i] == 0 {
			return 0
		}
		return titles.similarity(c.subjects[i]) + texts.similarity(c.subjects[i])
	})
	candidates = make([]Article, len(best))
	for i := range best {
		candidates[i] = *best[i].article
	}
	return c.sameKeyword, candidates
}

// comparison is what is known of an article and of the others of its site.
type comparison struct {
	of *subject
	// subjects of the others; nil for those that are no candidates.
	subjects []*subject
	// stems is how many stems have numbers.
	stems int
	// sameKeyword are the names of the others with the same keyword.
	sameKeyword []string
}

// collect looks up what an article and the candidates are about. Without stems of its own it has no candidates.
func (m *Memory) collect(scope string, of Article, others []Article) comparison {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.bound()
	c := comparison{of: m.read(of), subjects: make([]*subject, len(others))}
	if len(c.of.all) == 0 {
		return c
	}
	for i := range others {
		other := &others[i]
		if other.Name == of.Name {
			continue
		}
		about := m.subject(scope, other)
		if c.of.key != "" && about.key == c.of.key {
			c.sameKeyword = append(c.sameKeyword, other.Name)
		}
		if other.URL != "" && about.base == c.of.base {
			c.subjects[i] = about
		}
	}
	c.stems = len(m.stems)
	return c
}

// ranked is a candidate with its similarity.
type ranked struct {
	article *Article
	subject *subject
	score   float64
}

// compareRanks orders candidates, the nearest first.
func compareRanks(a, b ranked) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.article.Name, b.article.Name))
}

// nearest returns at most n candidates with the highest scores, in order, and none with a score of 0.
func (c *comparison) nearest(others []Article, n int, score func(i int) float64) []ranked {
	var best []ranked
	for i, candidate := range c.subjects {
		if candidate == nil {
			continue
		}
		r := ranked{&others[i], candidate, score(i)}
		if r.score == 0 || len(best) == n && compareRanks(r, best[n-1]) >= 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, r, compareRanks)
		best = slices.Insert(best, at, r)
		best = best[:min(len(best), n)]
	}
	return best
}
