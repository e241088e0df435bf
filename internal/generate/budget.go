package generate

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// budget counts the turns and tokens of a run against its caps.
type budget struct {
	// turns that are left.
	turns int
	// tokens that the run may take; 0 for no cap.
	tokens int64
	// spent are the tokens of all turns: as the endpoint counted them, or estimated if it did not.
	spent int64
	// chars and counted are what endpoints counted for how many characters, of all turns.
	chars, counted int64
}

// charge adds a turn.
func (b *budget) charge(p prompt, a answer) {
	b.turns--
	counted := a.usage.InputTokens + a.usage.OutputTokens
	if counted == 0 {
		b.spent += b.estimate(p.chars()+charsOf(a.text), p.keyword)
		return
	}
	b.spent += counted
	b.chars += int64(p.chars() + charsOf(a.text))
	b.counted += counted
}

// refuse returns an error if a turn without which there is no article may not begin, because the cap is reached. So a run never
// passes its cap by more than one turn.
func (b *budget) refuse() error {
	if b.turns <= 0 {
		return &Error{
			Reason: v1alpha1.ReasonInvalidAnswer, Retryable: true, Message: "the article was not finished in the turns that a run may take",
		}
	}
	if b.tokens > 0 && b.spent >= b.tokens {
		return &Error{
			Reason:  v1alpha1.ReasonArticleTokensExceeded,
			Message: fmt.Sprintf("the article is not finished, and has taken the %d tokens of limits.tokensPerArticle", b.tokens),
		}
	}
	return nil
}

// affords reports whether a turn that may be left out fits: with an answer of about so many characters.
func (b *budget) affords(p prompt, answerChars int) bool {
	return b.turns > 0 && (b.tokens == 0 || b.spent+b.estimate(p.chars()+answerChars, p.keyword) <= b.tokens)
}

// estimate returns the tokens of so many characters, by what this run has seen. At first it is 3 characters a token, and one in scripts
// without spaces.
func (b *budget) estimate(chars int, sample string) int64 {
	if b.counted > 0 && b.chars > 0 {
		return int64(chars)*b.counted/b.chars + 1
	}
	r, _ := utf8.DecodeRuneInString(sample)
	if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai) {
		return int64(chars)
	}
	return int64(chars)/3 + 1
}

func (p prompt) chars() int {
	n := charsOf(p.system)
	for _, t := range p.turns {
		n += charsOf(t.text)
	}
	return n
}

func charsOf(text string) int { return utf8.RuneCountInString(text) }
