package modeltext_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/modeltext"
)

// hostile are answers that are made to take long.
func hostile(size int) map[string]string {
	names := &strings.Builder{}
	for i := 0; names.Len() < size; i++ {
		fmt.Fprintf(names, "\n<think_%d>\n", i)
	}
	out := map[string]string{"names": names.String()}
	for _, piece := range []string{
		"<think>", "<think></think>", "[THINK][/THINK]", "◁think▷◁/think▷", "a</think>", "</think>\n", "[INST]", "<|im_end|> a", "<s>", "a.</s>\n", "`<|a|>` <|b|> ", "【1†a】", "[1]", "```\n", "~~~ a\n", "<answer>\n", "Sure!\n\n",
		"---\na: b\n", "<|channel|>final<|message|>", "<channel|>", "**a** ", "&amp;", "> ```\n",
	} {
		out[piece] = strings.Repeat(piece, size/len(piece))
	}
	return out
}

func BenchmarkHostileAnswers(b *testing.B) {
	for _, size := range []int{250_000, 8_000_000} {
		for name, answer := range hostile(size) {
			b.Run(fmt.Sprintf("%d/%q", size, name), func(b *testing.B) {
				for b.Loop() {
					body := modeltext.Body(answer)
					_, _ = modeltext.Stray(body), modeltext.WithoutReasoning(answer)
				}
			})
		}
	}
}
