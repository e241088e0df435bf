package ground

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pressroom-dev/pressroom/internal/content"
)

const (
	// maxLine bounds a line, and maxWords the words in it, in characters.
	maxLine, maxWords = 400, 150
)

// Line returns a claim as a revision records it, on one line of at most 400 characters: class and result, the number of the section from
// 1, the words and the sentence, as in "Figure/unsupported §2: 42 percent: A survey found that 42 percent switch.". A claim beside the
// body has no section. Of a long sentence, it has what stands around the words.
func (c Claim) Line() string {
	head := string(c.Class) + "/" + string(c.Result)
	if c.Section >= 0 {
		head += " §" + strconv.Itoa(c.Section+1)
	}
	words, sentence := content.Label(c.Words), content.Label(c.Sentence)
	at := max(0, strings.Index(sentence, words))
	words = cut(words, maxWords)
	rest := maxLine - utf8.RuneCountInString(head) - utf8.RuneCountInString(words) - len(": : ")
	return head + ": " + words + ": " + window(sentence, at, rest)
}

// window returns at most so many characters of a text around an index, with an ellipsis where something is left out.
func window(text string, at, chars int) string {
	if utf8.RuneCountInString(text) <= chars {
		return text
	}
	from := at
	for n := 0; from > 0 && n < chars/3; n++ {
		_, size := utf8.DecodeLastRuneInString(text[:from])
		from -= size
	}
	if from == 0 {
		return cut(text, chars)
	}
	if utf8.RuneCountInString(text[from:]) < chars-1 {
		from = len(text)
		for range chars - 1 {
			_, size := utf8.DecodeLastRuneInString(text[:from])
			from -= size
		}
	}
	return "…" + cut(strings.TrimLeft(text[from:], " "), chars-1)
}

// Lines returns the lines of the claims that are not supported, in the order of the text. If there are more than the most, hints are left
// out first, and then what comes last.
func Lines(claims []Claim, most int) []string {
	open := slices.DeleteFunc(slices.Clone(claims), func(c Claim) bool { return c.Result == Supported })
	counted := 0
	for _, c := range open {
		if c.Counts() {
			counted++
		}
	}
	hints := max(0, most-counted)
	var lines []string
	for _, c := range open {
		switch {
		case len(lines) == most:
			return lines
		case c.Counts():
		case hints == 0:
			continue
		default:
			hints--
		}
		lines = append(lines, c.Line())
	}
	return lines
}

// head is the beginning of a line, as the API has it.
var head = regexp.MustCompile(`^(Figure|Name|Quotation|Address|Study)/(unsupported|wrong-source|other-context)(?: §([0-9]+))?: `)

// ParseLine reads a line that Line has written. Words and sentence may be shortened there, with an ellipsis.
func ParseLine(line string) (Claim, error) {
	m := head.FindStringSubmatch(line)
	if m == nil {
		return Claim{}, fmt.Errorf("%q is not the line of a claim", cut(line, maxWords))
	}
	c := Claim{Class: Class(m[1]), Result: Result(m[2]), Section: -1}
	if m[3] != "" {
		n, err := strconv.Atoi(m[3])
		if err != nil || n < 1 {
			return Claim{}, fmt.Errorf("%q is not the number of a section", m[3])
		}
		c.Section = n - 1
	}
	rest := line[len(m[0]):]
	c.Words, c.Sentence, _ = strings.Cut(rest, ": ")
	// The words may have a colon, too. They stand in the sentence.
	for at := 0; ; {
		i := strings.Index(rest[at:], ": ")
		if i < 0 {
			return c, nil
		}
		words, sentence := rest[:at+i], rest[at+i+len(": "):]
		if strings.Contains(sentence, strings.TrimSuffix(words, "…")) {
			c.Words, c.Sentence = words, sentence
			return c, nil
		}
		at += i + len(": ")
	}
}
