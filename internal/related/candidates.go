package related

import (
	"cmp"
	"slices"
)

// Article has the facts about an article without its text.
type Article struct {
	// Name of the article in its workspace.
	Name string
	// Title and Keyword, which say what it is about.
	Title, Keyword string
	// Terms of its text (see Terms); empty if they are not known.
	Terms string
	// Published means that its site has it. URL is where; empty if that is not known.
	Published bool
	URL       string
	// Fingerprint of its text as String returns it; empty if there is none.
	Fingerprint string
	// Language as a BCP 47 tag.
	Language string
}

// linkable reports whether other articles may link to an article.
func (a Article) linkable() bool { return a.Published && a.URL != "" }

const (
	// maxCompared bounds the articles that one is compared with: those that share its rarest stems.
	maxCompared = 2000
	// maxSameKeyword bounds how many articles with the same keyword are named.
	maxSameKeyword = 100
)

// Compare compares an article with the others of the site. It returns the names of those whose keyword has the same words of content, in
// any order and any form, and at most n that it could link to, the nearest first: published ones in its language that share stems with
// it.
//
// Titles and keywords are compared on their own, and a second time together with the terms of texts; both count the same. A stem that few
// articles have counts more.
func (s *Site) Compare(of Article, n int) (sameKeyword []string, candidates []Article) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	about := s.read(of, s.known)
	sameKeyword = s.sameKeyword(about)
	found := s.sharing(about)
	titles, texts := newTFIDF(s, byTitle, about), newTFIDF(s, byText, about)
	shares := make([]float64, len(found))
	for i, other := range found {
		shares[i] = texts.similarity(other)
	}
	texts.expand(nearest(found, feedbackArticles, func(i int) float64 { return shares[i] }))
	best := nearest(found, n, func(i int) float64 {
		if shares[i] == 0 {
			return 0
		}
		return titles.similarity(found[i]) + texts.similarity(found[i])
	})
	candidates = make([]Article, len(best))
	for i := range best {
		candidates[i] = best[i].subject.Article
	}
	return sameKeyword, candidates
}

// sharing returns the candidates that share stems with an article, beginning with those that share the rarest ones.
func (s *Site) sharing(of *subject) []*subject {
	stems := slices.Clone(of.stems[byText])
	slices.SortStableFunc(stems, func(a, b weighted) int { return cmp.Compare(a.stem.frequency(byText), b.stem.frequency(byText)) })
	seen := map[*subject]bool{}
	var found []*subject
	for _, w := range stems {
		if w.stem == nil {
			continue
		}
		for _, other := range w.stem.articles {
			if len(found) == maxCompared {
				return found
			}
			if !seen[other] && other.Name != of.Name && other.base == of.base {
				seen[other] = true
				found = append(found, other)
			}
		}
	}
	return found
}

// ranked is a candidate with its similarity.
type ranked struct {
	subject *subject
	score   float64
}

// compareRanks orders candidates, the nearest first.
func compareRanks(a, b ranked) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.subject.Name, b.subject.Name))
}

// nearest returns at most n candidates with the highest scores, in order, and none with a score of 0.
func nearest(found []*subject, n int, score func(i int) float64) []ranked {
	var best []ranked
	for i, candidate := range found {
		r := ranked{candidate, score(i)}
		if n <= 0 || r.score == 0 || len(best) == n && compareRanks(r, best[n-1]) >= 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, r, compareRanks)
		best = slices.Insert(best, at, r)
		best = best[:min(len(best), n)]
	}
	return best
}
