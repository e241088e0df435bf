package generate

import (
	"fmt"

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
	// bytes and counted are what endpoints counted for texts of which size, of all turns.
	bytes, counted int64
}

// charge adds a turn. It returns the estimate of a turn that the endpoint did not count; 0 if it did.
func (b *budget) charge(p prompt, a answer) (estimated int64) {
	b.turns--
	counted := a.usage.InputTokens + a.usage.OutputTokens
	if counted == 0 {
		estimated = b.estimate(p.size() + len(a.text))
		b.spent += estimated
		return estimated
	}
	b.spent += counted
	b.bytes += int64(p.size() + len(a.text))
	b.counted += counted
	return 0
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

// affords reports whether a turn that may be left out fits: with an answer of about so many bytes.
func (b *budget) affords(p prompt, answer int) bool {
	return b.turns > 0 && (b.tokens == 0 || b.spent+b.estimate(p.size()+answer) <= b.tokens)
}

// estimate returns the tokens of so many bytes, by what this run has seen. At first it is one for three bytes: a token has about three
// letters of Latin script, or one sign of a script without spaces.
func (b *budget) estimate(bytes int) int64 {
	if b.counted > 0 && b.bytes > 0 {
		return int64(bytes)*b.counted/b.bytes + 1
	}
	return int64(bytes)/3 + 1
}

func (p prompt) size() int {
	n := len(p.system)
	for _, t := range p.turns {
		n += len(t.text)
	}
	return n
}
