package related

import (
	"cmp"
	"math"
	"slices"
)

// Query expansion: the stems of the nearest candidates that an article is compared by, too.
const (
	// feedbackArticles is how many of the nearest candidates say by which stems.
	feedbackArticles = 5
	// expansionStems is how many stems there are.
	expansionStems = 20
	// expansionShare is what these stems weigh in comparison with the article's own.
	expansionShare = 0.5
)

// tfidf compares an article with candidates by the cosine of their vectors of weighted stems, as TF-IDF does: a stem that few published
// articles have weighs more.
type tfidf struct {
	site *Site
	// by is what is compared: titles, or texts too.
	by int
	// query is the article's vector, by the number of the stem. Its length is 1 until it is expanded.
	query map[uint32]float64
	// known are inverse document frequencies that were calculated, by frequency: most stems are in few articles.
	known [1024]float64
}

func newTFIDF(site *Site, by int, of *subject) *tfidf {
	v := &tfidf{site: site, by: by, query: map[uint32]float64{}}
	length := v.length(of)
	for _, s := range of.stems[by] {
		if s.number != unknown {
			v.query[s.number] = v.weight(s) / length
		}
	}
	return v
}

// idf is the inverse document frequency of a stem that some of all candidates have. It is a square root, as the weights of a stem in two
// articles are multiplied: so the logarithm counts once. Counted twice, one rare stem would outweigh all that titles have in common; see
// docs/reference/checks-and-gates.md for figures.
func idf(all, frequency float64) float64 { return math.Sqrt(math.Log(1 + all/(frequency+1))) }

func (v *tfidf) weight(s weighted) float64 {
	frequency := v.site.frequency(v.by, s)
	if frequency >= len(v.known) {
		return float64(s.weight) * idf(float64(v.site.linkable), float64(frequency))
	}
	if v.known[frequency] == 0 {
		v.known[frequency] = idf(float64(v.site.linkable), float64(frequency))
	}
	return float64(s.weight) * v.known[frequency]
}

// length of a subject's vector; 1 if it has no stems.
func (v *tfidf) length(s *subject) float64 {
	var sum float64
	for _, stem := range s.stems[v.by] {
		sum += v.weight(stem) * v.weight(stem)
	}
	if sum == 0 {
		return 1
	}
	return math.Sqrt(sum)
}

// similarity is the product of the query with the vector of another subject, divided by the length of the latter: the cosine, until the
// query is expanded.
func (v *tfidf) similarity(other *subject) float64 {
	var shared float64
	for _, s := range other.stems[v.by] {
		shared += v.query[s.number] * v.weight(s)
	}
	if shared == 0 {
		return 0
	}
	return shared / v.length(other)
}

// expand adds to the query the stems that the nearest candidates have most in common (pseudo-relevance feedback). An article that is not
// written yet has few stems, and those of its nearest candidates say what else a text about the subject speaks of.
func (v *tfidf) expand(nearest []ranked) {
	gained := map[uint32]float64{}
	var order []uint32
	for _, near := range nearest {
		length := v.length(near.subject)
		for _, s := range near.subject.stems[v.by] {
			if _, ok := gained[s.number]; !ok {
				order = append(order, s.number)
			}
			gained[s.number] += near.score * v.weight(s) / length
		}
	}
	slices.SortStableFunc(order, func(a, b uint32) int { return cmp.Compare(gained[b], gained[a]) })
	order = order[:min(len(order), expansionStems)]
	var sum float64
	for _, number := range order {
		sum += gained[number] * gained[number]
	}
	if sum == 0 {
		return
	}
	for _, number := range order {
		v.query[number] += expansionShare * gained[number] / math.Sqrt(sum)
	}
}
