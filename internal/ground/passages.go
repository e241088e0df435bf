package ground

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pressroom-dev/pressroom/internal/language"
)

// The parameters of BM25 as usual: how soon more of a word says no more, and how much long paragraphs count less.
const bm25K, bm25B = 1.2, 0.75

// Passages returns the paragraphs of the sources that say most about a query by BM25 over stems, the best first, of at most so many
// characters together. A paragraph that does not fit is left out. If no paragraph has a word of the query, the first ones are returned.
func Passages(m Material, tag, query string, chars int) []Passage {
	p := language.For(tag)
	type paragraph struct {
		Passage
		counts map[string]int
		length float64
		score  float64
	}
	var all []*paragraph
	frequency, length := map[string]float64{}, 0.0
	for _, s := range m.Sources {
		for text := range strings.SplitSeq(strings.ReplaceAll(s.Text, "\r\n", "\n"), "\n\n") {
			if text = strings.TrimSpace(text); text == "" {
				continue
			}
			one := &paragraph{Passage: Passage{Source: s.Name, Text: text}, counts: map[string]int{}}
			for _, stem := range p.Stems(text) {
				if one.counts[stem]++; one.counts[stem] == 1 {
					frequency[stem]++
				}
				one.length++
			}
			length += one.length
			all = append(all, one)
		}
	}
	asked := p.Stems(query)
	slices.Sort(asked)
	for _, stem := range slices.Compact(asked) {
		idf := math.Log(1 + (float64(len(all))-frequency[stem]+0.5)/(frequency[stem]+0.5))
		for _, one := range all {
			n := float64(one.counts[stem])
			one.score += idf * n * (bm25K + 1) / (n + bm25K*(1-bm25B+bm25B*one.length*float64(len(all))/max(1, length)))
		}
	}
	slices.SortStableFunc(all, func(a, b *paragraph) int { return cmp.Compare(b.score, a.score) })
	var best []Passage
	for _, one := range all {
		size := utf8.RuneCountInString(one.Text)
		if size > chars || one.score == 0 && len(best) > 0 && all[0].score > 0 {
			continue
		}
		chars -= size
		best = append(best, one.Passage)
	}
	return best
}
