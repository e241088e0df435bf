package ground

import "github.com/pressroom-dev/pressroom/internal/ground/words"

// between is how many words may stand between who says something and that they say it.
const between = 3

// study adds the first phrase of a sentence that calls on studies or experts without naming them.
func (c *checker) study(s *sentence, seen []string, starts []int) {
	for i, w := range seen {
		if !c.StudyBegins.Has(w) {
			continue
		}
		last := -1
		if n := c.Studies.Prefix(seen[i:]); n > 0 {
			last = i + n - 1
		} else if c.Scanner.Words[w].Marks&words.IsWho != 0 && (i == 0 || c.Scanner.Words[seen[i-1]].Marks&words.IsDefinite == 0) {
			for j := i + 1; j < len(seen) && j <= i+1+between; j++ {
				if c.Scanner.Words[seen[j]].Marks&words.IsSay != 0 {
					last = j
					break
				}
			}
		}
		if last < 0 {
			continue
		}
		end := words.End(s.text, starts[last])
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
