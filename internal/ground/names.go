package ground

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/currency"

	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/ground/figures"
	"github.com/pressroom-dev/pressroom/internal/ground/words"
)

// names finds the names of a sentence: words with capitals, not at its start. Words that follow each other are one name.
type names struct {
	*checker
	sentence *sentence
	block    content.Block
	// titled are the bytes at the beginning of the sentence in which most words have capitals; -1 until they are counted.
	titled int
	// capitals says whether the sentence is in capitals; nil until they are counted.
	capitals *bool
	// run is the name so far.
	run  candidate
	end  int
	unit int
}

func (c *checker) names(s *sentence, b content.Block) *names {
	return &names{checker: c, sentence: s, block: b, titled: -1, unit: -1}
}

// titledUntil returns the end of the beginning of the sentence in which most words have capitals.
func (n *names) titledUntil() int {
	if n.titled < 0 {
		n.titled = titled(n.sentence.text, n.block)
	}
	return n.titled
}

// titled returns the end of the beginning of a sentence in which most words have capitals: that says nothing of names.
func titled(text string, b content.Block) int {
	capitals, longer := countCapitals(text)
	isRunning := (b.Kind == content.BlockParagraph || b.Kind == content.BlockListItem) && b.Section >= 0
	if !isRunning && mostly(capitals, longer) || longer >= 4 && capitals*10 >= longer*9 {
		return len(text)
	}
	const lead = 80
	if at := strings.IndexByte(text[:min(len(text), lead)], ':'); at > 0 && mostly(countCapitals(text[:at])) {
		return at
	}
	return 0
}

func mostly(capitals, longer int) bool { return capitals*10 >= longer*6 }

// minCounted is the least number of letters of words that countCapitals counts.
const minCounted = 4

// countCapitals counts the longer words behind the first word, and those with a capital.
func countCapitals(text string) (capitals, longer int) {
	first := true
	for at := 0; at < len(text); {
		end := words.End(text, at)
		r, n := words.RuneAt(text, at)
		if end == at {
			at += n
			continue
		}
		if !first && end-at >= minCounted && utf8.RuneCountInString(text[at:end]) >= minCounted && unicode.IsLetter(r) {
			longer++
			if unicode.IsUpper(r) {
				capitals++
			}
		}
		first, at = false, end
	}
	return capitals, longer
}

// isShouted reports whether the sentence is in capitals.
func (n *names) isShouted() bool {
	if n.capitals == nil {
		n.capitals = new(isShouted(n.sentence.text))
	}
	return *n.capitals
}

// isShouted reports whether most letters of a text of some length are capitals.
func isShouted(text string) bool {
	upper, letters := 0, 0
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf:
			if words.Class[r] == words.Capital {
				upper++
			}
			if words.Class[r] == words.Capital || words.Class[r] == words.Small {
				letters++
			}
		case unicode.IsLetter(r):
			letters++
			if unicode.IsUpper(r) {
				upper++
			}
		}
	}
	return letters >= 8 && upper*10 >= letters*7
}

// figure says where a figure ends: a unit may follow it.
func (n *names) figure(end int) { n.unit = end }

// word adds a word: what stands between it and the word before, and all words so far.
func (n *names) word(it figures.Item, lower, gap string, seen []string) {
	text := n.sentence.text[it.Start:it.End]
	if n.NounsHaveCapitals || !hasCapital(text) {
		n.flush()
		return
	}
	form := formOf(text)
	if !n.mayBeName(it, form, lower, gap, seen) || n.isNoName(it, text, lower, form) {
		n.flush()
		return
	}
	if len(n.run.names) > 0 && !joinsNames(gap) {
		n.flush()
	}
	if len(n.run.names) == 0 {
		n.run = candidate{sentence: n.sentence, at: n.sentence.start + it.Start}
		n.run.Class = Name
	}
	n.run.names = append(n.run.names, nameWord{lower, form != plainName})
	n.run.sure = n.run.sure || form != plainName || len(n.run.names) > 1
	n.end = it.End
}

