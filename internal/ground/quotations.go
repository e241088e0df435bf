package ground

import (
	"cmp"
	"index/suffixarray"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pressroom-dev/pressroom/internal/ground/words"
	"github.com/pressroom-dev/pressroom/internal/language"
)

// minQuoted is the least number of words of a quotation.
const minQuoted = 4

// closers of quotation marks. Straight marks and the apostrophe are told by what stands around them.
var closers = map[rune]string{
	'“': "”“", '„': "“”", '«': "»", '»': "«»", '‹': "›", '‘': "’", '‚': "‘’", '「': "」", '『': "』", '〝': "〞〟",
	'"': "\"", '\'': "'", '”': "”", '＂': "＂",
}

// findQuotations returns where quotations of four words or more stand in a text, without their marks.
func findQuotations(text string) []words.Span {
	var found []words.Span
	var never [8]string
	unended := never[:0]
	for at := 0; at < len(text); {
		r, n := words.RuneAt(text, at)
		at += n
		if r < utf8.RuneSelf && r != '"' && r != '\'' {
			continue
		}
		ends := closers[r]
		if ends == "" || !opens(text, at-n, at, r) {
			continue
		}
		end, restart, ok := closing(text, at, r, ends, unended)
		if !ok {
			if len(unended) < cap(unended) {
				unended = append(unended, ends)
			}
			continue
		}
		if restart > 0 {
			at = restart
			continue
		}
		if quoted := text[at:end]; language.CountWords(quoted) >= minQuoted {
			found = append(found, words.Span{Start: at, End: end})
		}
		_, n = words.RuneAt(text, end)
		at = end + n
	}
	return found
}

// opens reports whether a mark begins a quotation: what stands before it is no word, and what follows is no blank.
func opens(text string, at, after int, mark rune) bool {
	before := words.RuneBefore(text, at)
	next, n := words.RuneAt(text, after)
	if n == 0 || words.IsBlank(next) && mark != '«' {
		return false
	}
	if mark == '"' || mark == '\'' || mark == '»' || mark == '‘' || mark == '”' || mark == '＂' {
		return !words.IsWord(before) && !strings.ContainsRune(".,;:!?%)", before)
	}
	return true
}

// closing returns where the quotation ends that begins at an index. If another mark of the kind opens before, a mark was left out: restart
// is where that one stands.
func closing(text string, at int, mark rune, ends string, unended []string) (end, restart int, ok bool) {
	if slices.Contains(unended, ends) {
		return 0, 0, false
	}
	for i := at; i < len(text); {
		r, n := words.RuneAt(text, i)
		isEnd := strings.ContainsRune(ends, r)
		switch {
		case r == mark && i > at && opensAgain(text, i, i+n, r, isEnd):
			return 0, i, true
		case isEnd && closes(text, i, i+n, r):
			return i, 0, true
		}
		i += n
	}
	return 0, 0, false
}

// opensAgain reports whether a mark of the kind that has opened a quotation opens another: a straight one stands between a blank and a
// word.
func opensAgain(text string, at, after int, mark rune, isEnd bool) bool {
	if !isEnd {
		return opens(text, at, after, mark)
	}
	next, _ := words.RuneAt(text, after)
	return words.IsBlank(words.RuneBefore(text, at)) && !words.IsBlank(next)
}

// closes reports whether a mark ends a quotation: straight ones and apostrophes stand in words, too.
func closes(text string, at, after int, mark rune) bool {
	next, _ := words.RuneAt(text, after)
	switch mark {
	case '\'', '’':
		return !words.IsWord(next) && !words.IsBlank(words.RuneBefore(text, at))
	case '"', '＂':
		return !words.IsWord(next)
	default:
		return true
	}
}

// omission stands for words that a quotation leaves out or adds.
var omission = regexp.MustCompile(`\[[^\[\]]*\]|\([.…]+\)|\.{3,}|…`)

// quotation returns the places where a quotation stands in the material, word for word: its parts, if it leaves words out.
func (x *index) quotation(quoted string, s *sentence) []place {
	most := 1
	if len(s.cited) > 0 {
		most = maxFound
	}
	if x.quotes == nil {
		x.quotes = x.compact(func(t materialText) string { return t.text })
	}
	found := x.quotes.find(quoted, most)
	if len(found) > 0 || !slices.ContainsFunc(x.texts, func(t materialText) bool { return t.original != "" }) {
		return found
	}
	if x.withoutCode == nil {
		x.withoutCode = x.compact(withoutCode)
		x.originals = x.compact(func(t materialText) string { return cmp.Or(t.original, t.text) })
	}
	if found = x.withoutCode.find(quoted, most); len(found) == 0 {
		found = x.originals.find(quoted, most)
	}
	for i, p := range found {
		// The other forms of a text are longer, or shorter.
		found[i].at = min(p.at, len(x.texts[p.text].text))
	}
	return found
}

// code are code spans of Markdown: a text is checked without its code.
var code = regexp.MustCompile("`+[^`\n]*`+")

