//go:build e2e

package bench_test

import (
	"io"
	"syscall"
	"testing"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
)

// BenchmarkChecks measures how much processor time all checks of a text take, beside goldmark rendering the same text to HTML in the same
// run. A text of 1,400 words should take 10 ms at the most, and any of the largest size 300 ms.
func BenchmarkChecks(b *testing.B) {
	markdown := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.Linkify))
	for name, article := range checkedArticles(b) {
		b.Run(name, func(b *testing.B) {
			text := article.text
			in := check.Input{
				Document: content.Document{Title: "Trail running shoes", Markdown: text, Language: article.language},
				Keyword:  "trail running shoes", SecondaryKeywords: []string{"lugs"}, AvoidWords: []string{"cheap", "disrupt"},
				Site: &check.Site{},
			}
			source := []byte(text)
			// What is made once is made before.
			check.Run(in)
			var rendering, checking time.Duration
			rounds := 0
			for b.Loop() {
				// Short texts are looked at more often, so that the clock of the processor tells their time.
				for range 1 + 10*v1alpha1.MaxMarkdownBytes/len(text) {
					began := processorTime(b)
					must(b, markdown.Convert(source, io.Discard))
					rendered := processorTime(b)
					check.Run(in)
					rendering, checking = rendering+rendered-began, checking+processorTime(b)-rendered
					rounds++
				}
			}
			b.ReportMetric(milliseconds(rendering/time.Duration(rounds)), "goldmark-ms")
			b.ReportMetric(milliseconds(checking/time.Duration(rounds)), "checks-ms")
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
