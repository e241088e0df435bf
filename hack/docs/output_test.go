//go:build e2e

package docs

import (
	"regexp"
	"strings"
)

// changing is what differs from run to run, in what a page shows and in what is printed.
var changing = []struct {
	what *regexp.Regexp
	as   string
}{
	{regexp.MustCompile(`\bpr_[a-z]+_[0-9A-Za-z_]+`), "CREDENTIAL"},
	{regexp.MustCompile(`\bsha256:[0-9a-f]+`), "DIGEST"},
	{regexp.MustCompile(`\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b`), "UUID"},
	{regexp.MustCompile(`\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)`), "TIME"},
	{regexp.MustCompile(`\b\d{4}-\d\d-\d\d\b`), "DATE"},
	{regexp.MustCompile(`-[0-9a-f]{16}\b`), "-HASH"},
	{regexp.MustCompile(`-[0-9a-f]{8}-(\d+)\b`), "-HASH-$1"},
	{regexp.MustCompile(`\b[a-z2-7]{16}\b`), "ID"},
	{regexp.MustCompile(`\b[0-9a-f]{24,}\b`), "HEX"},
	{regexp.MustCompile(`\b(\d+(ms|[smhdy]))+\b`), "AGE"},
	{regexp.MustCompile(`\b127\.0\.0\.1:\d+`), "127.0.0.1:PORT"},
}

func stable(text string) string {
	for _, c := range changing {
		text = c.what.ReplaceAllString(text, c.as)
	}
	return text
}

// blanks are those between columns, whose widths depend on what else is in the table.
var blanks = regexp.MustCompile(`[ \t]+`)

// shows reports whether a command prints what the page shows: each line, in the same order. A table may have more lines than the page
// shows. Three dots stand for anything. JSON is one text, however it is broken into lines.
func shows(page, printed string) bool {
	if strings.HasPrefix(page, "{") {
		page, printed = strings.Join(strings.Fields(page), ""), strings.Join(strings.Fields(printed), "")
	}
	lines := strings.Split(strings.TrimSpace(stable(printed)), "\n")
	for want := range strings.SplitSeq(strings.TrimSpace(stable(page)), "\n") {
		pattern := asPattern(want)
		for len(lines) > 0 && !pattern.MatchString(trimmed(lines[0])) {
			lines = lines[1:]
		}
		if len(lines) == 0 {
			return false
		}
		lines = lines[1:]
	}
	return true
}

func asPattern(want string) *regexp.Regexp {
	return regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(trimmed(want)), `\.\.\.`, ".*") + "$")
}

func trimmed(line string) string { return strings.TrimSpace(blanks.ReplaceAllString(line, " ")) }
