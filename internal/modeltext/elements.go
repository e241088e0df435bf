package modeltext

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/net/html/atom"
)

// form is how elements are written: tags, or the tokens that models have for them. $1 stands for the name of an element.
type form struct {
	// begin finds what begins an element, and leading finds it at the beginning of a text alone.
	begin, leading *regexp.Regexp
	end            string
	isTag          bool
}

func newForm(begin, end string) form {
	return form{begin: regexp.MustCompile(begin), leading: regexp.MustCompile(`\A` + begin), end: end}
}

func newTag(begin, end string) form {
	f := newForm(begin, end)
	f.isTag = true
	return f
}

var forms = []form{
	newTag(`<([A-Za-z][\w:.-]*)(?:[=\s][^<>\n]*)?>`, `</(?i:$1)\s*>`),
	newForm(`\[(THINK|THINKING|REASONING|TOOL_RESULTS|AVAILABLE_TOOLS)\]`, `\[/$1\]`),
	newForm(`◁(\w+)▷`, `◁/$1▷`),
	newForm(`<\|(?:START|BEGIN)_(\w+)\|>`, `<\|END_$1\|>`),
	newForm(`<\|begin_of_(\w+)\|>`, `<\|end_of_$1\|>`),
	newForm(`<[|｜]([\w▁]+?)[_▁](?:begin|start|prefix)[|｜]>`, `<[|｜]$1[_▁](?:end|suffix)[|｜]>`),
	newForm(`<\|(channel|tool_call|tool_response)>`, `<$1\|>`),
	newForm(`<｜DSML｜([\w.-]+)[^<>\n]*>`, `</｜DSML｜$1>`),
}

var (
	// reasoning and machine are names of elements that have no text for readers. What calls of tools and their results have is no language.
	reasoning = regexp.MustCompile(`(?i)(?:^|[_:.-])(?:think|thinking|thoughts?|reason|reasoning|reflections?|scratchpad|` +
		`monologue|analysis|antthinking|inner|channel)(?:$|[_:.-])`)
	machine = regexp.MustCompile(`(?i)(?:^|[_:.-])(?:tools?|functions?|invoke)(?:$|[_:▁.-])`)
	// holder are names of elements that have the text that was asked for.
	holder = regexp.MustCompile(`(?i)^(?:final[_-]?)?(?:answer|response|output|article|blog[_-]?post|post|result|markdown|` +
		`content|document|text|section|body|main|html|solution|final|rewrite|revision|draft|(?:ant)?artifact)$`)
)

// element is an element of a text, with its signs and without them.
type element struct {
	name         string
	outer, inner span
	// open is whether nothing ends it: then it extends to the end of the text.
	open bool
}

func (e element) isReasoning() bool { return reasoning.MatchString(e.name) }

func (e element) isMachine() bool { return machine.MatchString(e.name) }

func (e element) isHidden() bool { return e.isReasoning() || e.isMachine() }

// ending returns what ends an element.
func (f form) ending(name string) *regexp.Regexp {
	return regexp.MustCompile(strings.ReplaceAll(f.end, "$1", regexp.QuoteMeta(name)))
}

// read returns the element that begins at a match.
func (f form) read(text string, match []int) element {
	e := element{name: text[match[2]:match[3]], outer: span{match[0], len(text)}, inner: span{match[1], len(text)}, open: true}
	end := f.ending(e.name)
	sign := text[match[0]:match[1]]
	for at, depth := match[1], 1; ; {
		m := end.FindStringIndex(text[at:])
		if m == nil {
			return e
		}
		depth += strings.Count(text[at:at+m[0]], sign) - 1
		if depth <= 0 {
			e.inner.end, e.outer.end, e.open = at+m[0], at+m[1], false
			return e
		}
		at += m[1]
	}
}

// maxNames bounds the names of elements that nothing ends: each is looked for to the end of the text.
const maxNames = 50

