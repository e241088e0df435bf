package language

import (
	"bytes"
	"hash/maphash"
)

// Word is the number of a word in the texts that one Reader has read. The same word has the same number.
type Word uint32

// vocabulary gives words their numbers, from 0. It has no pointers in it that a garbage collector had to follow for each word.
type vocabulary struct {
	// slots by the hash of the word, or the next one that is free; there are a power of two of them.
	slots []slot
	// ends of the words in their text.
	ends []uint32
	text []byte
}

// slot of a word: its number plus 1, and its hash. A slot that is free is zero.
type slot struct{ number, hash uint32 }

// fewWords is the number of slots of a new vocabulary.
const fewWords = 1 << 10

// seed of the hashes in this process.
var seed = maphash.MakeSeed()

func hashOf(word []byte) uint32 {
	return uint32(maphash.Bytes(seed, word)) //nolint:gosec // G115: the lower bits of a hash are one too
}

func newVocabulary() vocabulary { return vocabulary{slots: make([]slot, fewWords)} }

// expect makes room for so many words.
func (v *vocabulary) expect(words int) {
	size := fewWords
	for 3*size < 4*words {
		size *= 2
	}
	v.reset(v.len(), size)
}

// reset forgets all words but the first ones, and has so many slots.
func (v *vocabulary) reset(words, size int) {
	if size <= cap(v.slots) {
		v.slots = v.slots[:size]
		clear(v.slots)
	} else {
		v.slots = make([]slot, size)
	}
	v.ends, v.text = v.ends[:words], v.text[:v.endOf(words)]
	for w := range words {
		word := v.at(Word(w))
		hash := hashOf(word)
		*v.slot(hash, word) = slot{number: uint32(w) + 1, hash: hash}
	}
}

// endOf the text of the first words.
func (v *vocabulary) endOf(words int) uint32 {
	if words == 0 {
		return 0
	}
	return v.ends[words-1]
}

// len is the number of words.
func (v *vocabulary) len() int { return len(v.ends) }

// at returns a word. It may not be changed.
func (v *vocabulary) at(w Word) []byte {
	start, end := v.endOf(int(w)), v.ends[w]
	return v.text[start:end:end]
}

// find returns the number of a word plus 1; 0 if it has none.
func (v *vocabulary) find(hash uint32, word []byte) uint32 { return v.slot(hash, word).number }

// add returns the number of a word, which is v.len() before the call if the word is new.
func (v *vocabulary) add(hash uint32, word []byte) Word {
	if 4*v.len() >= 3*len(v.slots) {
		v.grow()
	}
	s := v.slot(hash, word)
	if s.number == 0 {
		v.text = append(v.text, word...)
		v.ends = append(v.ends, uint32(len(v.text)))       //nolint:gosec // G115: a text has fewer than 2^32 bytes
		*s = slot{number: uint32(len(v.ends)), hash: hash} //nolint:gosec // G115: and fewer words
	}
	return Word(s.number - 1)
}

// slot of a word: the one that it has, or the free one where it belongs.
func (v *vocabulary) slot(hash uint32, word []byte) *slot {
	last := uint32(len(v.slots) - 1) //nolint:gosec // G115: see add
	for i := hash & last; ; i = (i + 1) & last {
		s := &v.slots[i]
		if s.number == 0 || s.hash == hash && bytes.Equal(v.at(Word(s.number-1)), word) {
			return s
		}
	}
}

// grow doubles the slots.
func (v *vocabulary) grow() {
	old := v.slots
	v.slots = make([]slot, 2*len(old))
	last := uint32(len(v.slots) - 1) //nolint:gosec // G115: see add
	for _, s := range old {
		if s.number == 0 {
			continue
		}
		i := s.hash & last
		for v.slots[i].number > 0 {
			i = (i + 1) & last
		}
		v.slots[i] = s
	}
}
