package generate

import (
	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/language"
)

// choose takes of each field the text that our checks rate best, and the first of those that they rate the same. It costs no turn.
func (d *draft) choose(p plan) fields {
	f := fields{Slug: p.Slug, Sections: p.Sections, FAQ: p.FAQ}
	f.Title, f.MetaTitle, f.MetaDescription = p.Titles[0], p.MetaTitles[0], p.MetaDescriptions[0]
	for _, field := range []struct {
		of    *string
		texts []string
	}{{&f.Title, p.Titles}, {&f.MetaTitle, p.MetaTitles}, {&f.MetaDescription, p.MetaDescriptions}} {
		best, points := "", 0
		for _, text := range field.texts {
			*field.of = text
			if rated := d.rate(f, text); best == "" || rated > points {
				best, points = text, rated
			}
		}
		*field.of = best
	}
	return f
}

// rate returns the points of fields, of which one is a text to choose. Of texts with the same points, one with the keyword is better: no
// check looks at the title that readers see.
func (d *draft) rate(f fields, text string) int {
	points := 2 * check.Run(d.checkInput(d.document(f, ""))).Points()
	if language.For(d.request.Language).Mentions(text, d.request.Keyword) {
		points++
	}
	return points
}
