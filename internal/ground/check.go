package ground

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/ground/addresses"
	"github.com/pressroom-dev/pressroom/internal/ground/figures"
	"github.com/pressroom-dev/pressroom/internal/ground/words"
	"github.com/pressroom-dev/pressroom/internal/language"
)

// Check returns the claims of a document in the order of its text: title, meta title, meta description, body, questions. Links to the
// URL of a source cite it, as do the citations that the text had. A body that cannot be parsed has no claims: content.Normalize refuses it.
func Check(doc content.Document, m Material, cited []Citation) []Claim {
	body, err := content.Read(doc.Markdown)
	if err != nil {
		body = content.Body{}
	}
	return CheckBody(doc, body, m, cited)
}

// CheckBody is Check for a document whose body was read before.
func CheckBody(doc content.Document, body content.Body, m Material, cited []Citation) []Claim {
	profile := language.For(doc.Language)
	c := &checker{
		profile:   profile,
		Scanner:   figures.NewScanner(doc.Language),
		index:     newIndex(m, profile),
		citations: newCitations(m, cited),
		counts:    countsOf(body),
		initials:  map[string]bool{},
	}
	c.block(content.Block{Kind: content.BlockHeading, Text: doc.Title, Section: -1}, nil)
	said := wordsOf(doc.Title, body)
	if !repeats(said, doc.MetaTitle) {
		c.block(content.Block{Kind: content.BlockHeading, Text: doc.MetaTitle, Section: -1}, nil)
	}
	if !repeats(said, doc.MetaDescription) {
		c.block(content.Block{Text: doc.MetaDescription, Section: -1}, nil)
	}
	c.body(body)
	for _, q := range doc.FAQ {
		c.block(content.Block{Text: q.Question, Section: -1}, nil)
		c.block(content.Block{Text: q.Answer, Section: -1}, nil)
	}
	return c.claims()
}

// wordsOf returns the words of a title and a body, with one blank between them.
func wordsOf(title string, body content.Body) string {
	var words strings.Builder
	add := func(text string) {
		for word := range strings.FieldsSeq(text) {
			words.WriteString(word)
			words.WriteByte(' ')
		}
	}
	add(title)
	for _, b := range body.Blocks {
		add(b.Text)
	}
	return words.String()
}

// repeats reports whether a field says what the title and the body say, word for word, perhaps shortened. Its claims are theirs: the body
// has the citations.
func repeats(said, field string) bool {
	return strings.Contains(said, strings.Join(strings.Fields(strings.TrimSuffix(field, "…")), " "))
}

// checker finds what a document claims, and then looks it up in the material.
type checker struct {
	profile *language.Profile
	figures.Scanner
	*index
	*citations
	// counts are the numbers of headings and of list items: a title that says how many there are claims nothing.
	counts     map[int]bool
	candidates []candidate
	// initials of names of several words in the document.
	initials  map[string]bool
	sentences []*sentence
	// lastWords are those of the sentence that was read last, in small letters, and lastStarts where they start: the next sentence uses
	// their memory again.
	lastWords  []string
	lastStarts []int
	// small are the words of the document that begin with a small letter; nil until one is asked for.
	small map[string]bool
}

// sentence of the document.
type sentence struct {
	text    string
	section int
	// heading is true for titles, headings and what leads to a list.
	heading bool
	// start of the sentence in its block.
	start int
	// cited are indexes of the sources that it cites.
	cited []int
	stems map[string]bool
}

// candidate is what may be a claim.
type candidate struct {
	Claim
	sentence *sentence
	at       int
	figure   figures.Figure
	// until is the end of a range such as 10–20; nil if it is none.
	until *figures.Figure
	// hedged is true for a number that is said to be rounded.
	hedged bool
	// names are the words of a name in small letters, and initials those of all of them.
	names    []nameWord
	initials string
	// sure is false for a word that may only be written with a capital.
	sure bool
}

// body adds the blocks of a body, and quotations where they stand.
func (c *checker) body(body content.Body) {
	links, quoted := body.Links, body.Quoted
	for i, b := range body.Blocks {
		quoted = c.quoted(quoted, i)
		for len(links) > 0 && links[0].Section < b.Section {
			c.link(links[0], &sentence{text: links[0].Text, section: links[0].Section}, 0)
			links = links[1:]
		}
		links = c.block(b, links)
	}
	c.quoted(quoted, len(body.Blocks))
	for _, l := range links {
		c.link(l, &sentence{text: l.Text, section: l.Section}, 0)
	}
}

