package related

import (
	"cmp"
	"math"
	"slices"

	"github.com/pressroom-dev/pressroom/internal/language"
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

// keywordWeight is how much more a stem of a keyword says than one of a title.
const keywordWeight = 2

// Candidates returns at most n of the others that an article could link to, the nearest first: published ones in its language that share
// stems of title and keyword with it. A stem that few articles have counts more.
func Candidates(of Article, others []Article, n int) []Article {
	p := language.For(of.Language)
	var candidates []Article
	var weights []map[string]float64
	frequency := map[string]int{}
	for _, other := range others {
		if other.Name == of.Name || other.URL == "" || language.Base(other.Language) != p.Base() {
			continue
		}
		stems := weigh(p, other)
		for stem := range stems {
			frequency[stem]++
		}
		candidates, weights = append(candidates, other), append(weights, stems)
	}
	type ranked struct {
		Article
		score float64
	}
	var found []ranked
	own := weigh(p, of)
	for i, candidate := range candidates {
		if score := similarity(own, weights[i], frequency, len(candidates)); score > 0 {
			found = append(found, ranked{candidate, score})
		}
	}
	slices.SortFunc(found, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.Name, b.Name))
	})
	out := make([]Article, 0, min(n, len(found)))
	for _, r := range found[:min(n, len(found))] {
		out = append(out, r.Article)
	}
	return out
}

// weigh returns the stems of an article with what each says of it.
func weigh(p *language.Profile, a Article) map[string]float64 {
	stems := map[string]float64{}
	for _, stem := range p.Stems(a.Title) {
		stems[stem] = 1
	}
	for _, stem := range p.Stems(a.Keyword) {
		stems[stem] = keywordWeight
	}
	for stem := range stems {
		if p.IsFunctionWord(stem) {
			delete(stems, stem)
		}
	}
	return stems
}

// similarity is the cosine of two sets of stems, each weighted by how rare it is among all articles.
func similarity(a, b map[string]float64, frequency map[string]int, all int) float64 {
	rarity := func(stem string) float64 { return math.Log(1 + float64(all)/float64(frequency[stem]+1)) }
	var shared, lengthA, lengthB float64
	for _, stem := range sortedKeys(a) {
		weight := a[stem] * rarity(stem)
		lengthA += weight * weight
		shared += weight * b[stem] * rarity(stem)
	}
	for _, stem := range sortedKeys(b) {
		weight := b[stem] * rarity(stem)
		lengthB += weight * weight
	}
	if shared == 0 {
		return 0
	}
	return shared / math.Sqrt(lengthA*lengthB)
}

// sortedKeys keeps sums of fractions the same in every run.
func sortedKeys(m map[string]float64) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
