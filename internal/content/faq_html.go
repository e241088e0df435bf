package content

import (
	"fmt"
	"html"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/language"
)

// FAQSection renders questions and answers as a section that can follow the HTML of a body: headings and paragraphs without
// attributes, which every CMS keeps. It is empty if there are none. An answer is Markdown, as the body is, and fails as HTML does.
func FAQSection(faq []v1alpha1.FAQ, lang string) (string, error) {
	if len(faq) == 0 {
		return "", nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<h2>%s</h2>\n", html.EscapeString(faqHeading(lang)))
	for _, f := range faq {
		answer, err := HTML(f.Answer)
		if err != nil {
			return "", fmt.Errorf("rendering an answer of the FAQ: %w", err)
		}
		fmt.Fprintf(&b, "<h3>%s</h3>\n%s\n", html.EscapeString(f.Question), strings.TrimSpace(answer))
	}
	return b.String(), nil
}

// faqHeading is the heading of a FAQ section in the language of the article, else in English.
func faqHeading(lang string) string {
	profile := language.For(lang)
	names := profile.FAQ()
	switch {
	case len(names) == 0:
		return language.For("en").FAQ()[0]
	case profile.Traditional():
		return names[1]
	default:
		return names[0]
	}
}