// quoted adds the paragraphs of quotations up to a block, and returns the others.
func (c *checker) quoted(all []content.Quoted, before int) []content.Quoted {
	for len(all) > 0 && all[0].Before <= before {
		c.block(content.Block{Text: all[0].Text, Section: all[0].Section}, nil)
		all = all[1:]
	}
	return all
}

// maxAhead is how many links are looked for in a block: an image with a link has no words.
const maxAhead = 4

// block adds the claims of a block, and returns the links that are not in it.
func (c *checker) block(b content.Block, links []content.Link) []content.Link {
	text := words.Clean(b.Text)
	if text == "" {
		return links
	}
	first := len(c.candidates)
	sentences := c.split(text, b)
	links = c.links(text, sentences, b.Section, links)
	addresses := addresses.Find(text)
	for _, s := range sentences {
		s.cited = append(s.cited, c.citations.words(s.text)...)
	}
	for i, s := range sentences {
		c.read(s, sentences[max(0, i-1)], b, addresses, i == 0)
	}
	for _, a := range addresses {
		if s := sentenceAt(sentences, a.Start); s != nil && a.Start-s.start < len(s.text) {
			c.add(candidate{Claim: Claim{Class: Address, Words: text[a.Start:a.End]}, sentence: s, at: a.Start})
		}
	}
	for _, q := range findQuotations(text) {
		c.quotation(text[q.Start:q.End], sentences, q)
	}
	slices.SortStableFunc(c.candidates[first:], func(a, b candidate) int { return cmp.Compare(a.at, b.at) })
	c.sentences = append(c.sentences, sentences...)
	return links
}

// split splits a block into sentences.
func (c *checker) split(text string, b content.Block) []*sentence {
	found := c.profile.Sentences(text)
	out := make([]*sentence, 0, len(found))
	at := 0
	for _, found := range found {
		if i := strings.Index(text[at:], found); i >= 0 {
			at += i
		}
		s := &sentence{text: found, section: b.Section, start: at}
		s.heading = b.Kind == content.BlockHeading || b.Section < 0 || strings.HasSuffix(found, ":") || strings.HasSuffix(found, "：")
		out = append(out, s)
		at = min(len(text), at+len(found))
	}
	return out
}

// links adds the links of a block.
func (c *checker) links(text string, sentences []*sentence, section int, links []content.Link) []content.Link {
	from := 0
	for ahead := 0; ahead < min(len(links), maxAhead) && len(sentences) > 0; {
		l := links[ahead]
		words := words.Clean(l.Text)
		at := strings.Index(text[from:], words)
		if l.Section != section || at < 0 || words == "" {
			ahead++
			continue
		}
		at += from
		for _, before := range links[:ahead] {
			c.link(before, sentences[0], 0)
		}
		c.link(l, cmp.Or(sentenceAt(sentences, at), sentences[0]), at)
		links, ahead, from = links[ahead+1:], 0, at+len(words)
	}
	return links
}

// sentenceAt returns the sentence that begins last before an index; nil if there is none.
func sentenceAt(sentences []*sentence, at int) *sentence {
	next, found := slices.BinarySearchFunc(sentences, at, func(s *sentence, at int) int { return cmp.Compare(s.start, at) })
	if !found {
		next--
	}
	if next < 0 {
		return nil
	}
	return sentences[next]
}

// link adds the address of a link, or what it cites.
func (c *checker) link(l content.Link, s *sentence, at int) {
	if i, ok := c.citations.link(l.URL); ok {
		s.cited = append(s.cited, i)
		return
	}
	if text, _ := addresses.Normal(words.Clean(l.Text)); text == addresses.NormalURL(l.URL) {
		// The text has the address, too.
		return
	}
	isMail := strings.HasPrefix(strings.ToLower(l.URL), "mailto:")
	if !strings.Contains(l.URL, "://") && !strings.HasPrefix(l.URL, "//") && !isMail {
		return
	}
	c.add(candidate{Claim: Claim{Class: Address, Words: l.URL}, sentence: s, at: at})
}

func (c *checker) add(found candidate) { c.candidates = append(c.candidates, found) }

