package check_test

import (
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/ground"
)

// longPost is a text of about 1,400 words.
func longPost(b *testing.B) check.Input {
	b.Helper()
	in := readPost(b, "en-trail")
	in.Document.Markdown = strings.Repeat(in.Document.Markdown+"\n\n", 3)
	return in
}

// briefOf returns prose of so many bytes as four sources.
func briefOf(b *testing.B, bytes int) *ground.Material {
	b.Helper()
	var m ground.Material
	for _, name := range []string{"en-bicycle", "en-compost", "en-sourdough", "en-trail"} {
		text := content.PlainText(readPost(b, name).Document.Markdown)
		text = strings.Repeat(text+"\n\n", bytes/4/len(text)+1)[:bytes/4]
		m.Sources = append(m.Sources, ground.Source{Name: name, Title: name, Text: text})
	}
	return &m
}

// The bar is 1.5 times the time without a brief.
func BenchmarkCheck(b *testing.B) {
	for name, material := range map[string]*ground.Material{"without a brief": nil, "with 64 KB of brief": briefOf(b, 64<<10)} {
		b.Run(name, func(b *testing.B) {
			in := longPost(b)
			in.Material = material
			for b.Loop() {
				check.Run(in)
			}
		})
	}
}
