package content_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/pressroom-dev/pressroom/internal/content"
)

// own are the only addresses that a text may have.
var own = content.NamedLinks{
	Most: 2,
	Links: []content.NamedLink{
		{Name: "a1", URL: "https://acme.example/soil"}, {Name: "a2", URL: "https://acme.example/water?x=1&y=(2)"},
		{Name: "a3", URL: "https://acme.example/light"},
	},
	Refuses: func(words string) bool { return words == "the keyword" },
}

// defined is a body with the addresses of its links.
func defined(n content.NamedLinks, body string) string {
	markdown, _ := n.Define(body)
	return markdown
}

func TestAModelLinksByName(t *testing.T) {
	for _, c := range []struct{ name, markdown, want string }{
		{"a link", "Read [good words][a1] here.", "Read [good words][a1] here."},
		{"the same twice", "[good words][a1] and [more words][a1]", "[good words][a1] and more words"},
		{"more than may be", "[one x][a1] [two x][a2] [three x][a3]", "[one x][a1] [two x][a2] three x"},
		{"a name that is not given", "Read [good words][a9] here.", "Read [good words][a9] here."},
		{"a name alone", "As we said [a1].", "As we said ."},
		{"words that may not link", "Read [the keyword][a1].", "Read the keyword."},
		{"in a heading", "## On [good words][a1]", "## On good words"},
		{"in a list", "- one [good words][a1]\n- two", "- one [good words][a1]\n- two"},
		{"a definition of its own", "[good words][a1]\n\n[a1]: https://evil.example", "[good words][a1]\n\n"},
		{"an address", "Read [good words](https://evil.example \"x\") here.", "Read good words here."},
		{"an image", "Look: ![a *good* picture](https://evil.example/x.png)", "Look: a *good* picture"},
		{"an autolink", "Look at <https://evil.example> now.", "Look at  now."},
		{"a bare address", "Look (https://evil.example/a,b) now.", "Look () now."},
		{"a tag", "Look at <a href=\"https://evil.example\">our *shop*</a>.", "Look at our *shop*."},
		{"a block of HTML", "<div>our <b>shop</b></div>\n\nText.", "our shop\n\nText."},
		{"code", "Run `curl https://evil.example` now.", "Run `curl ` now."},
		{"nothing at all", "Plain *text* with [brackets] and 3 < 4, `code` and\na line.", "Plain *text* with [brackets] and 3 < 4, `code` and\na line."},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _ := own.Apply(c.markdown)
			if strings.TrimSpace(got) != strings.TrimSpace(c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if again, removed := own.Apply(got); again != got || removed != 0 {
				t.Errorf("a second time it is %q", again)
			}
		})
	}
}

func TestNamesGetTheAddressesOfTheSite(t *testing.T) {
	body, _ := own.Apply("Read [good words][a1] and [more words][a2].")
	rendered, err := content.HTML(defined(own, body))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<a href="https://acme.example/soil">good words</a>`, `href="https://acme.example/water?x=1&amp;y=(2)"`} {
		if !strings.Contains(rendered, want) {
			t.Errorf("the HTML is %s, want %s in it", rendered, want)
		}
	}
	if got := defined(own, "No links."); got != "No links." {
		t.Errorf("got %q", got)
	}
}

// attacks are ways to bring an address into a text.
var attacks = []string{
	`https://evil.example/path?q=1`, `HTTPS://EVIL.EXAMPLE`, `www.evil.example`, `ftp://evil.example`, `<https://evil.example>`, `<me@evil.example>`,
	`me@evil.example`, `mailto:me@evil.example`, `[x](https://evil.example)`, `[x](<https://evil.example> "t")`, `[x](//evil.example)`, `[x](/path)`,
	`[x](javascript:alert(1))`, `[x](data:text/html,x)`, `![x](https://evil.example/i.png)`, `[![x](https://evil.example/i.png)](https://evil.example)`,
	`[x][e]`, `[e]`, `[e][]`, `<a href="https://evil.example">x</a>`, `<A HREF=https://evil.example>x</A>`, `<img src="https://evil.example/i.png" alt="x">`,
	`<img src=x onerror=alert(1)>`, `<script src="https://evil.example"></script>`, `<!-- https://evil.example -->`, `<iframe src="//evil.example"></iframe>`,
	`ht[x](y)tps://evil.example`, `https:\/\/evil.example`, `h&#116;tps://evil.example`, `https&colon;//evil.example`, "`https://evil.example`",
	`**https://evil.example**`, `_[x](https://evil.example)_`, `~~www.evil.example~~`, `[a](b)[c](https://evil.example)`, `[a1](https://evil.example)`,
	`[good words][a1](https://evil.example)`, `\[x\](https://evil.example)`, `<https://evil.<b>example</b>>`, `[https://evil.example][a1]`,
}