// read adds the figures, names, addresses and phrases about studies of a sentence.
func (c *checker) read(s, previous *sentence, b content.Block, addresses []words.Span, first bool) {
	c.Scanner.Text = s.text
	spans := c.noWords(s, previous, addresses)
	names := c.names(s, b)
	seen, starts := c.lastWords[:0], c.lastStarts[:0]
	before := 0
	for at := 0; ; {
		it, ok := c.Next(at)
		if !ok {
			break
		}
		for len(spans) > 0 && spans[0].End <= it.Start {
			spans = spans[1:]
		}
		if len(spans) > 0 && it.End > spans[0].Start && it.Start < spans[0].End {
			names.flush()
			at, before = max(spans[0].End, it.Start), spans[0].End
			continue
		}
		at = it.End
		if it.Figure != nil {
			names.flush()
			names.figure(it.End)
			seen, starts = append(seen, ""), append(starts, it.Start)
			c.addFigure(s, it.Figure, seen, first && len(seen) == 1)
		} else {
			word := words.Lower(s.text[it.Start:it.End])
			seen, starts = append(seen, word), append(starts, it.Start)
			names.word(it, word, s.text[before:it.Start], seen)
		}
		before = it.End
	}
	names.flush()
	c.study(s, seen, starts)
	c.lastWords, c.lastStarts = seen, starts
}

// noWords returns the parts of a sentence that are citations and addresses, and adds what it cites.
func (c *checker) noWords(s, previous *sentence, addresses []words.Span) []words.Span {
	spans, sources := c.markers(s.text)
	for i, source := range sources {
		switch {
		case source < 0:
		case strings.Trim(s.text[:spans[i].Start], " ") == "" && s != previous:
			// It stands behind the full stop of the sentence that it belongs to.
			previous.cited = append(previous.cited, source)
		default:
			s.cited = append(s.cited, source)
		}
	}
	for _, a := range addresses {
		// A sentence may end within an address.
		within := words.Span{Start: max(a.Start-s.start, 0), End: min(a.End-s.start, len(s.text))}
		if within.Start < within.End && !overlaps(spans, within) {
			spans = append(spans, within)
		}
	}
	slices.SortFunc(spans, func(a, b words.Span) int { return cmp.Compare(a.Start, b.Start) })
	return spans
}

func overlaps(spans []words.Span, with words.Span) bool {
	return slices.ContainsFunc(spans, func(s words.Span) bool { return s.Start < with.End && with.Start < s.End })
}

// addFigure adds a figure, unless it is the number of a part of the text.
func (c *checker) addFigure(s *sentence, f *figures.Figure, seen []string, leads bool) {
	if f.Vague || f.Bracketed || f.InWord && !f.IsYear() || c.isStructure(s, f, seen, leads) {
		return
	}
	if n := len(c.candidates) - 1; n >= 0 && c.joinsRange(s, n, f) {
		until := *f
		c.candidates[n].until = &until
		c.candidates[n].Words = s.text[c.candidates[n].at-s.start : f.End]
		return
	}
	from := f.Start
	if before := strings.TrimRight(s.text[:from], " \u00A0"); unicode.Is(unicode.Sc, words.RuneBefore(before, len(before))) {
		_, size := utf8.DecodeLastRuneInString(before)
		from = len(before) - size
	}
	c.add(candidate{
		Claim: Claim{Class: Figure, Words: s.text[from:f.End]}, sentence: s, at: s.start + from, figure: *f,
		hedged: c.isHedged(s.text, f, seen),
	})
}

// isStructure reports whether a small number numbers a part of the text, or counts its parts.
func (c *checker) isStructure(s *sentence, f *figures.Figure, seen []string, leads bool) bool {
	const most = 100
	n, ok := f.Values[0].Integer()
	if !ok || n > most || f.Count == 0 || f.IsDate || f.Percent || f.Money {
		return false
	}
	if leads && numbers(s.text[:f.Start], s.text[f.End:]) || s.heading && c.counts[n] {
		return true
	}
	return len(seen) > 1 && c.Scanner.Words[seen[len(seen)-2]].Marks&words.IsPart != 0
}

