package article_test

import (
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/article"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
)

func TestClaimsAreMarkedInTheirSentences(t *testing.T) {
	claim := func(words, sentence string) restarticle.Claim {
		return restarticle.Claim{Result: "unsupported", Words: words, Sentence: sentence}
	}
	for name, tt := range map[string]struct {
		html  string
		claim restarticle.Claim
		want  string
	}{
		"in a paragraph":       {"<p>It has 42 parts. And 42 more.</p>", claim("42", "And 42 more."), "<p>It has 42 parts. And <mark>42</mark> more.</p>"},
		"over elements":        {"<p>Of <em>42</em> percent.</p>", claim("42 percent", "Of 42 percent."), "<p>Of <em><mark>42</mark></em><mark> percent</mark>.</p>"},
		"over lines":           {"<p>Of 42\npercent.</p>", claim("42 percent", "Of 42 percent."), "<p>Of <mark>42\npercent</mark>.</p>"},
		"in a list":            {"<ul><li>42 a</li><li>42 b</li></ul>", claim("42", "42 b"), "<ul><li>42 a</li><li><mark>42</mark> b</li></ul>"},
		"in a link":            {`<p><a href="https://a.example">42</a> a</p>`, claim("42", "42 a"), `<p><a href="https://a.example"><mark>42</mark></a> a</p>`},
		"a shortened one":      {"<p>Long before 42 and long after.</p>", claim("42", "…before 42 and…"), "<p>Long before <mark>42</mark> and long after.</p>"},
		"another sentence":     {"<p>It has 42 parts.</p>", claim("42", "Others have 42."), "<p>It has 42 parts.</p>"},
		"an attribute":         {`<p><img src="https://a.example/42.png" alt="42"/> a</p>`, claim("42", "42"), `<p><img src="https://a.example/42.png" alt="42"/> a</p>`},
		"not over two blocks":  {"<p>Of 42</p><p>percent.</p>", claim("42 percent", "Of 42 percent."), "<p>Of 42</p><p>percent.</p>"},
		"what looks like HTML": {"<p>&lt;b&gt;42&lt;/b&gt;</p>", claim("42", "<b>42</b>"), "<p>&lt;b&gt;<mark>42</mark>&lt;/b&gt;</p>"},
		"a hint":               {"<p>42</p>", restarticle.Claim{Result: "other_context", Words: "42", Sentence: "42"}, "<p>42</p>"},
		"no words":             {"<p>42</p>", claim("", "42"), "<p>42</p>"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := article.MarkClaims(tt.html, []restarticle.Claim{tt.claim}); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
	brackets := "<p>" + strings.Repeat("[", 24<<10) + "</p>"
	if got := article.MarkClaims(brackets, []restarticle.Claim{claim("[[", strings.Repeat("[", 300))}); !strings.HasPrefix(got, "<p><mark>[[</mark>[") {
		t.Errorf("brackets are %.40s", got)
	}
}

func TestFindingsAreMarkedWhereverTheyAre(t *testing.T) {
	failed := []restarticle.ScoreCheck{{Name: "images"}, {Name: "stock-phrases", Passages: []string{"Delve into", ""}}, {Name: "sentence-length", Passages: []string{"Delve into it."}}}
	for html, want := range map[string]string{
		"<p>Delve into it. We Delve\ninto.</p>": `<p><mark class="c1 c2"><span id="c1"></span><span id="c2"></span>Delve into</mark><mark class="c2"> it.</mark> We <mark class="c1">Delve` + "\n" + `into</mark>.</p>`,
		"<p>Delve <b>into</b> it.</p>":          `<p><mark class="c1 c2"><span id="c1"></span><span id="c2"></span>Delve </mark><b><mark class="c1 c2">into</mark></b><mark class="c2"> it.</mark></p>`,
		"<p>Nothing.</p>":                       "<p>Nothing.</p>",
	} {
		if got := article.MarkFindings(html, failed); got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
}
