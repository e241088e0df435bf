package main

import (
	"cmp"
	"math"
	"slices"

	"github.com/pressroom-dev/pressroom/internal/language"
)

// word of a text with its weight.
type word struct {
	stem   string
	weight float64
}

// wholeTexts ranks by all words of the posts, those of the post itself included: what text alone can say, and more than is known of an
// article that is still to be written. It is the cosine of logarithmic counts, each times the logarithm of how rare the stem is.
func wholeTexts(posts []post) ranker {
	counts, frequency := make([]map[string]float64, len(posts)), map[string]float64{}
	for i, p := range posts {
		counts[i] = map[string]float64{}
		profile := language.For(tag)
		for _, stem := range profile.Stems(p.title + "\n\n" + p.text) {
			if !profile.IsFunctionWord(stem) {
				counts[i][stem]++
			}
		}
		for stem := range counts[i] {
			frequency[stem]++
		}
	}
	vectors := make([][]word, len(posts))
	having := map[string][]int{}
	for i := range counts {
		for stem, count := range counts[i] {
			rarity := math.Log(1 + float64(len(posts))/(frequency[stem]+1))
			vectors[i] = append(vectors[i], word{stem, (1 + math.Log(count)) * rarity})
		}
		slices.SortFunc(vectors[i], func(a, b word) int { return cmp.Compare(a.stem, b.stem) })
		unit(vectors[i])
		for at, w := range vectors[i] {
			having[w.stem] = append(having[w.stem], i, at)
		}
	}
	return func(of int) []int { return nearest(of, vectors, having) }
}

// unit makes the length of a vector 1.
func unit(vector []word) {
	var sum float64
	for _, w := range vector {
		sum += w.weight * w.weight
	}
	for i := range vector {
		vector[i].weight /= math.Sqrt(sum)
	}
}

// nearest returns the posts whose vectors are nearest to that of one. Having are the posts that have a stem, each with the stem's index in
// its vector.
func nearest(of int, vectors [][]word, having map[string][]int) []int {
	scores := make([]float64, len(vectors))
	for _, w := range vectors[of] {
		posts := having[w.stem]
		for n := 0; n < len(posts); n += 2 {
			scores[posts[n]] += w.weight * vectors[posts[n]][posts[n+1]].weight
		}
	}
	scores[of] = -1
	order := make([]int, len(vectors))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return order[:first]
}