// mayBeName reports whether the capital of a word has no other reason than that it is a name.
func (n *names) mayBeName(it figures.Item, form form, lower, gap string, seen []string) bool {
	if form == inCapitals {
		return !n.isShouted() && !n.isAcronymOf(lower, gap, seen)
	}
	starts := len(seen) == 1 || strings.ContainsAny(gap, ":•…“„«|→!?\"") && !closesQuote(n.sentence.text[it.End:])
	return form == inner || !starts && it.Start >= n.titledUntil()
}

// joinsNames reports whether what stands between two words joins them to one name.
func joinsNames(gap string) bool {
	switch gap {
	case " ", "-", "'", "’", " & ", ". ", ".", "\u00A0":
		return true
	default:
		return false
	}
}

func closesQuote(rest string) bool {
	r, _ := words.RuneAt(rest, 0)
	return strings.ContainsRune("\"”“»'’", r) && rest != ""
}

// form of a word with capitals.
type form int

const (
	// plainName has its first letter in a capital.
	plainName form = iota
	// inCapitals has only capitals, but for the s of a plural.
	inCapitals
	// inner has a capital behind a small letter.
	inner
)

func hasCapital(text string) bool { return strings.ContainsFunc(text, unicode.IsUpper) }

func formOf(text string) form {
	upper, lowerCase, innerCapital := 0, 0, false
	for _, r := range strings.TrimSuffix(text, "s") {
		switch {
		case unicode.IsUpper(r):
			upper++
			innerCapital = innerCapital || lowerCase > 0
		case unicode.IsLower(r):
			lowerCase++
		}
	}
	switch {
	case innerCapital:
		return inner
	case upper >= 2 && lowerCase == 0:
		return inCapitals
	default:
		return plainName
	}
}

// isNoName reports whether a word with a capital names nothing: a word of grammar, a month, a unit, a currency, a Roman number.
func (n *names) isNoName(it figures.Item, text, lower string, form form) bool {
	letters := utf8.RuneCountInString(text)
	if letters < 2 || n.profile.IsFunctionWord(lower) || n.Scanner.Words[lower].Marks&(words.IsKnown|words.IsNumber|words.IsPower) != 0 {
		return true
	}
	if n.unit >= 0 && it.Start-n.unit <= 2 && letters <= 3 {
		return true
	}
	if form != inCapitals {
		return false
	}
	if letters <= 4 && strings.Trim(text, "IVX") == "" {
		return true
	}
	_, err := currency.ParseISO(text)
	return letters == 3 && err == nil
}

// isAcronymOf reports whether a word between brackets has the first letters of the words before them.
func (n *names) isAcronymOf(lower, gap string, seen []string) bool {
	before := seen[:len(seen)-1]
	letters := utf8.RuneCountInString(lower)
	if !strings.HasSuffix(gap, "(") || len(before) < letters {
		return false
	}
	return initialsOf(before[len(before)-letters:]) == lower
}

// initialsOf returns the first letters of words.
func initialsOf(all []string) string {
	var b strings.Builder
	for _, w := range all {
		r, _ := words.RuneAt(w, 0)
		b.WriteRune(r)
	}
	return b.String()
}

// flush ends a name.
func (n *names) flush() {
	if len(n.run.names) == 0 {
		return
	}
	from := n.run.at - n.sentence.start
	n.run.Words = n.sentence.text[from:n.end]
	if len(n.run.names) > 1 {
		n.run.initials = n.run.firstLetters()
		n.checker.initials[n.run.initials] = true
	}
	n.add(n.run)
	n.run = candidate{}
}

// nameWord is a word of a name in small letters.
type nameWord struct {
	text string
	// fixed is true for a word with capitals inside, which has no other forms than its plural.
	fixed bool
}

// firstLetters returns those of the words of a name.
func (c *candidate) firstLetters() string {
	all := make([]string, 0, len(c.names))
	for _, name := range c.names {
		all = append(all, name.text)
	}
	return initialsOf(all)
}

