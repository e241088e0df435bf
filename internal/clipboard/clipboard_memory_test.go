package clipboard_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/clipboard"
	"github.com/pressroom-dev/pressroom/test/memory"
)

// bound is about twice what the worst of the seeds takes.
var bound = memory.Bound{PerByte: 2000, Constant: 1 << 20}

// filled repeats a text up to a size.
func filled(size int, begin, unit string) string {
	return begin + strings.Repeat(unit, max(0, size-len(begin))/len(unit))
}

// formatting opens elements that HTML opens again in each paragraph.
func formatting(name string, n int) string {
	var b strings.Builder
	b.WriteString("<p>")
	for i := range n {
		fmt.Fprintf(&b, "<%s style=font-weight:%d>", name, i)
	}
	return b.String()
}

// hostile are texts of about a size that parsers make much of.
func hostile(size int) map[string]string {
	var attributes strings.Builder
	attributes.WriteString("<p")
	for i := range 400 {
		fmt.Fprintf(&attributes, " a%d=1", i)
	}
	return map[string]string{
		"formatting over paragraphs":        filled(size, strings.ReplaceAll(formatting("b", 480), "style", "a"), "<p>x"),
		"styles over paragraphs":            filled(size, formatting("font", 480), "<p>x"),
		"few styles over paragraphs":        filled(size, formatting("font", 30), "<p>x"),
		"formatting over items":             filled(size, formatting("i", 30)+"<ul>", "<li>x"),
		"formatting over cells":             filled(size, "<table><tr><td>"+formatting("b", 30), "<td>x"),
		"formatting over breaks":            filled(size, formatting("b", 30), "<br>x</p>"),
		"formatting in a table":             filled(size, "<table>"+formatting("b", 30), "x<tr>"),
		"formatting that ends in others":    filled(size, "", "<b><i><em><strong><code></b>x</i>y</em>z</strong></code>"),
		"links in links":                    filled(size, "", "<a href=https://a>x"),
		"links over blocks":                 filled(size, "", "<a href=https://a><p>x</a>"),
		"nested lists":                      filled(size, "", "<ul><li>x"),
		"flat lists":                        filled(size, "<ul>", "<li>x"),
		"lists at a depth":                  filled(size, strings.Repeat("<ul><li>", 12), "<li>x"),
		"nested quotes":                     filled(size, "", "<blockquote>x"),
		"quotes at a depth":                 filled(size, strings.Repeat("<blockquote>", 30), "<p>x"),
		"brackets":                          filled(size, "", "["),
		"some brackets":                     filled(size, strings.Repeat("[", 990), "word "),
		"signs":                             filled(size, "", "*_`#"),
		"cells":                             filled(size, "<table><tr>", "<td>x"),
		"rows":                              filled(size, "<table>", "<tr><td>x"),
		"tables":                            filled(size, "", "<table><tr><td>x</table>"),
		"tables in tables":                  filled(size, "", "<table><tr><td>"),
		"paragraphs":                        filled(size, "", "<p>x"),
		"breaks":                            filled(size, "", "<br>"),
		"empty elements":                    filled(size, "", "<b></b>"),
		"words":                             filled(size, "", "word "),
		"entities":                          filled(size, "", "&lt;&amp;"),
		"tags in text":                      filled(size, "", "<<p>"),
		"raw text":                          filled(size, "<xmp>", "<p>x"),
		"comments":                          filled(size, "", "<!---->"),
		"attributes":                        filled(size, "", attributes.String()+">x"),
		"unknown elements":                  filled(size, "", "<x-y>x"),
		"templates":                         filled(size, "", "<template>"),
		"selects":                           filled(size, "", "<select><option>"),
		"vector graphics":                   filled(size, "", "<svg><g>"),
		"frames":                            filled(size, "", "<frameset>"),
		"lists of Word":                     filled(size, "", "<p style='mso-list:l0 level9'>x<p style='mso-list:l0 level1'>x"),
		"items of Word":                     filled(size, "", "<p style='mso-list:l0 level1'>x"),
		"items that are no list in a table": filled(size, "<table><tr><td>", "<li><p>x"),
	}
}

func FuzzWhatIsPastedTakesMemoryByItsSize(f *testing.F) {
	for _, size := range []int{4 << 10, 24 << 10, 84 << 10, 184 << 10} {
		for _, source := range hostile(size) {
			f.Add(source)
		}
	}
	for _, sample := range samples {
		source, err := os.ReadFile("testdata/" + sample + ".html")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(source))
	}
	f.Fuzz(func(t *testing.T, source string) {
		bound.Check(t, len(source), func() { _, _ = clipboard.Markdown(source) })
	})
}

// BenchmarkMemory shows how many bytes are allocated for each byte of the seeds.
func BenchmarkMemory(b *testing.B) {
	for name, source := range hostile(84 << 10) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				b.ReportMetric(memory.Ratio(len(source), func() { _, _ = clipboard.Markdown(source) }), "B/byte")
			}
		})
	}
}