func withoutCode(t materialText) string {
	if t.original == "" {
		return t.text
	}
	return plain(code.ReplaceAllString(t.original, " "))
}

// compacted are the letters and digits of texts, in small letters.
type compacted struct {
	texts []string
	all   string
	// starts of the texts, and marks: where in its text every 256th byte comes from.
	starts, marks []int
	// index is made when there are many quotations to be looked up.
	index   *suffixarray.Index
	lookups int
}

const (
	// markEvery is the distance of marks in bytes.
	markEvery = 256
	// manyLookups is from how many quotations an index is worth its time.
	manyLookups = 200
	// endOfText stands between texts, so that no quotation is found across two.
	endOfText = 0
)

func (x *index) compact(of func(materialText) string) *compacted {
	c := &compacted{}
	size := 0
	for _, t := range x.texts {
		size += len(t.text) + 1
	}
	buf := make([]byte, 0, size)
	for _, t := range x.texts {
		text := of(t)
		c.texts = append(c.texts, text)
		c.starts = append(c.starts, len(buf))
		for i := 0; i < len(text); {
			if b := text[i]; b < utf8.RuneSelf && len(c.marks)*markEvery > len(buf) {
				if small := compactASCII[b]; small != 0 {
					buf = append(buf, small)
				}
				i++
				continue
			}
			for len(c.marks)*markEvery <= len(buf) {
				c.marks = append(c.marks, i)
			}
			var n int
			buf, n = appendCompact(buf, text[i:])
			i += n
		}
		buf = append(buf, endOfText)
	}
	c.all = string(buf)
	return c
}

// compactASCII has the small letter for each ASCII letter, and digits; 0 for others.
var compactASCII = func() (table [utf8.RuneSelf]byte) {
	for c := range table {
		if words.Class[c] != 0 {
			table[c] = words.Lower(string(rune(c)))[0]
		}
	}
	return table
}()

// appendCompact appends the first character of a text if it is a letter or a digit, and returns its length.
func appendCompact(buf []byte, text string) ([]byte, int) {
	c := text[0]
	if c < utf8.RuneSelf {
		if small := compactASCII[c]; small != 0 {
			buf = append(buf, small)
		}
		return buf, 1
	}
	r, n := utf8.DecodeRuneInString(text)
	if d, ok := words.DigitValue(r); ok {
		buf = append(buf, byte('0'+d)) //nolint:gosec // 0 to 9.
	} else if unicode.IsLetter(r) {
		if r = unicode.ToLower(r); r == 'ς' {
			r = 'σ'
		}
		buf = utf8.AppendRune(buf, r)
	}
	return buf, n
}

func compact(text string) string {
	var buf []byte
	for i := 0; i < len(text); {
		var n int
		buf, n = appendCompact(buf, text[i:])
		i += n
	}
	return string(buf)
}

// find returns the places of a quotation: that of its first part, if all parts are in the same text.
func (c *compacted) find(quoted string, most int) []place {
	var found []place
	parts := omission.Split(quoted, -1)
	if compact(strings.Join(parts, "")) == "" {
		parts = []string{quoted}
	}
	if len(parts) > 1 {
		most = maxFound
	}
	for _, part := range parts {
		words := compact(part)
		if words == "" {
			continue
		}
		places := c.lookup(words, most)
		if len(places) == 0 {
			return nil
		}
		if found == nil {
			found = places
			continue
		}
		found = both(found, places)
		if len(found) == 0 {
			return nil
		}
	}
	return found
}

// both returns the places whose text has one of the others, too.
func both(places, others []place) []place {
	var out []place
	for _, p := range places {
		for _, o := range others {
			if o.text == p.text {
				out = append(out, p)
				break
			}
		}
	}
	return out
}

// maxFound is the most places of a quotation, one in a text.
const maxFound = 70

func (c *compacted) lookup(words string, most int) []place {
	var found []place
	if c.lookups++; c.lookups > manyLookups {
		if c.index == nil {
			c.index = suffixarray.New([]byte(c.all))
		}
		for _, at := range c.index.Lookup([]byte(words), most) {
			found = addPlace(found, c.place(at))
		}
		return found
	}
	for at := 0; at < len(c.all) && len(found) < most; {
		i := strings.Index(c.all[at:], words)
		if i < 0 {
			break
		}
		p := c.place(at + i)
		found = append(found, p)
		// The next text.
		if p.text+1 >= len(c.starts) {
			break
		}
		at = c.starts[p.text+1]
	}
	return found
}

// place returns the text that a byte comes from, and where it stands there.
func (c *compacted) place(at int) place {
	next, found := slices.BinarySearch(c.starts, at)
	if !found {
		next--
	}
	text, from, done := c.texts[next], 0, c.starts[next]
	if k := at / markEvery; k*markEvery > done {
		from, done = c.marks[k], k*markEvery
	}
	var buf [utf8.UTFMax]byte
	for from < len(text) && done < at {
		letters, n := appendCompact(buf[:0], text[from:])
		from += n
		done += len(letters)
	}
	return place{text: next, at: from}
}
