package clipboard_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/internal/clipboard"
)

// document is what each of the samples says.
const document = `# Trail running shoes

A sole of **soft rubber** holds on *wet rock*. See [the shop](https://example.com/shoes?size=42&wide=1).

## What to look for

- Grip
  - on rock
- Width

1. Bend the shoe
2. Press the heel

| Shoe | Price |
|---|---|
| Alpine | 149 |`

// samples are the files in testdata.
var samples = []string{"google-docs", "libreoffice", "word"}

func TestWhatWordProcessorsCopyKeepsItsFormat(t *testing.T) {
	for sample, change := range map[string]*strings.Replacer{
		"google-docs": strings.NewReplacer(),
		"libreoffice": strings.NewReplacer("- Width\n", "- Width\n\nIn the shop:\n"),
		"word":        strings.NewReplacer("- Width\n", "- Width\n\nIn the shop:\n", "=1).", "=1) and above."),
	} {
		source, err := os.ReadFile("testdata/" + sample + ".html")
		if err != nil {
			t.Fatal(err)
		}
		got, err := clipboard.Markdown(string(source))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(change.Replace(document), got); diff != "" {
			t.Errorf("%s differs (-want +got):\n%s", sample, diff)
		}
	}
}

func TestOfOtherHTMLTheTextStays(t *testing.T) {
	for source, want := range map[string]string{
		"plain <i>and</i> <b>bold</b>":                                           "plain *and* **bold**",
		"<p>one</p><p>two<br>lines</p>":                                          "one\n\ntwo  \nlines",
		"<p>1. no list</p><p># no heading</p><p>*no* emphasis</p>":               "1\\. no list\n\n\\# no heading\n\n\\*no* emphasis",
		"<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>":                           "&lt;script&gt;alert(1)&lt;/script&gt;",
		"<script>alert(1)</script><p onclick=x>text</p>":                         "text",
		`<a href="javascript:alert(1)">link</a>`:                                 "link",
		`<a href="mailto:mara@example.com">Mara</a>`:                             "[Mara](mailto:mara@example.com)",
		`<p>a <img src="https://example.com/a.png" alt="A"></p>`:                 "a ![A](https://example.com/a.png)",
		`<img src="file:///c:/a.png"><img src="data:image/png;base64,AAAA">text`: "text",
		`<span style="font-weight:bold;font-style:italic">both</span>`:           "***both***",
		"": "",
		// Google Docs strikes out by style, and says so of what is not struck out.
		`Price <span style="font-weight:400;text-decoration:line-through;">100</span> <span style="text-decoration:none">80</span> euro`:   "Price ~~100~~ 80 euro",
		`<span style="font-weight:700;font-style:italic;text-decoration:line-through">all</span> <s>a</s> <del>b</del> <strike>c</strike>`: "~~***all***~~ ~~a~~ ~~b~~ ~~c~~",
		"<p>10~20 and 30~40, but ~~not~~ this <code>~~</code> <b>~</b>\ue000</p>":                                                          "10~20 and 30~40, but \\~~not\\~~ this `~~` **~**",
		`<ul><li role="checkbox" aria-checked="false"><p>Pack</p></li><li role="checkbox" aria-checked="true"><p>Go</p></li></ul>`:         "- [ ] Pack\n- [x] Go",
		`<ul><li><input type="checkbox" checked disabled> Pack</li><li><p><input type="checkbox"> Go</p></li></ul><input name=x>`:          "- [x] Pack\n- [ ] Go",
		// Footnotes of Word, Google Docs and LibreOffice. One whose text was not copied stays as it reads.
		`<p>Wet<a href="#_ftn1" name="_ftnref1"><span>[1]</span></a> rock<a href="#_edn1">[i]</a>.</p><div><p><a href="#_ftnref1">[1]</a> By us.</p></div><p><a href="#_ednref1">[i]</a> By you.</p>`: "Wet[^1] rock[^e1].\n\n[^1]: By us.\n\n[^e1]: By you.",
		`<p>Wet<sup><a href="#ftnt1">[1]</a></sup> rock</p><hr><div><p><a href="#ftnt_ref1">[1]</a>&nbsp;By us.</p></div>`:                                                                            "Wet[^1] rock\n\n* * *\n\n[^1]: By us.",
		`<p>Wet<a href="#sdfootnote1sym"><sup>1</sup></a></p><div><p><a href="#sdfootnote1anc">1</a>By us.</p></div>`:                                                                                 "Wet[^1]\n\n[^1]: By us.",
		`<p>Wet<a href="#ftnt2">[2]</a></p>`: "Wet\\[2]",
		// What is wrongly nested ends where its parent ends.
		"<p><b>one<p>two":         "**one**\n\ntwo",
		"<b>a <i>b</b> c</i> d":   "**a *b*** c d",
		"<p>a</p>b</p><p>c</br>d": "a\n\nb\n\nc  \nd",
		"<i><p>a</p><p>b</p></i>": "*a*\n\n*b*",
		`<a href="https://a.example">x<a href="https://b.example">y</a>`:        "[x](https://a.example)[y](https://b.example)",
		`<a href="https://a.example"><h2>a</h2><p>b</p></a>`:                    "[**a**  \n\\\nb](https://a.example)",
		"<ul><li>a<ul><li>b</ul><li>c</ul>d":                                    "- a\n  - b\n- c\n\nd",
		"<ol start=5><li>a<li>b</ol>":                                           "5. a\n6. b",
		"<h1>a<h2>b</h2>c":                                                      "# a\n\n## b\n\nc",
		"<dl><dt>a<dd>b<dt>c</dl>":                                              "a\n\nb\n\nc",
		"<xmp><p>a</xmp><<b>b>":                                                 "&lt;p&gt;a&lt;**b&gt;**",
		"<pre><code class=language-go>a &lt; b\n</code></pre>":                  "```go\na < b\n```",
		"<table><caption>C</caption><tr><th align=right>a<td>b</table>c":        "| a | b |\n|--:|---|\n\nC\n\nc",
		"<table>a<tr><td>b</table>":                                             "| a |\n|---|\n| b |",
		"<table><tr><td>a<table><tr><td>b</table><td>c</table>":                 "a\n\n| b |\n|---|\n\nc",
		"<blockquote><p>a</p><blockquote>b</blockquote></blockquote>":           "> a\n> \n> > b",
		strings.Repeat("<blockquote>", 12) + "a":                                strings.Repeat("> ", 8) + "a",
		"<noscript>a</noscript><textarea>b</textarea><style>c</style>d<title>e": "d",
		"<table><tr><td>a<td>b<tr><td>c<br>d<td><p>e</p><p>f</p></table>":       "| a | b |\n|---|---|\n| c d | e f |",
		"<table><tr><th colspan=100000000>a</table>":                            "| a |\n|---|",
		"<ol>" + strings.Repeat("<li>x</li>", 10) + "</ol>":                     "1. x\n2. x\n3. x\n4. x\n5. x\n6. x\n7. x\n8. x\n9. x\n10. x",
	} {
		got, err := clipboard.Markdown(source)
		if err != nil {
			t.Errorf("%.80s: %v", source, err)
			continue
		}
		if got != want {
			t.Errorf("%.80s is %q, want %q", source, got, want)
		}
	}
}

// Each of these would take the converter minutes, or gigabytes.
func TestWhatIsTooLargeIsNotConverted(t *testing.T) {
	for name, source := range map[string]string{
		"bytes":    strings.Repeat("<p>x</p>", clipboard.MaxBytes/8+1),
		"text":     strings.Repeat("word ", 60_000),
		"depth":    strings.Repeat("<ul><li>", 100),
		"nesting":  strings.Repeat("<div>", 1000),
		"brackets": strings.Repeat("[", 200_000),
		"columns":  "<table><tr>" + strings.Repeat("<td>", 10_000) + strings.Repeat("<tr><td>", 10_000) + "</table>",
		"levels":   strings.Repeat("<ul><li>", 30) + strings.Repeat("<li>x", 50_000),
	} {
		if got, err := clipboard.Markdown(source); !errors.Is(err, clipboard.ErrTooLarge) {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
}
