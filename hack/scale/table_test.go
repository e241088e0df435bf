package scale_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
)

// tolerated is by how much a figure may be higher than expected before it is marked.
const tolerated = 0.10

// growth is how a figure depends on the number of articles.
type growth int

const (
	// constant is a figure that should be the same with any number of articles.
	constant growth = iota
	// linear is one that each article adds something to, which should be the same for each of them.
	linear
	// given is one that nothing is expected of, such as the number of writes.
	given
)

// figure is a row of the table: a value for each size.
type figure struct {
	name, unit string
	growth     growth
	values     []float64
}

// table has the figures of several sizes, in the order in which they were measured first.
type table struct {
	sizes   []int
	figures []*figure
}

// add adds the value of a figure for the last size.
func (t *table) add(name, unit string, g growth, value float64) {
	var of *figure
	for _, f := range t.figures {
		if f.name == name {
			of = f
		}
	}
	if of == nil {
		of = &figure{name: name, unit: unit, growth: g}
		t.figures = append(t.figures, of)
	}
	for len(of.values) < len(t.sizes)-1 {
		of.values = append(of.values, math.NaN())
	}
	of.values = append(of.values, value)
}

// String is the table in Markdown. Between two sizes, it has by how much a constant figure has grown, and what 1,000 articles add to a
// linear one. Bold is a figure that a size makes worse by more than is tolerated: a constant one by its growth, a linear one by the growth
// of what each article adds.
func (t *table) String() string {
	var b strings.Builder
	b.WriteString("| figure |")
	for _, size := range t.sizes {
		fmt.Fprintf(&b, " %s |", thousands(size))
	}
	for i := range len(t.sizes) - 1 {
		fmt.Fprintf(&b, " %s to %s |", thousands(t.sizes[i]), thousands(t.sizes[i+1]))
	}
	b.WriteString("\n|---|" + strings.Repeat("--:|", len(t.sizes)+max(len(t.sizes)-1, 0)) + "\n")
	for _, f := range t.figures {
		fmt.Fprintf(&b, "| %s, %s |", f.name, f.unit)
		for i := range t.sizes {
			b.WriteString(" " + number(f.at(i)) + " |")
		}
		for i := range len(t.sizes) - 1 {
			b.WriteString(" " + t.slope(f, i) + " |")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// at returns the value of a figure for a size; NaN if it was not measured.
func (f *figure) at(i int) float64 {
	if i >= len(f.values) {
		return math.NaN()
	}
	return f.values[i]
}

// slope is what becomes of a figure between a size and the next one.
func (t *table) slope(f *figure, i int) string {
	text, worse := "", false
	switch f.growth {
	case constant:
		ratio := f.at(i+1) / f.at(i)
		text, worse = fmt.Sprintf("× %.2f", ratio), ratio > 1+tolerated
		if math.IsNaN(ratio) {
			return ""
		}
	case linear:
		each := t.each(f, i)
		if math.IsNaN(each) {
			return ""
		}
		text = number(each) + " for 1,000"
		worse = i > 0 && each > t.each(f, i-1)*(1+tolerated) && each > 0
	case given:
		return ""
	}
	if worse {
		return "**" + text + "**"
	}
	return text
}

// each is what 1,000 articles add to a figure between a size and the next one.
func (t *table) each(f *figure, i int) float64 {
	return (f.at(i+1) - f.at(i)) / float64(t.sizes[i+1]-t.sizes[i]) * 1000
}

// number is a value with three digits that count.
func number(v float64) string {
	switch abs := math.Abs(v); {
	case math.IsNaN(v):
		return "not measured"
	case abs >= 100 || v == math.Trunc(v):
		return thousands(int(math.Round(v)))
	case abs >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	default:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
}

// thousands writes a number with commas.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0 && text[at-1] != '-'; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

func TestTheTableMarksWhatGrows(t *testing.T) {
	of := &table{}
	for i, size := range []int{3000, 30_000, 100_000} {
		of.sizes = append(of.sizes, size)
		of.add("flat", "ms", constant, []float64{2, 2.1, 2.2}[i])
		of.add("jumps", "ms", constant, []float64{2, 2.1, 20}[i])
		of.add("straight", "MiB", linear, []float64{13, 40, 110}[i])
		of.add("bends", "MiB", linear, []float64{13, 40, 180}[i])
		of.add("writes", "requests", given, []float64{0, 5, 1234}[i])
		if i == 1 {
			of.add("once", "s", constant, 7)
		}
	}
	const want = `| figure | 3,000 | 30,000 | 100,000 | 3,000 to 30,000 | 30,000 to 100,000 |
|---|--:|--:|--:|--:|--:|
| flat, ms | 2 | 2.10 | 2.20 | × 1.05 | × 1.05 |
| jumps, ms | 2 | 2.10 | 20 | × 1.05 | **× 9.52** |
| straight, MiB | 13 | 40 | 110 | 1 for 1,000 | 1 for 1,000 |
| bends, MiB | 13 | 40 | 180 | 1 for 1,000 | **2 for 1,000** |
| writes, requests | 0 | 5 | 1,234 |  |  |
| once, s | not measured | 7 | not measured |  |  |
`
	if got := of.String(); got != want {
		t.Errorf("the table is\n%s\nwant\n%s", got, want)
	}
}
