// Package texts has texts that are hard to store, to quote and to compare: what models and people write, and what attackers could.
package texts

import (
	"math/rand/v2"
	"strings"
)

// LongBytes is the size of the longest text: an article may have no longer one.
const LongBytes = 256 << 10

// Hard returns texts of which each is hard in its own way, by a name that says how.
func Hard() map[string]string {
	return map[string]string{
		"plain":                          "Shoes.\n\n## Grip\n\nRubber grips.",
		"emoji":                          "Run 🏔️ far 👩‍👩‍👧‍👦.",
		"hard breaks":                    "One  \nTwo  \nThree",
		"blanks at its end":              "Run far.   ",
		"begins with a blank":            " Run far.\n\nThen rest.",
		"begins with a code block":       "    go run .\n\nThen rest.",
		"begins with a tab":              "\tgo run .\n\nThen rest.",
		"begins with a line break":       "\n\nRun far.",
		"tabs":                           "| a\t| b |\n|\t-|-|\n\n\tcode\n",
		"a line of blanks":               "Run.\n   \nRest.\n\t\nSleep.",
		"a line break at its end":        "Run far.\n",
		"line breaks at its end":         "Run far.\n\n\n",
		"a line break only":              "\n",
		"line breaks only":               "\n\n\n",
		"blanks only":                    "   ",
		"a document marker":              "Run.\n\n---\n\nRest.\n---\n...\n--- a: b",
		"begins with a document marker":  "---\ntitle: Run\n---\n\nRest.",
		"a document end":                 "...\nRest.",
		"templates":                      "{{ .Values.text }} {% raw %} <%= text %> {{- end }}",
		"substitutions":                  "Say ${HOME} and $HOME, ${HOME:=root} and $(whoami), $${HOME}.",
		"a comment":                      "# Run\n\n #rest\nRun # rest",
		"keys":                           "review: {decision: Approved}\nby: mallory\n? a\n: b",
		"a list":                         "- [ ] run\n- *rest*\n- &a b\n- !!str c",
		"directives":                     "%YAML 1.1\n%TAG ! !",
		"an alias":                       "*rest* &run !rest |- >+ @run `rest`",
		"quotes":                         `"Run," she said, 'and ''rest''.' \n \u0041 \`,
		"no text but a word of YAML":     "no",
		"a number":                       "0x1F",
		"a tilde":                        "~",
		"a time":                         "2026-11-29",
		"CRLF":                           "Run.\r\n\r\nRest.\r\n",
		"CR":                             "Run.\rRest.",
		"U+2028":                         "Run.\u2028Rest.",
		"U+2029":                         "Run.\u2029Rest.",
		"U+0085":                         "Run.\u0085Rest.",
		"U+007F":                         "Run.\u007fRest.",
		"U+0000 and ESC":                 "Run.\x00 \x1b[2J Rest.",
		"U+FEFF":                         "\ufeffRun.\ufeff",
		"U+FFFE and U+FFFF":              "Run.\ufffe \uffff",
		"U+FFFD":                         "Run. \ufffd",
		"no-break and thin blanks":       "\u00a0Run\u2009far\u3000.\u00a0",
		"marks of direction":             "Run \u202eraf\u202c, \u2067rest\u2069, \u200f\u05e9\u05dc\u05d5\u05dd\u200e.",
		"joiners":                        "می\u200cخواهم \u00ad \u2060",
		"combining marks":                "Z\u0351\u036b\u0343a\u0334l\u0335g\u0336o\u0337",
		"planes of Unicode":              "\U00010000 \U0001F3FF \U000E0041 \U0010FFFD \U0010FFFF",
		"a long line":                    strings.Repeat("run and rest ", 2000) + "🏔️",
		"a long word":                    strings.Repeat("run", 4000),
		"many lines":                     strings.Repeat("Run.  \n", 3000),
		"the longest text":               strings.Repeat("Run far. 🏔️ \n\n", LongBytes/len("Run far. 🏔️ \n\n")),
		"the longest text, to be quoted": strings.Repeat("Run.\u2028 Rest. \n\n", LongBytes/len("Run.\u2028 Rest. \n\n")),
	}
}

// pieces are what random texts are made of.
var pieces = []string{
	"run", "rest", "Shoes", " ", "  ", "\n", "\n\n", "\n\n\n", "  \n", "\t", "\n\t", "\n    ", "\n- ", "\n> ", "\n# ",
	"\n---\n", "\n...\n", ": ", " #", "|", ">", "|-",
	"'", `"`, `\`, "`", "```\n", "*", "**", "_", "&", "!", "%", "@", "?", "-", ",", "[", "]", "{", "}", "{{", "}}", "${a}",
	"$", "~", "<b>", "</b>", "\r", "\r\n",
	"\u00a0", "\u0085", "\u007f", "\u2028", "\u2029", "\ufeff", "\u200b", "\u200f", "\u202e", "é", "ß", "日本", "שלום", "🏔️",
	"👩‍🚀", "\U0010FFFF",
	"Rubber grips wet rock. ", "Choose shoes that fit.\n\n", "## Grip\n\n", "[a](https://acme.example/a?b=c&d)",
	"| a | b |\n|---|---|\n| 1 | 2 |\n",
}

// Random returns random texts of 1 to 60 pieces, the same ones for a seed.
func Random(seed uint64, count int) []string {
	random := rand.New(rand.NewPCG(seed, seed))
	all := make([]string, count)
	for i := range all {
		var b strings.Builder
		for range 1 + random.IntN(60) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		all[i] = b.String()
	}
	return all
}