// elements returns the elements of a text that wanted accepts, in order. None is in another one. An element that begins in code is none.
func elements(text string, code []span, wanted func(element) bool) []element {
	var all []element
	unclosed := map[string]bool{}
	for _, f := range forms {
		last := 0
		for _, match := range f.begin.FindAllStringSubmatchIndex(text, -1) {
			name := text[match[2]:match[3]]
			if match[0] < last || unclosed[name] || len(unclosed) > maxNames || isIn(code, match[0]) || !wanted(element{name: name}) {
				continue
			}
			e := f.read(text, match)
			if last = e.outer.end; e.open {
				unclosed[name] = true
			}
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b element) int { return cmp.Compare(a.outer.start, b.outer.start) })
	var out []element
	last := 0
	for _, e := range all {
		if e.outer.start >= last {
			out, last = append(out, e), e.outer.end
		}
	}
	return out
}

// leadingElement takes off hidden elements at the beginning, each of which is followed by the text, and then what the text is in. An
// element of HTML is part of the text.
func leadingElement(isHidden func(element) bool) step {
	return func(_ *reader, text string) string {
		e, ok := leading(text, isHidden)
		for ok && isHidden(e) {
			text = strings.TrimSpace(text[e.outer.end:])
			e, ok = leading(text, isHidden)
		}
		if ok {
			return withoutLeading(text, e)
		}
		return text
	}
}

// leading returns the element that a text begins with.
func leading(text string, isHidden func(element) bool) (element, bool) {
	for _, f := range forms {
		match := f.leading.FindStringSubmatchIndex(text)
		if len(match) == 0 {
			continue
		}
		// Tokens of any name are those of turns, too.
		if e := f.read(text, match); f.isTag || isHidden(e) || holder.MatchString(e.name) {
			return e, true
		}
	}
	return element{}, false
}

func withoutLeading(text string, e element) string {
	inner, rest := text[e.inner.start:e.inner.end], text[e.outer.end:]
	holds := holder.MatchString(e.name)
	ownLines := strings.HasPrefix(inner, "\n") || strings.TrimSpace(rest) == "" || strings.HasPrefix(rest, "\n")
	isHTML := atom.Lookup([]byte(strings.ToLower(e.name))) != 0
	switch {
	case e.open && holds:
		return inner
	case e.open, !ownLines, isHTML && !holds:
		return text
	case len(inner) >= len(rest):
		return inner + "\n\n" + rest
	case holds:
		return text
	default:
		return rest
	}
}

// afterReasoning takes off reasoning that a template begins in the question: the answer has its end only. Within a line, such a sign is a
// word of the text.
func afterReasoning(r *reader, text string) string {
	// A text that is too long to be parsed is one with long reasoning.
	code, _ := r.codeIn(text)
	at := 0
	for _, end := range endsOfReasoning {
		for _, match := range end.FindAllStringIndex(text, -1) {
			ends := match[1] == len(text) || strings.HasPrefix(strings.TrimLeft(text[match[1]:], " \t"), "\n\n")
			// The answer may begin right behind it, as no word of a sentence does.
			glued := endsSentence(text[:match[0]]) && match[1] < len(text) &&
				!strings.ContainsAny(text[match[1]:match[1]+1], " \n\t.,;:!?)")
			if (ends || glued || beginsLine(text, match[0])) && !isIn(code, match[0]) {
				at = max(at, match[1])
			}
		}
	}
	if begins := func(f form) bool { return f.beginsReasoning(text[:at], code) }; slices.ContainsFunc(forms, begins) {
		return text
	}
	return text[at:]
}

// beginsReasoning reports whether a text has the sign that begins reasoning, outside of code.
func (f form) beginsReasoning(text string, code []span) bool {
	for at := 0; ; {
		match := f.begin.FindStringSubmatchIndex(text[at:])
		if match == nil {
			return false
		}
		if reasoning.MatchString(text[at+match[2]:at+match[3]]) && !isIn(code, at+match[0]) {
			return true
		}
		at += match[1]
	}
}

