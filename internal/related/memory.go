package related

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"k8s.io/utils/lru"

	"github.com/pressroom-dev/pressroom/internal/language"
)

const (
	// keywordWeight is how much more a stem of a keyword says than one of a title.
	keywordWeight = 2
	// maxSubjects bounds the articles that are remembered: about 1,000 bytes each.
	maxSubjects = 50_000
	// maxStems bounds the stems that have numbers: about 100 bytes each.
	maxStems = 200_000
)

// Memory remembers what articles are about: to stem the titles and keywords of the 10,000 articles of a site takes a tenth of a second. It
// forgets those that were not asked for longest. It is safe for concurrent use.
type Memory struct {
	mu sync.Mutex
	// subjects of articles, by their subjectKey.
	subjects *lru.Cache
	// stems by number: a number stays that of its stem.
	stems map[string]uint32
}

// subjectKey names an article of a site.
type subjectKey struct{ scope, name string }

// subject is what an article is about.
type subject struct {
	title, keyword, terms, tag string
	// base language of tag.
	base string
	// stems of title and keyword, and these with the terms of the text. They are in the order of the alphabet, which keeps sums of
	// fractions the same in every run.
	words, all []weighted
	// key of the keyword (see keywordKey).
	key string
}

// weighted is a stem, by its number, with what it says of an article.
type weighted struct {
	number uint32
	weight float64
}

func (s *subject) ofTitle() []weighted { return s.words }

func (s *subject) ofAll() []weighted { return s.all }

// NewMemory returns a Memory of nothing.
func NewMemory() *Memory {
	return &Memory{subjects: lru.New(maxSubjects), stems: map[string]uint32{}}
}

// bound forgets everything if too many stems have numbers. It is called before numbers are compared, and not in between.
func (m *Memory) bound() {
	if len(m.stems) > maxStems {
		m.subjects.Clear()
		clear(m.stems)
	}
}

// subject returns what an article is about. It is called with the lock.
func (m *Memory) subject(scope string, a *Article) *subject {
	key := subjectKey{scope, a.Name}
	known, _ := m.subjects.Get(key)
	if s, ok := known.(*subject); ok && s.of(a) {
		return s
	}
	s := m.read(*a)
	m.subjects.Add(key, s)
	return s
}

// of reports whether the article is as it was read.
func (s *subject) of(a *Article) bool {
	return s.title == a.Title && s.keyword == a.Keyword && s.terms == a.Terms && s.tag == a.Language
}

// read stems the title and the keyword of an article.
func (m *Memory) read(a Article) *subject {
	p := language.For(a.Language)
	weights := map[string]float64{}
	for _, stem := range p.Stems(a.Title) {
		weights[stem] = 1
	}
	for _, stem := range p.Stems(a.Keyword) {
		weights[stem] = keywordWeight
	}
	maps.DeleteFunc(weights, func(stem string, _ float64) bool { return p.IsFunctionWord(stem) })
	s := &subject{
		title: a.Title, keyword: a.Keyword, terms: a.Terms, tag: a.Language, base: p.Base(), key: keywordKey(a.Language, a.Keyword),
		words: m.numbered(weights),
	}
	s.all = s.words
	if a.Terms != "" {
		for i, stem := range strings.Fields(a.Terms) {
			weights[stem] = max(weights[stem], termWeight(i))
		}
		s.all = m.numbered(weights)
	}
	return s
}

// numbered returns stems by their numbers, in the order of the alphabet.
func (m *Memory) numbered(weights map[string]float64) []weighted {
	stems := make([]weighted, 0, len(weights))
	for _, stem := range slices.Sorted(maps.Keys(weights)) {
		stems = append(stems, weighted{m.number(stem), weights[stem]})
	}
	return stems
}

// number returns that of a stem.
func (m *Memory) number(stem string) uint32 {
	n, ok := m.stems[stem]
	if !ok {
		n = uint32(len(m.stems)) //nolint:gosec // at most maxStems
		m.stems[stem] = n
	}
	return n
}