// joinsRange reports whether a figure ends a range, or a score, that the last candidate begins.
func (c *checker) joinsRange(s *sentence, last int, f *figures.Figure) bool {
	before := &c.candidates[last]
	if before.Class != Figure || before.sentence != s || before.until != nil || before.figure.IsDate || f.IsDate {
		return false
	}
	gap := s.text[before.figure.End:f.Start]
	return gap == "-" || gap == "–" || gap == " – " || gap == "−"
}

// numbers reports whether a number at the beginning of a block numbers it, as in "1. Clean the shoes".
func numbers(before, after string) bool {
	if strings.Trim(before, " (#") != "" || after == "" || strings.IndexByte(".):", after[0]) < 0 {
		return false
	}
	return len(after) == 1 || after[1] == ' '
}

// isHedged reports whether a number is said to be rounded.
func (c *checker) isHedged(text string, f *figures.Figure, seen []string) bool {
	const before = 4
	last := seen[:len(seen)-1]
	last = last[max(0, len(last)-before):]
	after := strings.TrimLeft(text[f.End:], " ")
	return c.Hedges.Suffix(last) || strings.HasPrefix(after, "+") || strings.HasPrefix(after, "or so") ||
		strings.HasPrefix(after, "or more") || strings.ContainsAny(text[max(0, f.Start-3):f.Start], "~≈")
}

// quotation adds a quotation with the sentences that it stands in.
func (c *checker) quotation(quoted string, sentences []*sentence, at words.Span) {
	if len(sentences) == 0 {
		return
	}
	s := *sentences[0]
	for _, next := range sentences {
		switch {
		case next.start <= at.Start:
			s = *next
		case next.start < at.End:
			s.text += " " + next.text
			s.cited = slices.Concat(s.cited, next.cited)
		}
	}
	c.add(candidate{Claim: Claim{Class: Quotation, Words: quoted}, sentence: &s, at: at.Start})
}

// claims looks up what was found.
func (c *checker) claims() []Claim {
	for i := range c.candidates {
		for _, name := range c.candidates[i].names {
			c.want(name.text)
		}
		if c.candidates[i].initials != "" {
			c.want(c.candidates[i].initials)
		}
		c.claimFigure(&c.candidates[i])
	}
	c.StartsWithMonth = true
	c.index.read(&c.Scanner)
	claims := make([]Claim, 0, len(c.candidates))
	for i := range c.candidates {
		if claim, ok := c.claim(&c.candidates[i]); ok {
			claims = append(claims, claim)
		}
	}
	return claims
}

// claimFigure asks for the numbers of a candidate, and for the year of its date.
func (c *checker) claimFigure(found *candidate) {
	c.rounded = c.rounded || found.hedged
	for _, f := range []*figures.Figure{&found.figure, found.until} {
		if f == nil {
			continue
		}
		for _, v := range f.Meant() {
			c.claimed[v] = true
		}
		for _, d := range f.Dates {
			c.claimed[figures.Whole(uint64(d.Year))] = true //nolint:gosec // A year is not negative.
		}
	}
}

// claim says what the material has of a candidate; false if it claims nothing.
func (c *checker) claim(found *candidate) (Claim, bool) {
	claim, ok := c.judge(found)
	if ok && claim.Result == Unsupported && (claim.Class == Figure || claim.Class == Name) && c.readOriginals(&c.Scanner) {
		return c.judge(found)
	}
	return claim, ok
}

func (c *checker) judge(found *candidate) (Claim, bool) {
	claim := found.Claim
	s := found.sentence
	claim.Section, claim.Sentence = s.section, s.text
	if len(s.cited) > 0 {
		claim.Cited = c.material.Sources[s.cited[0]].Name
	}
	var at place
	ok := true
	switch found.Class {
	case Figure:
		claim.Result, at = c.judgeFigure(found, &found.figure)
		if found.until != nil && claim.Result != Unsupported {
			if result, p := c.judgeFigure(found, found.until); result != Supported {
				claim.Result, at = result, p
			}
		}
	case Name:
		claim.Result, at, ok = c.judgeName(found)
	case Quotation:
		claim.Result, at = c.support(s, c.index.quotation(found.Words, s))
	case Address:
		claim.Result, at = c.support(s, c.index.address(found.Words))
	case Study:
		claim.Result, at = c.judgeStudy(s, found.at)
	}
	if ok && claim.Result != Unsupported {
		c.cite(&claim, at)
	}
	return claim, ok
}

