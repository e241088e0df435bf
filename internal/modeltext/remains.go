package modeltext

import (
	"regexp"
)

// remains are signs that no reader should see, in plain text without code.
var remains = regexp.MustCompile(token + `|` + citation + `|` +
	`(?i:</?(?:\w+:)?(?:think|thinking|thought|reasoning|tool_calls?|function_calls?|invoke|tool_response|answer)\b[^<>\n]*>)|` +
	`\[/?(?:THINK|TOOL_RESULTS|AVAILABLE_TOOLS)\]|◁/?\w+▷|</?｜DSML｜|<\|channel>|` +
	`\bassistantfinal\b|\bto=functions\.\w|\bfunctions\.\w+[:(]|[{,]\s*"(?:name|arguments|tool_call)"\s*:|` +
	`^(?i:` + fieldName + `): .*\b(?i:` + fieldName + `): `)

// Remains returns what looks like a remain of what models, templates and tools write beside a text; empty if nothing does. The text is
// plain and one block, and has no code: there, such signs are meant.
func Remains(plain string) string {
	for _, words := range []*regexp.Regexp{handing, behind} {
		if found := words.FindString(plain); found != "" {
			return found
		}
	}
	return remains.FindString(plain)
}
