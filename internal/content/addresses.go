package content

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"
)

// addressLike matches what readers and programs take for an address: with a scheme, beginning with www or //, and e-mail addresses. A
// bare host such as example.com is a name, and no program of CommonMark or GitHub makes a link of it.
var addressLike = regexp.MustCompile(`(?i)[a-z][a-z0-9+.\-]*:\\?/\\?/[^\s<>"]*|//[a-z0-9\-]+(\.[a-z0-9\-]+)+[^\s<>"]*|\bwww\.[^\s<>"]+|` +
	`\b(mailto|tel|sms|javascript|vbscript|data|file):[^\s<>"]+|[^\s<>"@(\[]+@[^\s<>"@]+\.[^\s<>"@)\].,;:!?]+`)

var (
	// linkMarkup is a link or an image of Markdown, with an address or a name.
	linkMarkup = regexp.MustCompile(`!?\[([^\[\]]*)\](\([^()]*(\([^()]*\)[^()]*)*\)|\[[^\[\]]*\])`)
	// bracketed are brackets around a name or a number, as models write citations.
	bracketed = regexp.MustCompile(`\[[a-z]?[0-9]{1,3}\]`)
	// emptied are brackets whose content was an address.
	emptied = regexp.MustCompile(`\(\s*\)|<\s*>|\[\s*\]`)
)

// WithoutAddresses returns a text that is no Markdown, such as a title or an answer, without addresses: of links and tags, the words
// are left.
func WithoutAddresses(text string) string {
	if !strings.ContainsAny(text, "[<:@/") && !strings.Contains(strings.ToLower(text), "www.") {
		return text
	}
	before := text
	if strings.Contains(text, "<") {
		text = wordsOfHTML(text)
	}
	text = bracketed.ReplaceAllString(linkMarkup.ReplaceAllString(text, "$1"), "")
	if text = takeOut(text); text == before {
		return text
	}
	return strings.TrimSpace(emptied.ReplaceAllString(text, ""))
}

// takeOut takes every address out of a text. What is left around one may be another one.
func takeOut(text string) string {
	for addressLike.MatchString(text) {
		text = addressLike.ReplaceAllStringFunc(text, func(address string) string {
			return address[len(strings.TrimRight(address, ").,;:!?*_]'")):]
		})
	}
	return text
}

// wordsOfHTML returns the text of HTML without its tags, comments, scripts and styles. Of an image, its alternative text is left. A sign
// that begins no tag stays as it is.
func wordsOfHTML(source string) string {
	var b strings.Builder
	tokens := html.NewTokenizer(strings.NewReader(source))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return b.String()
		case html.TextToken:
			b.Write(tokens.Text())
		case html.StartTagToken, html.SelfClosingTagToken:
			token := tokens.Token()
			b.WriteString(wordsOfTag(token))
			if token.Data == "script" || token.Data == "style" {
				// All of it is the next token.
				tokens.Next()
			}
		case html.EndTagToken, html.CommentToken, html.DoctypeToken:
		}
	}
}

// wordsOfTag returns what a tag shows by itself: an image its alternative text, a line break a blank.
func wordsOfTag(token html.Token) string {
	switch token.Data {
	case "br", "p", "div", "li", "td", "hr":
		return " "
	case "img":
		return attribute(token, "alt")
	default:
		return ""
	}
}

// attribute returns the value of an attribute of a tag, or "".
func attribute(token html.Token, key string) string {
	for _, a := range token.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}
