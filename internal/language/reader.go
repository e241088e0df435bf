package language

import (
	"bytes"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
)

// longWord is the number of letters over which a word is long; see Sentence.
const longWord = 6

// Reader splits the texts of one article into sentences and words. It looks once at each text, and finds out once what there is to know of
// each word. It is for one goroutine.
type Reader struct {
	profile    *Profile
	classes    *classTable
	lists      *wordLists
	vocabulary vocabulary
	facts      []wordFacts
	// words of all texts, one after another, so that the words of a text are a part of it.
	words     []Word
	sentences []Sentence
	// word that is being read, how many signs it has at its end, and whether it has an apostrophe.
	word       []byte
	signs      int
	apostrophe bool
	count      wordCount
	split      splitter
	// singles are the numbers of words of one character, in places that others may take.
	singles []single
	// letters are the numbers of words of one ASCII letter or digit, plus 1.
	letters [utf8.RuneSelf]Word
	kept    kept
	// folded are the folded forms of characters that change with those behind them.
	folded map[string]folded
	// lastCluster are the characters that were folded last.
	lastCluster string
	lastFolded  folded
	// particles is true if a word may have particles at its end.
	particles bool
	// stems of the words that somebody has asked for, and the environment of the stemmer.
	stems []string
	env   snowballstem.Env
}

// wordFacts are what is known of a word: the index of the set of languages in which it is a function word, and whether it is long.
type wordFacts uint32

const wordIsLong wordFacts = 1 << 31

func (r *Reader) languagesOf(w Word) uint64 { return r.lists.sets[r.facts[w]&^wordIsLong] }

// NewReader returns a reader of texts in the profile's language.
func (p *Profile) NewReader() *Reader { return p.NewReaderFor(0) }

// NewReaderFor returns a reader with room for the words of so many bytes of text.
func (p *Profile) NewReaderFor(size int) *Reader {
	r := &Reader{profile: p, classes: classes(), lists: functionWords(), split: newSplitter(p.base), folded: map[string]folded{}}
	r.expect(size)
	return r
}

// expect makes room for the words of so many bytes of text.
func (r *Reader) expect(size int) {
	const usualWord, usualRepeats = 6, 2
	words := size / usualWord
	r.words = slices.Grow(r.words, words)
	r.facts = slices.Grow(r.facts, words/usualRepeats)
	r.vocabulary.expect(words / usualRepeats)
}

// Keep keeps the words that have been read so far when the reader is used again.
func (r *Reader) Keep() {
	r.kept = kept{words: len(r.words), facts: len(r.facts), particles: r.particles}
}

// kept is what a reader has when it is used again.
type kept struct {
	words, facts int
	particles    bool
}

// Again makes the reader ready for other texts, of so many bytes. It has its memory, and forgets all but the words that it keeps.
func (r *Reader) Again(size int) {
	r.words, r.facts, r.particles = r.words[:r.kept.words], r.facts[:r.kept.facts], r.kept.particles
	r.sentences = r.sentences[:0]
	clear(r.stems)
	r.stems = r.stems[:0]
	clear(r.singles)
	clear(r.letters[:])
	clear(r.folded)
	r.lastCluster, r.lastFolded = "", folded{}
	r.vocabulary.ends = r.vocabulary.ends[:r.kept.facts]
	r.expect(size)
}

// Knows reports whether the reader's words and scripts are those of a profile.
func (r *Reader) Knows(p *Profile) bool {
	return r.profile.base == p.base && r.profile.script == p.script && r.profile.otherScript == p.otherScript
}

// Profile of the language.
func (r *Reader) Profile() *Profile { return r.profile }

// Sentence of a text that a Reader has read; see WordsOf.
type Sentence struct {
	// start and end of its words.
	start, end uint32
	// Count of words for readers, as CountWords has it.
	Count uint32
	// Long counts the words for comparing that have more than 6 letters.
	Long uint32
	// First is the word for comparing that was read before all others of the sentence: no word of it is less.
	First Word
}

// WordsOf returns the words of a sentence for comparing, as Tokens has them.
func (r *Reader) WordsOf(s Sentence) []Word { return r.words[s.start:s.end] }

// Sentences splits a paragraph into sentences, as the function of the profile, and into words, which are those of all sentences.
func (r *Reader) Sentences(paragraph string) ([]Sentence, []Word) {
	from, start := len(r.sentences), len(r.words)
	r.split.each(paragraph, func(sentence string) {
		r.count = wordCount{}
		before := len(r.words)
		r.read(sentence)
		//nolint:gosec // G115: a text has fewer than 2^32 words
		s := Sentence{start: uint32(before), end: uint32(len(r.words)), Count: uint32(r.count.total()), First: math.MaxUint32}
		for _, w := range r.words[before:] {
			s.Long += uint32(r.facts[w] >> 31)
			s.First = min(s.First, w)
		}
		r.sentences = append(r.sentences, s)
	})
	return r.sentences[from:len(r.sentences):len(r.sentences)], r.words[start:len(r.words):len(r.words)]
}

// Words splits a text into words, as Tokens does.
func (r *Reader) Words(text string) []Word {
	start := len(r.words)
	r.read(text)
	end := len(r.words)
	return r.words[start:end:end]
}

// Tokens splits a text into words; see the method of the profile.
func (r *Reader) Tokens(text string) []string {
	words := r.Words(text)
	tokens := make([]string, len(words))
	for i, w := range words {
		tokens[i] = r.Text(w)
	}
	return tokens
}

// Phrase returns the words of a text that is split already.
func (r *Reader) Phrase(tokens []string) []Word {
	start := len(r.words)
	for _, token := range tokens {
		r.words = append(r.words, r.number([]byte(token)))
	}
	end := len(r.words)
	return r.words[start:end:end]
}

// Text of a word.
func (r *Reader) Text(w Word) string { return string(r.vocabulary.at(w)) }

// Len is the number of different words so far; each is less.
func (r *Reader) Len() int { return r.vocabulary.len() }

// IsFunctionWord reports whether a word carries grammar rather than meaning; see the method of the profile.
func (r *Reader) IsFunctionWord(w Word) bool { return r.languagesOf(w)&r.profile.list != 0 }

// HasParticles reports whether a word that was read may be another with a particle at its end.
func (r *Reader) HasParticles() bool { return r.particles }

// SameWord reports whether a word of a text is the one that is wanted; see the function of this name.
func (r *Reader) SameWord(word, want Word) bool {
	return word == want || r.particles && r.isWithParticle(word, want)
}

func (r *Reader) isWithParticle(word, want Word) bool {
	have, wanted := r.vocabulary.at(word), r.vocabulary.at(want)
	return endsInHangul(wanted) && bytes.HasPrefix(have, wanted)
}

// number returns the number of a word, and finds out about it if it is new.
func (r *Reader) number(word []byte) Word {
	hash := hashOf(word)
	w := r.vocabulary.add(hash, word)
	if int(w) < len(r.facts) {
		return w
	}
	facts := wordFacts(r.lists.find(hash, word))
	if len(word) > longWord && (len(word) > longWord*utf8.UTFMax || utf8.RuneCount(word) > longWord) {
		facts |= wordIsLong
	}
	r.facts = append(r.facts, facts)
	r.particles = r.particles || endsInHangul(word)
	return w
}