// judgeName looks up each word of a name. It is supported if all are, or its initials; false if it is no name.
func (c *checker) judgeName(found *candidate) (Result, place, bool) {
	s := found.sentence
	result, at := Supported, place{text: -1}
	for _, name := range found.names {
		r, p := c.support(s, c.wanted[name.text])
		if r != Supported {
			r, p = c.support(s, slices.Concat(c.wanted[name.text], c.formsOf(name)))
		}
		if r == Unsupported && c.initials[name.text] {
			continue
		}
		switch {
		case r == Unsupported:
			result, at = Unsupported, place{}
		case result == Supported:
			result, at = r, p
		}
		if result == Unsupported {
			break
		}
	}
	if result != Unsupported {
		return result, at, at.text >= 0
	}
	if found.initials != "" {
		if r, p := c.support(s, c.acronym(found.initials)); r != Unsupported {
			return r, p, true
		}
	}
	if len(found.names) == 1 {
		if r, p := c.support(s, c.expansions(found.names[0].text)); r != Unsupported {
			return r, p, true
		}
		if !found.sure && c.isSmall(found.names[0].text) {
			return Supported, place{}, false
		}
	}
	return Unsupported, place{}, true
}

// acronym returns the places of an acronym, with full stops or without. One that is a word of grammar, such as US, has capitals.
func (x *index) acronym(initials string) []place {
	if x.acronyms == nil {
		x.readAcronyms()
	}
	isWord := x.profile.IsFunctionWord(initials)
	places := slices.DeleteFunc(slices.Clone(x.wanted[initials]), func(p place) bool { return isWord && !x.isCapital(p) })
	return append(places, x.dotted[initials]...)
}

// isCapital reports whether a place of the material begins with a capital.
func (x *index) isCapital(p place) bool {
	r, _ := words.RuneAt(x.texts[p.text].text, p.at)
	return unicode.IsUpper(r)
}

// isSmall reports whether the document has a word with a small letter elsewhere: then it is no name.
func (c *checker) isSmall(word string) bool {
	if c.small == nil {
		c.small = map[string]bool{}
		for _, s := range c.sentences {
			for at := 0; at < len(s.text); {
				end := words.End(s.text, at)
				r, n := words.RuneAt(s.text, at)
				if end == at {
					at += n
					continue
				}
				if unicode.IsLower(r) {
					c.small[s.text[at:end]] = true
				}
				at = end
			}
		}
	}
	return c.small[word]
}

const (
	// minInitials and maxInitials bound the letters of an acronym.
	minInitials, maxInitials = 2, 6
)

// expansions returns the places of the names of which a word has the first letters.
func (x *index) expansions(acronym string) []place {
	if n := utf8.RuneCountInString(acronym); n < minInitials || n > maxInitials {
		return nil
	}
	if x.acronyms == nil {
		x.readAcronyms()
	}
	return slices.Concat(x.acronyms[acronym], x.dotted[acronym])
}

// readAcronyms finds the first letters of words with capitals that follow each other.
func (x *index) readAcronyms() {
	x.acronyms, x.dotted = map[string][]place{}, map[string][]place{}
	for i, t := range x.texts {
		run := capitals{index: x, text: i}
		for at := 0; at < len(t.text); {
			end := words.End(t.text, at)
			r, n := words.RuneAt(t.text, at)
			switch {
			case end == at:
				run.sign(r)
				end = at + n
			case unicode.IsUpper(r):
				run.capital(unicode.ToLower(r), end-at == n, at)
			default:
				run.small()
			}
			at = end
		}
	}
}

// capitals are the first letters of the last words with capitals.
type capitals struct {
	*index
	text    int
	letters []rune
	// single is true for letters that stand alone, and skipped counts small words since the last one.
	single  bool
	skipped int
}

func (c *capitals) sign(r rune) {
	if strings.ContainsRune(".,;:!?\n", r) && (r != '.' || !c.single) {
		c.letters = c.letters[:0]
	}
}

// small is called for a word in small letters. Two may stand within a name.
func (c *capitals) small() {
	if c.skipped++; c.skipped > 2 {
		c.letters = c.letters[:0]
	}
}

func (c *capitals) capital(letter rune, single bool, at int) {
	if single != c.single {
		c.letters, c.single = c.letters[:0], single
	}
	c.skipped = 0
	if c.letters = append(c.letters, letter); len(c.letters) > maxInitials {
		c.letters = append(c.letters[:0], c.letters[1:]...)
	}
	to := c.acronyms
	if single {
		to = c.dotted
	}
	for from := 0; len(c.letters)-from >= minInitials; from++ {
		acronym := string(c.letters[from:])
		to[acronym] = addPlace(to[acronym], place{c.text, at})
	}
}
