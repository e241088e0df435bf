package bench_test

import (
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
)

// checkedTexts are texts that the checks look at: one of the usual length, and the largest of prose, of many different words, of much
// markup, and of scripts whose words take longer to find.
func checkedTexts(b *testing.B) map[string]string {
	b.Helper()
	data, err := os.ReadFile("../../internal/check/testdata/posts/en-trail.md")
	must(b, err)
	_, post, _ := strings.Cut(string(data), "\n---\n")
	fill := func(part func(i int) string) string {
		var text strings.Builder
		for i := 0; ; i++ {
			next := part(i)
			if text.Len()+len(next) > v1alpha1.MaxMarkdownBytes {
				return text.String()
			}
			text.WriteString(next)
		}
	}
	word := func(i int) string {
		var w strings.Builder
		for ; i > 0; i /= 26 {
			w.WriteByte(byte('a' + i%26))
		}
		return w.String()
	}
	return map[string]string{
		"1400-words":      strings.Repeat(post+"\n\n", 3),
		"prose":           fill(func(int) string { return post + "\n\n" }),
		"different-words": fill(func(i int) string { return "Z" + word(i+1) + " q" + word(i+7) + ". " }),
		"apostrophes":     fill(func(i int) string { return "l'" + word(i+1) + "'s " + word(i+3) + " " }),
		"one-word":        strings.Repeat("a", v1alpha1.MaxMarkdownBytes),
		"keyword":         fill(func(int) string { return "trail running shoes " }),
		"headings":        fill(func(i int) string { return "## trail " + word(i+1) + "\n" }),
		"links":           fill(func(i int) string { return "[trail](/" + word(i+1) + ") \n\n" }),
		"full-stops":      fill(func(i int) string { return "a. B. " }),
		"Cyrillic": fill(func(int) string {
			return "Обувь, которую мы продаём, сделана для леса. Она такая лёгкая! "
		}),
		"Greek": fill(func(int) string {
			return "Τα παπούτσια που πουλάμε είναι για το δάσος, όχι τους δρόμους. Ναι! "
		}),
		"Chinese": fill(func(int) string { return "我们卖的鞋子是为森林而做的，不是为街道。它们很轻！" }),
		"Thai": fill(func(int) string {
			return "รองเท้าที่เราขายทำมาเพื่อป่า ไม่ใช่เพื่อถนน "
		}),
		"Hindi": fill(func(int) string {
			return "हमारे जूते जंगल के लिए बने हैं। वे बहुत हल्के हैं! "
		}),
		"closing":     "A." + fill(func(int) string { return "(" })[2:],
		"no-breaks":   "A." + fill(func(int) string { return "\u00a0" })[2:],
		"emoji":       fill(func(int) string { return "🙂 🏃‍♀️👟 " }),
		"same-begins": fill(func(i int) string { return "lugg" + word(i+1) + " " }),
		"combining":   fill(func(int) string { return "e\u0301te\u0301 n\u0303 " }),
	}
}

// BenchmarkChecks measures how much processor time all checks take, beside goldmark rendering the same text to HTML (ratio), and beside the
// HTML that is published, which is sanitised too (to-html).
func BenchmarkChecks(b *testing.B) {
	markdown := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.Linkify))
	for name, text := range checkedTexts(b) {
		b.Run(name, func(b *testing.B) {
			in := check.Input{
				Document: content.Document{Title: "Trail running shoes", Markdown: text, Language: "en"}, Keyword: "trail running shoes",
				SecondaryKeywords: []string{"lugs"}, AvoidWords: []string{"cheap", "disrupt"}, Site: &check.Site{},
			}
			source := []byte(text)
			// What is made once is made before.
			check.Run(in)
			var rendering, publishing, checking time.Duration
			rounds := 0
			for b.Loop() {
				// Short texts are looked at more often, so that the clock of the processor tells their time.
				for range 1 + 10*v1alpha1.MaxMarkdownBytes/len(text) {
					began := processorTime(b)
					must(b, markdown.Convert(source, io.Discard))
					rendered := processorTime(b)
					_, err := content.HTML(text)
					must(b, err)
					published := processorTime(b)
					check.Run(in)
					rendering, publishing = rendering+rendered-began, publishing+published-rendered
					checking += processorTime(b) - published
					rounds++
				}
			}
			b.ReportMetric(milliseconds(rendering/time.Duration(rounds)), "goldmark-ms")
			b.ReportMetric(milliseconds(checking/time.Duration(rounds)), "checks-ms")
			b.ReportMetric(float64(checking)/float64(rendering), "ratio")
			b.ReportMetric(float64(checking)/float64(publishing), "to-html")
		})
	}
}

// processorTime that this process has taken: it says the same on a machine that is busy with other things.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	must(b, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
