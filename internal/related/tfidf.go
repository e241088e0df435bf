package related

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pressroom-dev/pressroom/internal/language"
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
	// query is the article's vector. Its length is 1 until it is expanded.
	query map[*stem]float64
}

func newTFIDF(site *Site, by int, of *subject) *tfidf {
	v := &tfidf{site: site, by: by, query: map[*stem]float64{}}
	length := v.length(of)
	for _, w := range of.stems[by] {
		if w.stem != nil {
			v.query[w.stem] = v.weight(w) / length
		}
	}
	return v
}

// idf is the inverse document frequency of a stem that some of all candidates have. It is a square root, as the weights of a stem in two
// articles are multiplied: so the logarithm counts once. Counted twice, one rare stem would outweigh all that titles have in common; see
// docs/reference/checks-and-gates.md for figures.
func idf(all, frequency float64) float64 { return math.Sqrt(math.Log(1 + all/(frequency+1))) }

func (v *tfidf) weight(w weighted) float64 {
	return float64(w.weight) * idf(float64(v.site.linkable), float64(w.stem.frequency(v.by)))
}

// length of a subject's vector; 1 if it has no stems.
func (v *tfidf) length(s *subject) float64 {
	var sum float64
	for _, w := range s.stems[v.by] {
		sum += v.weight(w) * v.weight(w)
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
	for _, w := range other.stems[v.by] {
		shared += v.query[w.stem] * v.weight(w)
	}
	if shared == 0 {
		return 0
	}
	return shared / v.length(other)
}

// expand adds to the query the stems that the nearest candidates have most in common (pseudo-relevance feedback). An article that is not
// written yet has few stems, and those of its nearest candidates say what else a text about the subject speaks of.
func (v *tfidf) expand(nearest []ranked) {
	gained := map[*stem]float64{}
	var order []*stem
	for _, near := range nearest {
		length := v.length(near.subject)
		for _, w := range near.subject.stems[v.by] {
			if _, ok := gained[w.stem]; !ok {
				order = append(order, w.stem)
			}
			gained[w.stem] += near.score * v.weight(w) / length
		}
	}
	slices.SortStableFunc(order, func(a, b *stem) int { return cmp.Compare(gained[b], gained[a]) })
	order = order[:min(len(order), expansionStems)]
	var sum float64
	for _, s := range order {
		sum += gained[s] * gained[s]
	}
	if sum == 0 {
		return
	}
	for _, s := range order {
		v.query[s] += expansionShare * gained[s] / math.Sqrt(sum)
	}
}

const (
	// maxTerms is how many stems say what a text is about.
	maxTerms = 30
	// MaxTermsBytes bounds what Terms returns, as the API does.
	MaxTermsBytes = 256
)

// Terms returns the stems that a plain text in the language of a BCP 47 tag has most often, separated by spaces: at most 30 and 256
// bytes, the most frequent first, and of two that are equally frequent the one that comes first in the text. Function words, numbers and
// single letters are left out. Terms that most articles of a site have are told apart when articles are compared.
func Terms(tag, text string) string {
	p := language.For(tag)
	counts := map[string]int{}
	var stems []string
	for _, stem := range p.Stems(text) {
		if counts[stem] == 0 {
			stems = append(stems, stem)
		}
		counts[stem]++
	}
	stems = slices.DeleteFunc(stems, func(stem string) bool { return !isTerm(stem) || p.IsFunctionWord(stem) })
	slices.SortStableFunc(stems, func(a, b string) int { return counts[b] - counts[a] })
	var b strings.Builder
	for n, stem := range stems {
		if n == maxTerms || b.Len()+len(stem)+1 > MaxTermsBytes {
			break
		}
		if n > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(stem)
	}
	return b.String()
}

// isTerm reports whether a stem is a word: not a number, and not a single letter of a script that has spaces between words.
func isTerm(stem string) bool {
	first, size := utf8.DecodeRuneInString(stem)
	return unicode.IsLetter(first) && (size < len(stem) || size > 2)
}

// termWeight is what the term at an index of Terms says of an article, in comparison with a stem of its title: the first says twice as
// much, the last a half.
func termWeight(index int) float64 {
	const first, last = 2, 0.5
	return first - (first-last)*float64(index)/maxTerms
}
