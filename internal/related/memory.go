package related

import (
	"slices"
	"sync"

	"github.com/pressroom-dev/pressroom/internal/language"
)

const (
	// keywordWeight is how much more a stem of a keyword says than one of a title.
	keywordWeight = 2
	// maxSubjects bounds the articles that are remembered: about 500 bytes each.
	maxSubjects = 50_000
	// maxStems bounds the stems that have numbers: about 100 bytes each.
	maxStems = 200_000
)

// Memory remembers what articles are about: to stem the titles and keywords of the 10,000 articles of a site takes a tenth of a second. It
// forgets those that were not asked for longest. It is safe for concurrent use.
type Memory struct {
	mu sync.Mutex
	// recent subjects, and those before them.
	recent, earlier map[subjectKey]*subject
	// stems by number: a number stays that of its stem.
	stems map[string]uint32
}

// subjectKey names an article of a site.
type subjectKey struct{ scope, name string }

// subject is what an article is about.
type subject struct {
	title, keyword, tag string
	// base language of tag.
	base string
	// stems of title and keyword, in the order of the alphabet, which keeps sums of fractions the same in every run.
	stems []weighted
	// key of the keyword (see KeywordKey).
	key string
}

// weighted is a stem, by its number, with what it says of an article.
type weighted struct {
	number uint32
	weight float64
}

// NewMemory returns a Memory of nothing.
func NewMemory() *Memory {
	return &Memory{recent: map[subjectKey]*subject{}, earlier: map[subjectKey]*subject{}, stems: map[string]uint32{}}
}

// bound forgets everything if too many stems have numbers. It is called before numbers are compared, and not in between.
func (m *Memory) bound() {
	if len(m.stems) > maxStems {
		clear(m.recent)
		clear(m.earlier)
		clear(m.stems)
	}
}

// subject returns what an article is about. It is called with the lock.
func (m *Memory) subject(scope string, a *Article) *subject {
	key := subjectKey{scope, a.Name}
	s := m.recent[key]
	if s != nil && s.of(a) {
		return s
	}
	if s = m.earlier[key]; s == nil || !s.of(a) {
		s = m.read(*a)
	}
	m.recent[key] = s
	if len(m.recent) > maxSubjects/2 {
		m.recent, m.earlier = map[subjectKey]*subject{}, m.recent
	}
	return s
}

// of reports whether the article is as it was read.
func (s *subject) of(a *Article) bool {
	return s.title == a.Title && s.keyword == a.Keyword && s.tag == a.Language
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
	names := make([]string, 0, len(weights))
	for stem := range weights {
		if !p.IsFunctionWord(stem) {
			names = append(names, stem)
		}
	}
	slices.Sort(names)
	s := &subject{title: a.Title, keyword: a.Keyword, tag: a.Language, base: p.Base(), key: KeywordKey(a.Language, a.Keyword)}
	s.stems = make([]weighted, len(names))
	for i, stem := range names {
		s.stems[i] = weighted{m.number(stem), weights[stem]}
	}
	return s
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
