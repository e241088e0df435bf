package content_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
)

func TestHTML(t *testing.T) {
	for name, tc := range map[string]struct{ markdown, want string }{
		"paragraphs and emphasis": {"One *two* **three** ~~four~~.", "<p>One <em>two</em> <strong>three</strong> <del>four</del>.</p>\n"},
		"headings without ids":    {"## Soles\n\n### Grip", "<h2>Soles</h2>\n<h3>Grip</h3>\n"},
		"first level is demoted":  {"# Top\n\nUnder\n===", "<h2>Top</h2>\n<h2>Under</h2>\n"},
		"raw first level loses its tag": {
			"<h1>Top</h1>\n\na <H1 class=x>b</H1>", "Top\n<p>a b</p>\n",
		},
		"links are left as they are": {
			"[a](https://example.com/x \"T\") [b](/shoes) [c](mailto:me@example.com)",
			`<p><a href="https://example.com/x" title="T">a</a> <a href="/shoes">b</a> <a href="mailto:me@example.com">c</a></p>` + "\n",
		},
		"bare links": {"see https://example.com/a", `<p>see <a href="https://example.com/a">https://example.com/a</a></p>` + "\n"},
		"an author's own rel": {
			`<a href="https://example.com" rel="sponsored" target="_blank">a</a>`,
			`<p><a href="https://example.com" rel="sponsored">a</a></p>` + "\n",
		},
		"forbidden schemes": {
			"[a](javascript:alert(1)) [b](data:text/html,x) [c](tel:123) [d](vbscript:x) [e](ftp://example.com)",
			"<p>a b c d e</p>\n",
		},
		"hidden schemes": {"[a](java&#x0A;script:alert(1)) [b](&#106;avascript:alert(1))", "<p>a b</p>\n"},
		"images":         {"![alt](https://example.com/a.png)", `<p><img src="https://example.com/a.png" alt="alt"></p>` + "\n"},
		"images by other schemes": {
			"![alt](data:image/png;base64,AAAA) <img src=\"mailto:a@b.c\" alt=\"x\" onerror=\"y()\">",
			`<p><img alt="alt"> <img alt="x"></p>` + "\n",
		},
		"code":            {"```go\na < b\n```", "<pre><code class=\"language-go\">a &lt; b\n</code></pre>\n"},
		"a foreign class": {`<code class="btn language-go">x</code>`, "<p><code>x</code></p>\n"},
		"scripts and styles": {
			"<script>alert(1)</script>\n\n<style>p{}</style>\n\n<iframe src=\"https://example.com\"></iframe>\n\n" +
				"Text <b onclick=\"x()\" style=\"color:red\">b</b>",
			"\n\n\n<p>Text <b>b</b></p>\n",
		},
		"tables": {
			"| a | b |\n|:--|--:|\n| 1 | 2 |",
			"<table>\n<thead>\n<tr>\n<th align=\"left\">a</th>\n<th align=\"right\">b</th>\n</tr>\n</thead>\n" +
				"<tbody>\n<tr>\n<td align=\"left\">1</td>\n<td align=\"right\">2</td>\n</tr>\n</tbody>\n</table>\n",
		},
		"other scripts":     {"größer 長い كبير", "<p>größer 長い كبير</p>\n"},
		"Windows line ends": {"a\r\n\r\nb", "<p>a</p>\n<p>b</p>\n"},
		"nothing":           {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := content.HTML(tc.markdown)
			if err != nil || got != tc.want {
				t.Errorf("HTML = %q, %v\nwant   %q", got, err, tc.want)
			}
		})
	}
}

func TestHTMLAddsNothingToLinks(t *testing.T) {
	got, err := content.HTML("[a](https://example.com) https://example.com/b <a href='https://example.com/c'>c</a>")
	if err != nil || strings.Count(got, "<a ") != 3 {
		t.Fatalf("HTML = %q, %v, want three links", got, err)
	}
	for _, noise := range []string{"nofollow", "noopener", "noreferrer", "target"} {
		if strings.Contains(got, noise) {
			t.Errorf("HTML = %q, want no %s", got, noise)
		}
	}
}

func TestHTMLIsBounded(t *testing.T) {
	for name, tc := range map[string]struct {
		markdown string
		want     error
	}{
		"too many bytes": {strings.Repeat("a", v1alpha1.MaxMarkdownBytes+1), content.ErrTooLong},
		"a repeated long link": {
			"[a]: https://example.com/" + strings.Repeat("a", 100000) + "\n" + strings.Repeat("\n[a]\n", 20000), content.ErrTooLong,
		},
		"deep quotes":         {strings.Repeat(">", 5000) + "a", content.ErrTooComplex},
		"deep lists":          {strings.Repeat("- ", 5000) + "a", content.ErrTooComplex},
		"deep numbered lists": {strings.Repeat("1) ", 5000) + "a", content.ErrTooComplex},
		"unfinished links":    {strings.Repeat("[a](", 60000), content.ErrTooComplex},
		"unfinished emphasis": {strings.Repeat("*a_ ", 60000), content.ErrTooComplex},
		"many references":     {strings.Repeat("[a]: b\n", 30000), content.ErrTooComplex},
		"a wide and long table": {
			strings.Repeat("|a", 1000) + "\n" + strings.Repeat("|-", 1000) + "\n" + strings.Repeat("|\n", 100000), content.ErrTooComplex,
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := content.HTML(tc.markdown); !errors.Is(err, tc.want) {
				t.Errorf("HTML gave %d bytes and %v, want %v", len(got), err, tc.want)
			}
		})
	}
}

func TestHTMLTakesLongOrdinaryArticles(t *testing.T) {
	var b strings.Builder
	for b.Len() < 200000 {
		b.WriteString("## A heading\n\nA paragraph with [a link](https://example.com/shoes), *emphasis*, `code` and **more**.\n\n" +
			"- an [item](https://example.com)\n- another\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> a quote\n\n")
	}
	if _, err := content.HTML(b.String()); err != nil {
		t.Errorf("HTML failed: %v", err)
	}
	list := strings.Repeat("- see [one](https://example.com/1) and [two](https://example.com/2)\n", 3000)
	if _, err := content.HTML(list); err != nil {
		t.Errorf("HTML of a long list of links failed: %v", err)
	}
}
