package ground_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/ground"
)

// prose returns a text of about so many bytes with figures, names and quotations, the same one for a seed.
func prose(seed, size int) string {
	cities := []string{"Lisbon", "Graz", "Utrecht", "Turin", "Malmö", "Porto", "Ghent"}
	things := strings.Fields("lugs soles laces midsoles heels toes trails ridges runners shops repairs tests rubber foam mesh stitches")
	verbs := strings.Fields("hold grip wear crack stretch return carry cost outlast follow measure recommend")
	var b strings.Builder
	for n := seed; b.Len() < size; n++ {
		a, v, c := things[n*7%len(things)], verbs[n*5%len(verbs)], things[(n*3+1)%len(things)]
		switch n % 5 {
		case 0:
			fmt.Fprintf(&b, "In %s, %d of the %s %s longer than the %s of the year before. ", cities[n%len(cities)], 100+n*37%900, a, v, c)
		case 1:
			fmt.Fprintf(&b, "Most %s %s when the %s are dry, and nobody knows why. ", a, v, c)
		case 2:
			fmt.Fprintf(&b, "“The %s %s better than %s in the rain,” said Anna Kovač of Ridge%d. ", a, v, c, n%9)
		case 3:
			fmt.Fprintf(&b, "A pair costs $%d,%03d in March %d. ", 1+n%4, n*31%1000, 2015+n%10)
		default:
			fmt.Fprintf(&b, "Clean the %s with cold water, then let the %s dry for a night.\n\n", a, c)
		}
	}
	return b.String()
}

// plainly is a text that claims nothing.
var plainly = strings.Repeat("Clean the soles with cold water and a soft brush, then let them dry for a night in the shade. Heat makes the foam hard, "+
	"and hard foam cracks where the toes bend. A drop of oil on the hooks keeps the laces from wearing through, but too much of it "+
	"draws dust.\n\n", 11)

// article is a text of 1,400 words, and material one of 64 KB with most of what the text says.
func article() (content.Document, ground.Material) {
	body := prose(0, 1400) + plainly + "\n\n## Two\n\n" + prose(400, 1400) + plainly
	doc := content.Document{Title: "Which shoes last", Language: "en", Markdown: "## One\n\n" + body}
	var m ground.Material
	for i := range 5 {
		m.Sources = append(m.Sources, ground.Source{Name: fmt.Sprintf("source-%d", i), Text: prose(i*97, 13_000)})
	}
	return doc, m
}

func BenchmarkRead(b *testing.B) {
	doc, _ := article()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := content.Read(doc.Markdown); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheckBody(b *testing.B) {
	doc, m := article()
	body, err := content.Read(doc.Markdown)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		ground.CheckBody(doc, body, m, nil)
	}
}

func BenchmarkPassages(b *testing.B) {
	_, m := article()
	for b.Loop() {
		ground.Passages(m, "en", "how long laces and soles last in the rain", 6000)
	}
}
