package webflow

import (
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish/siteform"
)

// What values must be.
var objectID = siteform.Rule{Pattern: `^[0-9a-f]{24}$`, Must: "must have 24 digits and letters from a to f"}

// Form is what people enter to connect a site.
func Form() siteform.Form {
	at := func(c *v1alpha1.SiteCMS) *v1alpha1.WebflowConnection { return c.Webflow }
	slug := func(name, label, help string, of func(*v1alpha1.WebflowFields) *string) siteform.Field {
		return siteform.Field{Name: name, Label: label, Help: help, MaxLength: 100,
			Place: siteform.Text(func(c *v1alpha1.SiteCMS) *string { return of(&at(c).Fields) })}
	}
	body := slug("body_field", "Field of the body", "Slug of the rich-text field for the body.",
		func(f *v1alpha1.WebflowFields) *string { return &f.Body })
	body.Required, body.Example = true, "post-body"
	return siteform.Form{
		Type: v1alpha1.CMSWebflow, Label: "Webflow", Help: "A collection of a Webflow site, by a site token.",
		Connect: func(c, _ *v1alpha1.SiteCMS, secret string) {
			c.Webflow = &v1alpha1.WebflowConnection{CredentialsSecretRef: v1alpha1.LocalReference{Name: secret}}
		},
		Credentials: [][]string{{"token"}},
		Fields: []siteform.Field{
			{Name: "site_id", Label: "Site ID", Help: "24 hexadecimal digits, from the site's settings.", Rule: objectID, MaxLength: 24,
				Required: true, Example: "580e63e98c9a982ac9b8b741",
				Place: siteform.Text(func(c *v1alpha1.SiteCMS) *string { return &at(c).SiteID })},
			{Name: "collection_id", Label: "Collection ID",
				Help: "24 hexadecimal digits, from the collection's settings.", Rule: objectID,
				MaxLength: 24, Required: true, Example: "580e63fc8c9a982ac9b8b745",
				Place: siteform.Text(func(c *v1alpha1.SiteCMS) *string { return &at(c).CollectionID })},
			{Name: "token", Label: "Site token",
				Help: "With the scopes cms:read, cms:write and sites:read.", MaxLength: siteform.MaxSecret, Secret: "token"},
			body,
			slug("excerpt_field", "Field of the excerpt", "Slug of a plain-text field.",
				func(f *v1alpha1.WebflowFields) *string { return &f.Excerpt }),
			slug("meta_title_field", "Field of the SEO title", "Slug of a plain-text field.",
				func(f *v1alpha1.WebflowFields) *string { return &f.MetaTitle }),
			slug("meta_description_field", "Field of the meta description", "Slug of a plain-text field.",
				func(f *v1alpha1.WebflowFields) *string { return &f.MetaDescription }),
			slug("tags_field", "Field of the tags", "Slug of a plain-text field.",
				func(f *v1alpha1.WebflowFields) *string { return &f.Tags }),
			slug("category_field", "Field of the category", "Slug of a plain-text field.",
				func(f *v1alpha1.WebflowFields) *string { return &f.Category }),
			slug("author_field", "Field of the author", "Slug of a plain-text field or of a reference.",
				func(f *v1alpha1.WebflowFields) *string { return &f.Author }),
			slug("image_field", "Field of the featured image", "Slug of an image field.",
				func(f *v1alpha1.WebflowFields) *string { return &f.Image }),
			siteform.FAQ(),
		},
	}
}
