package language

import (
	"strings"

	"github.com/clipperhouse/uax29/v2/sentences"
)

// Sentences splits one paragraph into sentences by UAX #29, without the blanks around them. Line feeds are blanks. What has no letter
// and no number is no sentence.
func Sentences(paragraph string) []string {
	var out []string
	// UAX #29 ends a sentence at each line feed, and in a paragraph they mean nothing.
	tokens := sentences.FromString(lineFeeds.Replace(paragraph))
	for tokens.Next() {
		sentence := strings.TrimSpace(tokens.Value())
		if strings.ContainsFunc(sentence, IsWordRune) {
			out = append(out, sentence)
		}
	}
	return out
}

var lineFeeds = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\u2028", " ", "\u2029", " ", "\u0085", " ")
