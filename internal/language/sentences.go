package language

import (
	"strings"
	"unicode/utf8"
)

// Sentences splits one paragraph into sentences by UAX #29, without the blanks around them. Line feeds are blanks. What has no letter
// and no number is no sentence. A full stop behind a common abbreviation ends none.
func (p *Profile) Sentences(paragraph string) []string {
	var out []string
	s := newSplitter(p.base)
	s.each(paragraph, func(sentence string) { out = append(out, sentence) })
	return out
}

// splitter splits paragraphs of a language into sentences.
type splitter struct {
	classes       *classTable
	abbreviations []string
}

func newSplitter(base string) splitter {
	return splitter{classes: classes(), abbreviations: abbreviations[base]}
}

// each calls a function for each sentence of a paragraph.
func (s *splitter) each(paragraph string, see func(string)) {
	// UAX #29 ends a sentence at each line feed, and in a paragraph they mean nothing.
	text := paragraph
	if hasLineFeed(text) {
		text = lineFeeds.Replace(text)
	}
	start, from := 0, 0
	for from < len(text) {
		from = s.end(text, from)
		if from < len(text) && s.continues(text[start:from], text[from:]) {
			continue
		}
		if sentence := s.trim(text[start:from]); s.hasWord(sentence) {
			see(sentence)
		}
		start = from
	}
}

// trim removes the blanks around a text. Most have none.
func (s *splitter) trim(text string) string {
	first, _ := decode(text, 0)
	last := decodeLast(text)
	if (s.classes.of(first)|s.classes.of(last))&classSpace == 0 {
		return text
	}
	return strings.TrimSpace(text)
}

// hasWord reports whether a text has a character of a word.
func (s *splitter) hasWord(text string) bool {
	for _, c := range text {
		if s.classes.of(c)&classWord != 0 {
			return true
		}
	}
	return false
}

// end returns where the sentence that begins at an index ends by UAX #29. The rules need no more of a text than what stands around a mark,
// and take time that grows with its length alone.
func (s *splitter) end(text string, start int) int {
	for i := start; ; {
		mark := s.firstMark(text, i)
		if mark == len(text) {
			return mark
		}
		var ends bool
		if i, ends = s.behind(text, mark, start); ends {
			return i
		}
	}
}

// firstMark returns where the first character stands that may end a sentence: of full stops and the like that follow each other, the last.
func (s *splitter) firstMark(text string, start int) int {
	for i := start; i < len(text); {
		c, size := rune(text[i]), 1
		if c < utf8.RuneSelf {
			if isASCIITerm(text[i]) {
				for i+1 < len(text) && isASCIITerm(text[i+1]) {
					i++
				}
				return i
			}
		} else {
			c, size = decode(text, i)
			if isTerm(s.classes.of(c).breaks()) {
				return i
			}
		}
		i += size
	}
	return len(text)
}

func isASCIITerm(c byte) bool { return c == '.' || c == '!' || c == '?' }

func isTerm(k breakKind) bool { return k == breakATerm || k == breakSTerm }

// behind reports whether a sentence ends behind a mark and what closes it, and where; or else from where to look for another mark. The
// rules by their names in UAX #29 are SB6 to SB11.
func (s *splitter) behind(text string, mark, start int) (next int, ends bool) {
	term, size := s.kind(text, mark)
	word := mark + size
	i := word
	kind, size := s.kind(text, i)
	if kind == breakExtend || kind == breakClose || kind == breakSp {
		word = s.skip(text, word, breakExtend)
		i = s.skip(text, s.skip(text, word, breakClose), breakSp)
		kind, size = s.kind(text, i)
	}
	if i == len(text) {
		return i, true
	}
	switch {
	case isTerm(kind), kind == breakSContinue: // SB8a
		return i, false
	case term == breakSTerm:
		return i, true
	case i == word && kind == breakNumeric, // SB6
		i == word && kind == breakUpper && s.endsInCase(text[start:mark]): // SB7
		return i + size, false
	}
	letter := s.nextLetter(text, i)
	if kind, _ = s.kind(text, letter); kind == breakLower { // SB8
		return letter, false
	}
	return i, true
}

// kind of the character at an index.
func (s *splitter) kind(text string, i int) (breakKind, int) {
	if i == len(text) {
		return breakOther, 0
	}
	c, size := decode(text, i)
	return s.classes.of(c).breaks(), size
}

// skip returns the index behind characters of a kind, and behind those that belong to the character before them.
func (s *splitter) skip(text string, i int, kind breakKind) int {
	for i < len(text) {
		k, size := s.kind(text, i)
		if k != kind && k != breakExtend {
			break
		}
		i += size
	}
	return i
}

// nextLetter returns where the next letter or mark stands that ends a sentence.
func (s *splitter) nextLetter(text string, i int) int {
	for i < len(text) {
		k, size := s.kind(text, i)
		if k == breakLower || k == breakUpper || k == breakOLetter || isTerm(k) {
			break
		}
		i += size
	}
	return i
}

// endsInCase reports whether the last character of a text is a letter that has a case.
func (s *splitter) endsInCase(text string) bool {
	for len(text) > 0 {
		c, size := utf8.DecodeLastRuneInString(text)
		if k := s.classes.of(c).breaks(); k != breakExtend {
			return k == breakLower || k == breakUpper
		}
		text = text[:len(text)-size]
	}
	return false
}

func hasLineFeed(text string) bool {
	return strings.IndexByte(text, '\n') >= 0 || strings.IndexByte(text, '\r') >= 0 || strings.Contains(text, "\u0085") ||
		strings.Contains(text, "\u2028") || strings.Contains(text, "\u2029")
}

var lineFeeds = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\u2028", " ", "\u2029", " ", "\u0085", " ")
