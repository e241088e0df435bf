package related

import (
	"cmp"
	"math"
	"slices"
)

// Article is what is known of an article without its text.
type Article struct {
	// Name of the article in its workspace.
	Name string
	// Title and Keyword, which say what it is about.
	Title, Keyword string
	// URL where it is published; empty if it is not.
	URL string
	// Language as a BCP 47 tag.
	Language string
}

// Candidates returns at most n of the others that an article could link to, the nearest first: published ones in its language that share
// stems of title and keyword with it. A stem that few articles have counts more.
func Candidates(of Article, others []Article, n int) []Article {
	_, candidates := NewMemory().Compare("", of, others, n)
	return candidates
}

// Compare compares an article with the others of its site, which scope names. It returns the names of those with the same keyword (see
// SameKeyword), and at most n that it could link to (see Candidates).
func (m *Memory) Compare(scope string, of Article, others []Article, n int) (sameKeyword []string, candidates []Article) {
	r := m.ranking(scope, of, others)
	var best []ranked
	for i, candidate := range r.subjects {
		if candidate == nil {
			continue
		}
		score := r.similarity(candidate)
		if score == 0 || n == 0 || len(best) == n && compareRanks(ranked{&others[i], score}, best[n-1]) >= 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, ranked{&others[i], score}, compareRanks)
		best = slices.Insert(best, at, ranked{&others[i], score})
		best = best[:min(len(best), n)]
	}
	candidates = make([]Article, len(best))
	for i := range best {
		candidates[i] = *best[i].article
	}
	return r.sameKeyword, candidates
}

// ranked is a candidate with its similarity.
type ranked struct {
	article *Article
	score   float64
}

// compareRanks orders candidates, the nearest first.
func compareRanks(a, b ranked) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.article.Name, b.article.Name))
}

// ranking compares an article with others.
type ranking struct {
	// subjects of the others; nil for those that are no candidates.
	subjects []*subject
	// frequency of each stem among the candidates, by its number, and how many candidates there are.
	frequency []int32
	all       int
	// mine are the numbers of the article's own stems.
	mine map[uint32]float64
	// sameKeyword are the names of the others with the same keyword.
	sameKeyword []string
	// lengthOfOwn is the square of the length of the article's own weights.
	lengthOfOwn float64
}

// ranking compares an article with others. Without stems of its own it has no candidates.
func (m *Memory) ranking(scope string, of Article, others []Article) *ranking {
	r := &ranking{subjects: make([]*subject, len(others)), mine: map[uint32]float64{}}
	own := m.collect(r, scope, of, others)
	for _, s := range r.subjects {
		if s == nil {
			continue
		}
		for _, stem := range s.stems {
			r.frequency[stem.number]++
		}
	}
	for _, stem := range own {
		r.mine[stem.number] = stem.weight
		weight := stem.weight * r.rarity(stem.number)
		r.lengthOfOwn += weight * weight
	}
	return r
}

// collect looks up what an article and the candidates are about, and returns the article's stems.
func (m *Memory) collect(r *ranking, scope string, of Article, others []Article) []weighted {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.bound()
	own := m.read(of)
	if len(own.stems) == 0 {
		return nil
	}
	for i := range others {
		other := &others[i]
		if other.Name == of.Name {
			continue
		}
		about := m.subject(scope, other)
		if own.key != "" && about.key == own.key {
			r.sameKeyword = append(r.sameKeyword, other.Name)
		}
		if other.URL != "" && about.base == own.base {
			r.subjects[i] = about
			r.all++
		}
	}
	r.frequency = make([]int32, len(m.stems))
	return own.stems
}

// rarity of a stem among the candidates. It is a square root, as the weights of a stem in two articles are multiplied: so the logarithm
// counts once. Counted twice, one rare stem would outweigh all that titles have in common; see docs/quality.md for figures.
func (r *ranking) rarity(stem uint32) float64 {
	return math.Sqrt(math.Log(1 + float64(r.all)/float64(r.frequency[stem]+1)))
}

// similarity is the cosine of two sets of stems, each weighted by how rare it is among all candidates.
func (r *ranking) similarity(other *subject) float64 {
	var shared float64
	for _, stem := range other.stems {
		if weight, ok := r.mine[stem.number]; ok {
			rarity := r.rarity(stem.number)
			shared += weight * rarity * stem.weight * rarity
		}
	}
	if shared == 0 {
		return 0
	}
	var length float64
	for _, stem := range other.stems {
		weight := stem.weight * r.rarity(stem.number)
		length += weight * weight
	}
	return shared / math.Sqrt(r.lengthOfOwn*length)
}
