package content_test

import (
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
)

func sample() content.Document {
	return content.Document{
		Title: "Trail running shoes", Slug: "trail-running-shoes", Markdown: "Grip matters.\n\n## Soles\n\nGrün & größer.",
		MetaTitle: "Trail shoes", MetaDescription: "What grip is.", Language: "de-CH",
		FAQ: []v1alpha1.FAQ{{Question: "How long do they last?", Answer: "About 800 km."}, {Question: "Größe?", Answer: "Eine halbe mehr."}},
	}
}

func image(url, alt, credit, sum string) *v1alpha1.RevisionImage {
	return &v1alpha1.RevisionImage{
		ArticleImage: v1alpha1.ArticleImage{URL: url, Alt: alt, Credit: credit}, ImageFile: v1alpha1.ImageFile{SHA256: sum},
	}
}

// Approvals name digests for ever: these may not change. They were computed from the encoding's description by another
// program.
func TestDigestIsStable(t *testing.T) {
	const (
		wantSample = "sha256:0b8c4e10791e72955ac03fb2e8ec2a366c798b58c91a5c35aa3cc4fb7e1e16e2"
		wantRich   = "sha256:23880923154d604ca8fe5fb558f454572f3a3cbd4b5e1be91f95bdce034cfd18"
		wantImage  = "sha256:bbdd98dba711cd973cfc42a9fa16cf6f03971f5855f0717e9ef8bfd423ae8d4a"
		wantEmpty  = "sha256:91f044fcf95ddb63180ebf4ae5ff1a86b73cd59b42b064ed6d92c1b829e65023"
	)
	if got := sample().Digest(); got != wantSample {
		t.Errorf("Digest = %s, want %s", got, wantSample)
	}
	if got := (content.Document{}).Digest(); got != wantEmpty {
		t.Errorf("Digest of nothing = %s, want %s", got, wantEmpty)
	}
	rich := sample()
	rich.Tags, rich.Category, rich.Author = []string{"Trail", "Größe 42"}, "Shoes", "Mara"
	if got := rich.Digest(); got != wantRich {
		t.Errorf("Digest with the fields of a post = %s, want %s", got, wantRich)
	}
	rich.Image = image("https://media.example/a.jpg", "Größe 42", "Mara", "00")
	if got := rich.Digest(); got != wantImage {
		t.Errorf("Digest with an image = %s, want %s", got, wantImage)
	}
}

func TestDigestDiffersByEveryField(t *testing.T) {
	seen := map[string]string{}
	for name, change := range map[string]func(*content.Document){
		"nothing":                  func(*content.Document) {},
		"title":                    func(d *content.Document) { d.Title += "x" },
		"slug":                     func(d *content.Document) { d.Slug += "x" },
		"markdown":                 func(d *content.Document) { d.Markdown += "x" },
		"meta title":               func(d *content.Document) { d.MetaTitle += "x" },
		"meta description":         func(d *content.Document) { d.MetaDescription += "x" },
		"language":                 func(d *content.Document) { d.Language += "x" },
		"a letter between fields":  func(d *content.Document) { d.Title, d.Slug = d.Title+"t", d.Slug[1:] },
		"no FAQ":                   func(d *content.Document) { d.FAQ = nil },
		"FAQ in another order":     func(d *content.Document) { d.FAQ = []v1alpha1.FAQ{d.FAQ[1], d.FAQ[0]} },
		"question and answer swap": func(d *content.Document) { d.FAQ[0].Question, d.FAQ[0].Answer = d.FAQ[0].Answer, d.FAQ[0].Question },
		"tags":                     func(d *content.Document) { d.Tags = []string{"a", "b"} },
		"tags in another order":    func(d *content.Document) { d.Tags = []string{"b", "a"} },
		"fewer tags":               func(d *content.Document) { d.Tags = []string{"ab"} },
		"category":                 func(d *content.Document) { d.Category = "a" },
		"author":                   func(d *content.Document) { d.Author = "a" },
		"image":                    func(d *content.Document) { d.Image = image("a", "b", "", "c") },
		"image at another address": func(d *content.Document) { d.Image = image("x", "b", "", "c") },
		"image with another text":  func(d *content.Document) { d.Image = image("a", "x", "", "c") },
		"image with a credit":      func(d *content.Document) { d.Image = image("a", "b", "x", "c") },
		"image with another file":  func(d *content.Document) { d.Image = image("a", "b", "", "x") },
		"image with moved words":   func(d *content.Document) { d.Image = image("ab", "", "", "c") },
		"one empty question more":  func(d *content.Document) { d.FAQ = append(d.FAQ, v1alpha1.FAQ{}) },
	} {
		doc := sample()
		change(&doc)
		digest := doc.Digest()
		if other, ok := seen[digest]; ok {
			t.Errorf("%q and %q have the same digest", name, other)
		}
		seen[digest] = name
	}
}
