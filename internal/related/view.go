package related

import (
	"cmp"
	"math"
	"slices"
)

const (
	// widenedBy is how many of the nearest articles widen a view.
	widenedBy = 5
	// widenedStems is how many of their stems do.
	widenedStems = 20
	// widenedShare is what these stems say in comparison with the article's own.
	widenedShare = 0.5
)

// view compares an article with candidates by some of the stems that are known of them.
type view struct {
	// stems of a subject that the view looks at.
	stems func(*subject) []weighted
	// rarity of each stem among the candidates, by its number.
	rarity []float64
	// own weights of the article, by the number of the stem: a vector of length 1.
	own []float64
}

// newView compares an article with the subjects of candidates, some of which may be nil. Stems have numbers below count.
func newView(stems func(*subject) []weighted, of *subject, candidates []*subject, count int) *view {
	v := &view{stems: stems, rarity: make([]float64, count), own: make([]float64, count)}
	all := 0.0
	for _, c := range candidates {
		if c != nil {
			all++
			for _, s := range stems(c) {
				v.rarity[s.number]++
			}
		}
	}
	for number, frequency := range v.rarity {
		if frequency > 0 {
			v.rarity[number] = rarity(all, frequency)
		}
	}
	for _, s := range stems(of) {
		if v.rarity[s.number] == 0 {
			v.rarity[s.number] = rarity(all, 0)
		}
	}
	length := v.length(of)
	for _, s := range stems(of) {
		v.own[s.number] = v.weight(s) / length
	}
	return v
}

// rarity of a stem that some of all candidates have. It is a square root, as the weights of a stem in two articles are multiplied: so the
// logarithm counts once. Counted twice, one rare stem would outweigh all that titles have in common; see docs/quality.md for figures.
func rarity(all, frequency float64) float64 { return math.Sqrt(math.Log(1 + all/(frequency+1))) }

func (v *view) weight(s weighted) float64 { return s.weight * v.rarity[s.number] }

// length of a subject's vector of weights; 1 if it has none.
func (v *view) length(s *subject) float64 {
	var sum float64
	for _, stem := range v.stems(s) {
		sum += v.weight(stem) * v.weight(stem)
	}
	if sum == 0 {
		return 1
	}
	return math.Sqrt(sum)
}

// similarity is the product of the article's own vector with that of another one, divided by the length of the latter: the cosine, as long
// as the view is not widened.
func (v *view) similarity(other *subject) float64 {
	var shared float64
	for _, s := range v.stems(other) {
		shared += v.own[s.number] * v.weight(s)
	}
	if shared == 0 {
		return 0
	}
	return shared / v.length(other)
}

// widen adds to the article's own stems those that its nearest candidates have most in common. An article that is not written yet has few
// stems, and those of its nearest candidates say what else a text about the subject speaks of.
func (v *view) widen(nearest []ranked) {
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
	order = order[:min(len(order), widenedStems)]
	var sum float64
	for _, number := range order {
		sum += gained[number] * gained[number]
	}
	if sum == 0 {
		return
	}
	for _, number := range order {
		v.own[number] += widenedShare * gained[number] / math.Sqrt(sum)
	}
}
