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

// tfidf compares an article with candidates by the cosine of their vectors of weighted stems, as TF-IDF does: a stem that few candidates
// have weighs more.
type tfidf struct {
	// stems of a subject: of its title, or of its text too.
	stems func(*subject) []weighted
	// idf is the inverse document frequency of each stem, by its number.
	idf []float64
	// query is the article's vector, by the number of the stem. Its length is 1 until it is expanded.
	query []float64
}

// newTFIDF compares an article with the subjects of candidates, some of which may be nil. Stems have numbers below count.
func newTFIDF(stems func(*subject) []weighted, of *subject, candidates []*subject, count int) *tfidf {
	v := &tfidf{stems: stems, idf: make([]float64, count), query: make([]float64, count)}
	all := 0.0
	for _, c := range candidates {
		if c != nil {
			all++
			for _, s := range stems(c) {
				v.idf[s.number]++
			}
		}
	}
	for number, frequency := range v.idf {
		if frequency > 0 {
			v.idf[number] = idf(all, frequency)
		}
	}
	for _, s := range stems(of) {
		if v.idf[s.number] == 0 {
			v.idf[s.number] = idf(all, 0)
		}
	}
	length := v.length(of)
	for _, s := range stems(of) {
		v.query[s.number] = v.weight(s) / length
	}
	return v
}

// idf is the inverse document frequency of a stem that some of all candidates have. It is a square root, as the weights of a stem in two
// articles are multiplied: so the logarithm counts once. Counted twice, one rare stem would outweigh all that titles have in common; see
// docs/quality.md for figures.
func idf(all, frequency float64) float64 { return math.Sqrt(math.Log(1 + all/(frequency+1))) }

func (v *tfidf) weight(s weighted) float64 { return s.weight * v.idf[s.number] }

// length of a subject's vector; 1 if it has no stems.
func (v *tfidf) length(s *subject) float64 {
	var sum float64
	for _, stem := range v.stems(s) {
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
	for _, s := range v.stems(other) {
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
		for _, s := range v.stems(near.subject) {
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