// endsOfReasoning are the signs that end reasoning. Each begins with letters that are found fast.
var endsOfReasoning = []*regexp.Regexp{
	regexp.MustCompile(`</(?:\w+:)?(?i:think|thinking|thoughts?|reasoning)>`), regexp.MustCompile(`\[/THINK\]`),
	regexp.MustCompile(`◁/think▷`), regexp.MustCompile(`<\|END_THINKING\|>`), regexp.MustCompile(`<\|end_of_thought\|>`),
	regexp.MustCompile(`<channel\|>`), regexp.MustCompile(`\.\.\.done thinking\.`),
}

// withoutElements takes off hidden elements that begin a line, and calls of tools anywhere.
func withoutElements(isHidden func(element) bool) step {
	return func(r *reader, text string) string {
		code, ok := r.codeIn(text)
		if !ok {
			return text
		}
		var ranges []span
		for _, e := range elements(text, code, isHidden) {
			inner := strings.TrimLeft(text[e.inner.start:e.inner.end], " \t")
			isData := e.isMachine() && strings.IndexAny(strings.TrimSpace(inner), "{[<") == 0
			// What nothing ends is no element if words follow its sign: a sentence about the sign begins so.
			if isData || beginsLine(text, e.outer.start) && (!e.open || strings.HasPrefix(inner, "\n") || inner == "") {
				ranges = append(ranges, e.outer)
			}
		}
		if len(ranges) > 0 {
			return cut(text, ranges)
		}
		// Some models call tools in a block of code.
		for _, b := range r.topLevel(text) {
			if b.node.Kind() == ast.KindFencedCodeBlock && isHidden(element{name: readFence(text, b).language}) {
				ranges = append(ranges, b.span)
			}
		}
		return cut(text, ranges)
	}
}

// beginsLine reports whether only blanks are before a place in its line.
func beginsLine(text string, at int) bool {
	before := strings.TrimRight(text[:at], " \t")
	return before == "" || strings.HasSuffix(before, "\n")
}

// answered takes the text out of an element after other words, and takes off a sign that begins or ends one alone.
func answered(r *reader, text string) string {
	code, ok := r.codeIn(text)
	if !ok {
		return text
	}
	isHolder := func(e element) bool { return holder.MatchString(e.name) }
	for _, e := range elements(text, code, isHolder) {
		ends := strings.TrimSpace(text[e.outer.end:]) == ""
		if inner := text[e.inner.start:e.inner.end]; !e.open && ends && strings.HasPrefix(inner, "\n") && 2*len(inner) > len(text) {
			return inner
		}
	}
	if m := trailingSign.FindStringSubmatchIndex(text); len(m) > 0 && holder.MatchString(text[m[2]:m[3]]) && !isIn(code, m[0]) &&
		!strings.Contains(text[:m[0]], "<"+text[m[2]:m[3]]) {
		return text[:m[0]]
	}
	return text
}

// trailingSign is the end of an element at the end of a text.
var trailingSign = regexp.MustCompile(`</(\w+)>$`)

// Stray returns a sign of reasoning or of a call of a tool that is left in Markdown, outside of code; empty if there is none. What belongs
// to it cannot be told. A sentence may name such signs.
func Stray(markdown string) string {
	code, ok := (&reader{}).codeIn(markdown)
	if !ok {
		return ""
	}
	for _, e := range elements(markdown, code, element.isHidden) {
		words := len(strings.Fields(markdown[e.inner.start:e.inner.end]))
		if beginsLine(markdown, e.outer.start) || !e.open && words > maxNamed {
			return markdown[e.outer.start:e.inner.start]
		}
	}
	for _, end := range endsOfReasoning {
		for _, match := range end.FindAllStringIndex(markdown, -1) {
			begins := func(f form) bool { return f.beginsReasoning(markdown[:match[0]], nil) }
			if !isIn(code, match[0]) && !slices.ContainsFunc(forms, begins) {
				return markdown[match[0]:match[1]]
			}
		}
	}
	return ""
}

// maxNamed is how many words a sentence that names two signs may have between them.
const maxNamed = 5
