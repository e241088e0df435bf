package related

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/pressroom-dev/pressroom/internal/language"
)

// keywordWeight is how much more a stem of a keyword says than one of a title.
const keywordWeight = 2

// Site is an index of the articles of one site: a comparison measures those that share a stem, and not all of them. It is safe for
// concurrent use.
type Site struct {
	// Language of the site, as a BCP 47 tag.
	Language string

	mu       sync.RWMutex
	articles map[string]*subject
	// stems of the articles that can be linked to.
	stems map[string]*stem
	// linkable is how many articles are.
	linkable int
	// prints has the fingerprints of published texts.
	prints []printed
}

// stem has the articles that can be linked to with this stem in title or text, and how many of these have it in their title.
type stem struct {
	text     string
	articles []*subject
	inTitles int
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
}

// weighted is a stem with what it says of an article. The stem is nil if no article that can be linked to has it.
type weighted struct {
	stem   *stem
	weight float32
}

// NewSite returns the index of some articles of a site.
func NewSite(tag string, articles []Article) *Site {
	s := &Site{Language: tag, articles: map[string]*subject{}, stems: map[string]*stem{}}
	for _, a := range articles {
		s.set(a)
	}
	return s
}

// Set adds an article, or changes it.
func (s *Site) Set(a Article) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.articles[a.Name]; known == nil || known.Article != a {
		s.remove(a.Name)
		s.set(a)
	}
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
	about := &subject{Article: a, key: keywordKey(a.Language, a.Keyword)}
	if a.linkable() {
		about = s.read(a, s.stemOf)
		s.linkable++
		for _, w := range about.stems[byTitle] {
			w.stem.inTitles++
		}
		for _, w := range about.stems[byText] {
			w.stem.articles = append(w.stem.articles, about)
		}
	}
	if f, ok := ParseFingerprint(a.Fingerprint); ok && a.Published {
		s.prints = append(s.prints, printed{f, about})
	}
	s.articles[a.Name] = about
}

// remove takes an article out.
func (s *Site) remove(name string) {
	about := s.articles[name]
	if about == nil {
		return
	}
	delete(s.articles, name)
	s.prints = slices.DeleteFunc(s.prints, func(p printed) bool { return p.of == about })
	if !about.linkable() {
		return
	}
	s.linkable--
	for _, w := range about.stems[byTitle] {
		w.stem.inTitles--
	}
	for _, w := range about.stems[byText] {
		w.stem.articles = slices.DeleteFunc(w.stem.articles, func(other *subject) bool { return other == about })
		if len(w.stem.articles) == 0 {
			delete(s.stems, w.stem.text)
		}
	}
}

func (s *Site) read(a Article, stemOf func(string) *stem) *subject {
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
	about.stems[byTitle] = inOrder(weights, stemOf)
	about.stems[byText] = about.stems[byTitle]
	if a.Terms != "" {
		for i, stem := range strings.Fields(a.Terms) {
			weights[stem] = max(weights[stem], termWeight(i))
		}
		about.stems[byText] = inOrder(weights, stemOf)
	}
	return about
}

// inOrder returns stems in the order of the alphabet.
func inOrder(weights map[string]float64, stemOf func(string) *stem) []weighted {
	stems := make([]weighted, 0, len(weights))
	for _, text := range slices.Sorted(maps.Keys(weights)) {
		stems = append(stems, weighted{stemOf(text), float32(weights[text])})
	}
	return stems
}

// known returns a stem; nil if no article that can be linked to has it.
func (s *Site) known(text string) *stem { return s.stems[text] }

// stemOf returns a stem, which the index may get now.
func (s *Site) stemOf(text string) *stem {
	known := s.stems[text]
	if known == nil {
		known = &stem{text: strings.Clone(text)}
		s.stems[known.text] = known
	}
	return known
}

// frequency is how many articles that can be linked to have a stem.
func (s *stem) frequency(by int) int {
	switch {
	case s == nil:
		return 0
	case by == byTitle:
		return s.inTitles
	default:
		return len(s.articles)
	}
}