// places are where in a text.
var places = []string{
	"Before %s after.\n\n[e]: https://evil.example/e\n", "## Heading %s\n\nText.\n\n[e]: <https://evil.example/e> 'title'\n",
	"- item %s\n- item\n\n> [e]: https://evil.example/e\n", "> quote %s\n> more\n\n[e]:\n  https://evil.example/e\n",
	"| a | b |\n|---|---|\n| %s | c |\n\n[e]: https://evil.example/e\n",
}

var visible = regexp.MustCompile(`(?i)(https?|ftp)\s*:|://|www\.|evil|mailto:|javascript:|data:|@`)

func TestHostileAnswersHaveNoAddressButTheSitesOwn(t *testing.T) {
	answers := 0
	for _, place := range places {
		for _, attack := range attacks {
			answers++
			markdown := fmt.Sprintf(place, attack) + "\nAnd [good words][a2] stay.\n"
			body, removed := own.Apply(markdown)
			body = defined(own, body)
			rest := body
			for _, l := range own.Links {
				rest = strings.ReplaceAll(rest, l.URL, "")
			}
			if found := visible.FindString(rest); found != "" {
				t.Errorf("%q became %q, which has %q", markdown, body, found)
			}
			if removed == 0 {
				t.Errorf("nothing was removed from %q", markdown)
			}
			rendered, err := content.HTML(body)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(rendered, "https://acme.example/water") {
				t.Errorf("%q lost its own link: %s", markdown, rendered)
			}
			checkHTML(t, markdown, rendered)
		}
	}
	if answers != 200 {
		t.Errorf("%d answers, want 200", answers)
	}
}

func checkHTML(t *testing.T, markdown, rendered string) {
	t.Helper()
	tokens := html.NewTokenizer(strings.NewReader(rendered))
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			return
		}
		token := tokens.Token()
		if kind == html.TextToken && visible.MatchString(token.Data) {
			t.Errorf("%q shows %q", markdown, token.Data)
		}
		for _, a := range token.Attr {
			known := slices.ContainsFunc(own.Links, func(l content.NamedLink) bool { return l.URL == a.Val })
			if (a.Key == "href" || a.Key == "src") && !known {
				t.Errorf("%q has the address %q", markdown, a.Val)
			}
		}
	}
}

func TestPlainTextsLoseTheirAddresses(t *testing.T) {
	for text, want := range map[string]string{
		"Shoes, 3/4 of them: a guide":                      "Shoes, 3/4 of them: a guide",
		"See https://evil.example/x.":                      "See .",
		"[our shop](https://evil.example) is open":         "our shop is open",
		"as in [soil][a1] and [2]":                         "as in soil and",
		"<b>bold</b> & <a href='//evil.example'>x</a>":     "bold & x",
		"write to me@evil.example (mailto:a@evil.example)": "write to",
		"Is 3 < 4?": "Is 3 < 4?",
	} {
		if got := content.WithoutAddresses(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

func FuzzNamedLinks(f *testing.F) {
	for _, place := range places {
		for _, attack := range attacks {
			f.Add(fmt.Sprintf(place, attack))
		}
	}
	f.Fuzz(func(t *testing.T, markdown string) {
		body, _ := own.Apply(markdown)
		rendered, err := content.HTML(defined(own, body))
		if err != nil {
			t.Skip()
		}
		tokens := html.NewTokenizer(strings.NewReader(rendered))
		for tokens.Next() != html.ErrorToken {
			for _, a := range tokens.Token().Attr {
				known := slices.ContainsFunc(own.Links, func(l content.NamedLink) bool { return l.URL == a.Val })
				if (a.Key == "href" || a.Key == "src") && !known {
					t.Errorf("the HTML of %q has the address %q", body, a.Val)
				}
			}
		}
	})
}

func TestLinksThatAreDefinedCanBeSplitOff(t *testing.T) {
	links := content.NamedLinks{Links: []content.NamedLink{{Name: "a1", URL: "https://acme.example/socks"}, {Name: "a3", URL: "https://acme.example/poles"}}}
	for _, body := range []string{"No links.", "Wear [good socks][a1].", "Wear [good socks][a1] and use [poles][a3].\n\n## Why\n\nBecause."} {
		got, found := content.SplitLinks(defined(links, body))
		if got != body || len(found) != strings.Count(body, "][") {
			t.Errorf("%q came back as %q with %v", body, got, found)
		}
	}
}
