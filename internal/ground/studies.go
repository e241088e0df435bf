package ground

// between is how many words may stand between who says something and that they say it.
const between = 3

// study adds the first phrase of a sentence that calls on studies or experts without naming them.
func (c *checker) study(s *sentence, words []string, starts []int) {
	for i, w := range words {
		if !c.studyBegins.has(w) {
			continue
		}
		last := -1
		if n := c.studies.prefix(words[i:]); n > 0 {
			last = i + n - 1
		} else if c.scanner.words[w].marks&isWho != 0 && (i == 0 || c.scanner.words[words[i-1]].marks&isDefinite == 0) {
			for j := i + 1; j < len(words) && j <= i+1+between; j++ {
				if c.scanner.words[words[j]].marks&isSay != 0 {
					last = j
					break
				}
			}
		}
		if last < 0 {
			continue
		}
		end := wordAt(s.text, starts[last])
		c.add(candidate{Claim: Claim{Class: Study, Words: s.text[starts[i]:end]}, sentence: s, at: s.start + starts[i]})
		return
	}
}

// maxStudy is how much of a sentence with such a phrase is looked up, in characters.
const maxStudy = 80

// judgeStudy says whether the sentence cites a source, or stands in the material word for word, from the phrase on.
func (c *checker) judgeStudy(s *sentence, at int) (Result, place) {
	if len(s.cited) > 0 {
		for i, t := range c.texts {
			if t.origin == s.cited[0] {
				return Supported, place{text: i}
			}
		}
	}
	return c.support(s, c.index.quotation(cut(s.text[max(0, at-s.start):], maxStudy), s))
}
