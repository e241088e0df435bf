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
		"<table><tr><td>a<td>b<tr><td>c<br>d<td><p>e</p><p>f</p></table>": "| a | b |\n|---|---|\n| c d | e f |",
		"<table><tr><th colspan=100000000>a</table>":                      "| a |\n|---|",
		"<ol>" + strings.Repeat("<li>x</li>", 10) + "</ol>":               "1. x\n2. x\n3. x\n4. x\n5. x\n6. x\n7. x\n8. x\n9. x\n10. x",
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
