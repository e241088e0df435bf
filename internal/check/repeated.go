package check

import (
	"slices"

	"github.com/pressroom-dev/pressroom/internal/language"
)

// repeated counts the words that are in phrases of 5 words that occur 3 times in sentences. The example is the first one.
func (f *facts) repeated() (covered, words int, example string, at int) {
	keys := f.phraseKeys()
	counts := f.countKeys(keys)
	for _, b := range f.blocks {
		words += len(b.tokens)
		if !counts.repeats {
			continue
		}
		for _, s := range b.sentences {
			end, tokens := 0, f.reader.WordsOf(s)
			for i := 0; i+phraseWords <= len(tokens); i++ {
				key := keys[0]
				keys = keys[1:]
				if key == 0 || counts.of(key) < phraseTimes {
					continue
				}
				covered += i + phraseWords - max(end, i)
				end = i + phraseWords
				if example == "" {
					example, at = f.lists.stock.text(tokens[i:end]), b.Section
				}
			}
		}
	}
	return covered, words, example, at
}

// phraseKeys has a number for each run of 5 words in a sentence, which is the same for the same words. It is 0 if one of the words is too
// rare to be in a phrase that is repeated.
func (f *facts) phraseKeys() []uint64 {
	f.times = slices.Grow(f.times[:0], f.reader.Len())[:f.reader.Len()]
	clear(f.times)
	words := 0
	for _, b := range f.blocks {
		words += len(b.tokens)
		for _, w := range b.tokens {
			f.times[w]++
		}
	}
	f.keys = slices.Grow(f.keys[:0], words)
	for _, b := range f.blocks {
		for _, s := range b.sentences {
			if words := f.reader.WordsOf(s); len(words) >= phraseWords {
				f.keys = appendPhraseKeys(f.keys, words, f.times)
			}
		}
	}
	return f.keys
}

// spread is a prime near 2^64 divided by the golden ratio: it spreads the numbers of words. spreadOut is its power by phraseWords.
const (
	spread    = 0x9E3779B97F4A7C55
	spreadOut = spread * spread % (1 << 64) * spread % (1 << 64) * spread % (1 << 64) * spread % (1 << 64)
)

func appendPhraseKeys(keys []uint64, words []language.Word, times []uint32) []uint64 {
	run, sum := 0, uint64(0)
	for i, w := range words {
		if run++; times[w] < phraseTimes {
			run = 0
		}
		sum = sum*spread + uint64(w+1)
		if i < phraseWords-1 {
			continue
		}
		if i >= phraseWords {
			sum -= uint64(words[i-phraseWords]+1) * spreadOut
		}
		key := uint64(0)
		if run >= phraseWords {
			// The upper bits of a product depend on all of a sum.
			key = max(sum*spread, 1)
		}
		keys = append(keys, key)
	}
	return keys
}

// keyCounts counts keys that are not 0.
type keyCounts struct {
	// places of keys, of which a half is free at least; there are a power of two of them.
	places []keyCount
	used   int
	// repeats is true if a key occurs as often as a phrase that is repeated.
	repeats bool
}

type keyCount struct {
	key   uint64
	count uint32
}

// fewKeys is the number of places at first.
const fewKeys = 1 << 6

// countKeys counts the keys of a text. It expects no more different ones than the text has different words.
func (f *facts) countKeys(keys []uint64) keyCounts {
	all := 0
	for _, key := range keys {
		if key != 0 {
			all++
		}
	}
	places := fewKeys
	for places < 2*min(all, f.reader.Len()) {
		places *= 2
	}
	f.places = slices.Grow(f.places[:0], places)[:places]
	clear(f.places)
	c := keyCounts{places: f.places}
	for _, key := range keys {
		if key != 0 {
			c.add(key)
		}
	}
	return c
}

func (c *keyCounts) add(key uint64) {
	p := c.place(key)
	if p.key == 0 {
		if c.used++; 2*c.used > len(c.places) {
			c.grow()
			p = c.place(key)
		}
		p.key = key
	}
	p.count++
	c.repeats = c.repeats || p.count >= phraseTimes
}

func (c *keyCounts) grow() {
	old := c.places
	c.places = make([]keyCount, 2*len(old))
	for _, p := range old {
		if p.key != 0 {
			*c.place(p.key) = p
		}
	}
}

func (c *keyCounts) of(key uint64) uint32 { return c.place(key).count }

// place of a key: the one that it has, or the free one where it belongs.
func (c *keyCounts) place(key uint64) *keyCount {
	last := uint64(len(c.places) - 1) //nolint:gosec // G115: there are fewKeys at least
	for i := key >> 32 & last; ; i = (i + 1) & last {
		if p := &c.places[i]; p.key == 0 || p.key == key {
			return p
		}
	}
}