// judgeFigure looks up a figure. Where the material has it in sentences about something else, that is a hint.
func (c *checker) judgeFigure(found *candidate, f *figures.Figure) (Result, place) {
	s := found.sentence
	places := c.figurePlaces(found, f)
	result, at := c.support(s, places)
	if result != Supported || f.IsDate || f.IsYear() || f.Unread != "" || c.texts[at.text].origin == known {
		return result, at
	}
	stems := c.stemsOf(s)
	if len(stems) < minContext {
		return result, at
	}
	rank := c.rank(s, c.texts[at.text].origin)
	for _, p := range places {
		if c.rank(s, c.texts[p.text].origin) == rank && c.shares(stems, p) {
			return result, p
		}
	}
	if c.index.isForeign(at.text) {
		return result, at
	}
	return OtherContext, at
}

// figurePlaces returns the places of a figure.
func (c *checker) figurePlaces(found *candidate, f *figures.Figure) []place {
	switch {
	case f.Unread != "":
		return c.unread[f.Unread]
	case f.IsDate:
		return c.datePlaces(f)
	}
	var places []place
	for _, v := range f.Meant() {
		places = append(places, c.figures[v]...)
		if found.hedged && v.Float() >= roundedFrom && v.Exponent >= 1 {
			places = append(places, c.about(v)...)
		}
	}
	return places
}

// datePlaces returns the places of a date: as a whole, or without its year if the material has that elsewhere.
func (c *checker) datePlaces(f *figures.Figure) []place {
	var places []place
	for _, d := range f.Dates {
		if d == (figures.Date{}) {
			continue
		}
		places = append(places, c.dates[d]...)
		if len(c.dates[d]) == 0 && d.Day > 0 && d.Year > 0 && len(c.figures[figures.Whole(uint64(d.Year))]) > 0 {
			for _, p := range c.dates[figures.Date{Month: d.Month, Day: d.Day}] {
				if !c.hasOtherYear(p, d) {
					places = append(places, p)
				}
			}
		}
	}
	return places
}

// hasOtherYear reports whether the date at a place has a year, which is another one.
func (c *checker) hasOtherYear(p place, d figures.Date) bool {
	for have, places := range c.dates {
		if have.Day == d.Day && have.Month == d.Month && have.Year != 0 && slices.Contains(places, p) {
			return true
		}
	}
	return false
}

// minContext is the least number of stems by which two sentences are compared.
const minContext = 2

// stemsOf returns the stems of the words of content of a sentence.
func (c *checker) stemsOf(s *sentence) map[string]bool {
	if s.stems == nil {
		s.stems = map[string]bool{}
		for _, w := range words.Of(s.text) {
			if stem, ok := c.contentStem(w); ok {
				s.stems[stem] = true
			}
		}
	}
	return s.stems
}

func (c *checker) contentStem(word string) (string, bool) {
	if len(word) < 3 || word[0] < utf8.RuneSelf && words.Class[word[0]] == words.Digit || c.profile.IsFunctionWord(word) {
		return "", false
	}
	stem, ok := c.stemmed[word]
	if !ok {
		stem = c.profile.Stem(word)
		c.stemmed[word] = stem
	}
	return stem, true
}

// shares reports whether the sentence at a place has one of the stems, or too few stems to tell.
func (c *checker) shares(stems map[string]bool, p place) bool {
	text := c.texts[p.text].text
	from, to := sentenceAround(text, p.at)
	count := 0
	for _, w := range words.Of(text[from:to]) {
		if stem, ok := c.contentStem(w); ok {
			if count++; stems[stem] {
				return true
			}
		}
	}
	return count < minContext
}

// countsOf returns how many headings of a level and how many items of a list a body has.
func countsOf(body content.Body) map[int]bool {
	counts := map[int]bool{}
	var headings [7]int
	items := 0
	for _, b := range body.Blocks {
		if b.Kind == content.BlockListItem {
			items++
			continue
		}
		counts[items], items = true, 0
		if b.Kind == content.BlockHeading {
			headings[b.Level]++
			for below := b.Level + 1; below < len(headings); below++ {
				counts[headings[below]], headings[below] = true, 0
			}
		}
	}
	counts[items] = true
	for _, n := range headings {
		counts[n] = true
	}
	delete(counts, 0)
	return counts
}
