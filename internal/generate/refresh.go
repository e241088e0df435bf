package generate

import (
	"context"
	"slices"

	"github.com/pressroom-dev/pressroom/internal/content"
)

// refresh repairs what our checks find in the text that the site has. What they find nothing in stays as it is.
func (d *draft) refresh(ctx context.Context) (article, error) {
	doc, known := *d.request.Refresh, d.request.Links
	doc.Markdown, d.links.Links = content.SplitLinks(doc.Markdown)
	d.request.Links = nil
	for _, l := range d.links.Links {
		link := Link{URL: l.URL}
		if i := slices.IndexFunc(known, func(k Link) bool { return k.URL == l.URL }); i >= 0 {
			link = known[i]
		}
		d.request.Links = append(d.request.Links, link)
	}
	d.fields = fields{Title: doc.Title, Slug: doc.Slug, MetaTitle: doc.MetaTitle, MetaDescription: doc.MetaDescription}
	for _, s := range content.Sections(doc.Markdown) {
		if s.Heading != "" {
			d.fields.Sections = append(d.fields.Sections, section{Heading: s.Heading})
		}
	}
	d.progress(d.steps(), d.steps())
	return d.mend(ctx, d.assess(doc))
}
