package wordpress

import (
	"strings"

	"golang.org/x/net/html"
)

// joinLines replaces the line ends in texts by spaces, except in <pre>: WordPress makes a <br> of each one that it shows.
func joinLines(body string) string {
	var b strings.Builder
	preformatted := 0
	z := html.NewTokenizer(strings.NewReader(body))
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			return b.String()
		}
		raw := string(z.Raw())
		switch name, _ := z.TagName(); {
		case kind == html.TextToken && preformatted == 0:
			raw = strings.ReplaceAll(raw, "\n", " ")
		case kind == html.StartTagToken && string(name) == "pre":
			preformatted++
		case kind == html.EndTagToken && string(name) == "pre":
			preformatted = max(preformatted-1, 0)
		}
		b.WriteString(raw)
	}
}
