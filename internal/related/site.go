package related

import (
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/pressroom-dev/pressroom/internal/language"
)

// keywordWeight is how much more a stem of a keyword says than one of a title.
const keywordWeight = 2

// Site is an index of the articles of one site: a comparison looks at those that share something, and not at all of them. It is safe for
// concurrent use.
type Site struct {
	// Language of the site, as a BCP 47 tag.
	Language string

	mu       sync.RWMutex
	articles map[string]*subject
	// keywords has the names of the articles by their keywordKey.
	keywords map[string]map[string]struct{}
	// stems have numbers, by which withStem has the articles with each that can be linked to.
	stems    map[string]uint32
	withStem [][]*subject
	// frequencies is how many of these have each stem in their title, and in title or text.
	frequencies [2][]int
	// linkable is how many articles are.
	linkable int
	// prints has the fingerprints of published texts.
	prints []printed
	// gone is how many articles were removed from the index and are in its lists still.
	gone int
}

// printed is the fingerprint of a published article.
type printed struct {
	fingerprint Fingerprint
	of          *subject
}

// By what articles are compared.
const (
	byTitle = iota
	byText
)

type subject struct {
	Article
	// base language of the article.
	base string
	// stems of title and keyword, and these with the terms of the text. They are in the order of the alphabet, which keeps sums of
	// fractions the same in every run. An article that cannot be linked to has none.
	stems [2][]weighted
	// key of the keyword (see keywordKey).
	key string
	// gone means that the article has changed since, or is deleted.
	gone bool
}

// weighted is a stem, by its number, with what it says of an article.
type weighted struct {
	number uint32
	weight float32
}

// unknown is the number of a stem that none of these has.
const unknown = math.MaxUint32

// NewSite returns the index of some articles of a site.
func NewSite(tag string, articles []Article) *Site {
	s := &Site{Language: tag}
	s.clear()
	for _, a := range articles {
		s.set(a)
	}
	return s
}

func (s *Site) clear() {
	s.articles, s.keywords, s.stems = map[string]*subject{}, map[string]map[string]struct{}{}, map[string]uint32{}
	s.withStem, s.frequencies, s.linkable, s.prints, s.gone = nil, [2][]int{}, 0, nil, 0
}

// Set adds an article, or changes it.
func (s *Site) Set(a Article) {
	s.mu.RLock()
	known, ok := s.articles[a.Name]
	same := ok && known.Article == a
	s.mu.RUnlock()
	if same {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(a.Name)
	s.set(a)
}

// Remove removes an article if the index has it.
func (s *Site) Remove(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(name)
}

// Len returns the number of articles.
func (s *Site) Len() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.articles)
}

func (s *Site) set(a Article) {
	if len(s.articles) >= maxIndexed {
		return
	}
	about := &subject{Article: a, key: keywordKey(a.Language, a.Keyword)}
	if a.linkable() {
		about = s.read(a, s.number)
		s.linkable++
		for by := range about.stems {
			for _, stem := range about.stems[by] {
				s.frequencies[by][stem.number]++
			}
		}
		for _, stem := range about.stems[byText] {
			s.withStem[stem.number] = append(s.withStem[stem.number], about)
		}
	}
	if f, ok := ParseFingerprint(a.Fingerprint); ok && a.Published {
		s.prints = append(s.prints, printed{f, about})
	}
	s.articles[a.Name] = about
	if about.key != "" {
		if s.keywords[about.key] == nil {
			s.keywords[about.key] = map[string]struct{}{}
		}
		s.keywords[about.key][a.Name] = struct{}{}
	}
}

// remove takes an article out. Its places in lists are skipped, until half of the articles in them are gone.
func (s *Site) remove(name string) {
	about := s.articles[name]
	if about == nil {
		return
	}
	delete(s.articles, name)
	if delete(s.keywords[about.key], name); len(s.keywords[about.key]) == 0 {
		delete(s.keywords, about.key)
	}
	if !about.Published {
		return
	}
	about.gone = true
	s.gone++
	if about.linkable() {
		s.linkable--
	}
	for by := range about.stems {
		for _, stem := range about.stems[by] {
			s.frequencies[by][stem.number]--
		}
	}
	if s.gone > 100+len(s.articles) {
		left := s.articles
		s.clear()
		for _, other := range left {
			s.set(other.Article)
		}
	}
}

func (s *Site) read(a Article, number func(stem string) uint32) *subject {
	p := language.For(a.Language)
	weights := map[string]float64{}
	for _, stem := range p.Stems(a.Title) {
		weights[stem] = 1
	}
	for _, stem := range p.Stems(a.Keyword) {
		weights[stem] = keywordWeight
	}
	maps.DeleteFunc(weights, func(stem string, _ float64) bool { return p.IsFunctionWord(stem) })
	about := &subject{Article: a, base: p.Base(), key: keywordKey(a.Language, a.Keyword)}
	about.stems[byTitle] = numbered(weights, number)
	about.stems[byText] = about.stems[byTitle]
	if a.Terms != "" {
		for i, stem := range strings.Fields(a.Terms) {
			weights[stem] = max(weights[stem], termWeight(i))
		}
		about.stems[byText] = numbered(weights, number)
	}
	return about
}

// numbered returns stems by their numbers, in the order of the alphabet.
func numbered(weights map[string]float64, number func(string) uint32) []weighted {
	stems := make([]weighted, 0, len(weights))
	for _, stem := range slices.Sorted(maps.Keys(weights)) {
		stems = append(stems, weighted{number(stem), float32(weights[stem])})
	}
	return stems
}

// known returns the number of a stem, or unknown.
func (s *Site) known(stem string) uint32 {
	if n, ok := s.stems[stem]; ok {
		return n
	}
	return unknown
}

// number returns the number of a stem, which it may get now.
func (s *Site) number(stem string) uint32 {
	n, ok := s.stems[stem]
	if !ok {
		n = uint32(len(s.stems)) //nolint:gosec // at most 50 for each article
		s.stems[strings.Clone(stem)] = n
		s.withStem = append(s.withStem, nil)
		for by := range s.frequencies {
			s.frequencies[by] = append(s.frequencies[by], 0)
		}
	}
	return n
}

// frequency is how many articles that can be linked to have a stem.
func (s *Site) frequency(by int, stem weighted) int {
	if stem.number == unknown {
		return 0
	}
	return s.frequencies[by][stem.number]
}
