package scripted

import (
	"embed"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/pressroom-dev/pressroom/internal/embedded"
)

// texts have, for each language, sentences that may stand in any order, and what else an article is made of. {k} stands for the
// keyword, {K} for the keyword with a capital, {s} for a secondary one, {w} for the words of a link and {n} for its name.
//
//go:embed texts/*.txt
var texts embed.FS

// bank is the text of a language by the names of its parts.
type bank map[string][]string

// banks are read once.
var banks = sync.OnceValue(func() map[string]bank {
	out := map[string]bank{}
	for name, text := range embedded.MustTexts(texts, "texts/*.txt") {
		out[strings.TrimSuffix(path.Base(name), ".txt")] = parse(text)
	}
	return out
})

func parse(text string) bank {
	b, part := bank{}, ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
		case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"):
			part = strings.Trim(line, "[]")
		default:
			b[part] = append(b[part], line)
		}
	}
	return b
}

// bankOf returns the bank of a language; the English one if there is none.
func bankOf(tag string) bank {
	base, _, _ := strings.Cut(strings.ToLower(tag), "-")
	if b, ok := banks()[base]; ok {
		return b
	}
	return banks()["en"]
}

// without returns the bank without the sentences that have words to avoid.
func (b bank) without(words []string) bank {
	if len(words) == 0 {
		return b
	}
	out := bank{}
	for part, lines := range b {
		out[part] = slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
			return slices.ContainsFunc(words, func(word string) bool {
				return strings.Contains(strings.ToLower(line), strings.ToLower(word))
			})
		})
	}
	return out
}

// fill puts a keyword into a text.
func fill(text, keyword string) string {
	r, n := utf8.DecodeRuneInString(keyword)
	capital := string(unicode.ToTitle(r)) + keyword[n:]
	return strings.NewReplacer("{k}", keyword, "{K}", capital).Replace(text)
}
