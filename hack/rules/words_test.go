package rules

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// wordings are patterns that a reader has to read twice, with what to write instead. They are searched for without regard to case.
var wordings = []struct{ pattern, instead string }{
	{`\bwhoever\b`, `"anyone who", "the person who", or "regardless of who"`},
	{`\bwhichever\b`, `"any", or name the choice`},
	{`\banew\b`, `"again"`},
	{`\bas far as\b`, `say what the limit is`},
	{`\bas good as\b`, `say how good`},
	{`\balso if\b`, `"even if"`},
	{`\bnothing but\b`, `"only"`},
	{`\ball the same\b`, `"anyway"`},
	{`\bin vain\b`, `say what did not happen`},
	{`\btells? of\b`, `"shows", "says", "names"`},
	{`\bwhat is there\b`, `name the things`},
	{`\bgets? on with\b`, `"continues"`},
	{`\boutsiders?\b`, `"external endpoint"`},
	{`\bhopeless\b`, `"precheck", or say why it fails`},
	{`\bon the wire\b`, `"in progress"`},
	{`\bobstacles?\b`, `"blocker"`},
	{`\bof ours\b`, `say whose`},
	{`\bif need be\b`, `"if necessary"`},
	{`\bsuch as by\b`, `"for example by", "because of"`},
	{`\bthe same of\b`, `"the same for"`},
	{`\b(?:that|those) of the ones?\b`, `repeat the noun`},
	{`\b(?:is|are) why\b`, `"is the reason"`},
	{`\bolder than the world\b`, `say what is not known`},
	{`\bunder your hands\b`, `say what does not change`},
	{`\bof (?:[\w'-]+ ){1,4}only(?:[.,;:)|"]|$)`, `put "only" before what it limits`},
	{`\b(?:contract|design)\b.{0,20}\bsections? \d`, `the page and its heading, as in "docs/reference/contract.md, Limits"`},
}

// spoken are files whose texts are data: what models write, words of languages, and texts of other people.
var spoken = regexp.MustCompile(`/testdata/|/vendor/|/functionwords/|^test/scripted/texts/|^internal/generate/outline|` +
	`^internal/evaluate/suite\.yaml$|^test/browsertest/axe/|^apiserver/web/assets/|\.min\.js$|^hack/rules/words_test\.go$`)

// The documentation, comments, templates and messages are read by people who learned English at school.
func TestNoWordingHasToBeReadTwice(t *testing.T) {
	files := slices.DeleteFunc(append(textFiles(t), handWritten(t)...), func(file string) bool {
		return spoken.MatchString(file) || path.Ext(file) == ".json"
	})
	patterns, parts := make([]*regexp.Regexp, len(wordings)), make([]string, len(wordings))
	for i, w := range wordings {
		patterns[i], parts[i] = regexp.MustCompile("(?im)"+w.pattern), longestPart(w.pattern)
	}
	for _, file := range files {
		text := read(t, file)
		if file == "docs/contributing/glossary.md" {
			text = withoutLastColumn(text)
		}
		lower := strings.ToLower(text)
		for i, w := range wordings {
			if !strings.Contains(lower, parts[i]) {
				continue
			}
			for _, at := range patterns[i].FindAllStringIndex(text, -1) {
				t.Errorf("%s:%d: %q: write %s", file, strings.Count(text[:at[0]], "\n")+1, text[at[0]:at[1]], w.instead)
			}
		}
	}
}

// inPart are the parts of a pattern that a match may lack, or that stand for other text.
var inPart = regexp.MustCompile(`\(\?:(?:\[[^]]*\]|[^()])*\)|[a-z]\?|\\b|\{[^}]*\}`)

// longestPart is the longest text that each match of a pattern has. To look for it first is much faster than the pattern.
func longestPart(pattern string) string {
	return slices.MaxFunc(strings.Split(inPart.ReplaceAllString(pattern, "\n"), "\n"), func(a, b string) int { return len(a) - len(b) })
}

// withoutLastColumn returns a page without the words that its table advises against.
func withoutLastColumn(page string) string {
	lines := strings.Split(page, "\n")
	for i, line := range lines {
		if cells := strings.Split(line, "|"); len(cells) > 3 {
			lines[i] = strings.Join(cells[:len(cells)-2], "|")
		}
	}
	return strings.Join(lines, "\n")
}
