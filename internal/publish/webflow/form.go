package webflow

import (
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish/siteform"
)

// objectID is the rule of ids of Webflow.
var objectID = siteform.Matches(`^[0-9a-f]{24}$`, "must have 24 digits and letters from a to f")

// Form returns the form of the fields that connect a site.
func Form() siteform.Form {
	return siteform.Form{
		Type: v1alpha1.CMSWebflow, Label: "Webflow", Help: "A collection of a Webflow site, by a site token.",
		Connect: func(cms, _ *v1alpha1.SiteCMS, secret string) {
			cms.Webflow = &v1alpha1.WebflowConnection{CredentialsSecretRef: v1alpha1.LocalReference{Name: secret}}
		},
		Credentials: [][]string{{"token"}},
		Fields: append([]siteform.Field{
			{
				Name: "site_id", Label: "Site ID", Help: "24 hexadecimal digits, from the site's settings.",
				Rule: objectID, MaxLength: 24, Required: true, Example: "580e63e98c9a982ac9b8b741",
				Accessor: siteform.Text(func(cms *v1alpha1.SiteCMS) *string { return &cms.Webflow.SiteID }),
			},
			{
				Name: "collection_id", Label: "Collection ID", Help: "24 hexadecimal digits, from the collection's settings.",
				Rule: objectID, MaxLength: 24, Required: true, Example: "580e63fc8c9a982ac9b8b745",
				Accessor: siteform.Text(func(cms *v1alpha1.SiteCMS) *string { return &cms.Webflow.CollectionID }),
			},
			{
				Name: "token", Label: "Site token", Help: "With the scopes cms:read, cms:write and sites:read.",
				MaxLength: siteform.MaxSecret, Secret: tokenKey,
			},
		}, slugFields()...),
	}
}

// slugFields are the fields with the slugs of a collection's fields, and that of the questions and answers.
func slugFields() []siteform.Field {
	slug := func(name, label, help string, at func(*v1alpha1.WebflowFields) *v1alpha1.WebflowFieldSlug) siteform.Field {
		return siteform.Field{
			Name: name, Label: label, Help: help, MaxLength: 100,
			Accessor: siteform.Text(func(cms *v1alpha1.SiteCMS) *v1alpha1.WebflowFieldSlug { return at(&cms.Webflow.Fields) }),
		}
	}
	const plain = "Slug of a plain-text field."
	body := slug("body_field", "Field of the body", "Slug of the rich-text field for the body.",
		func(f *v1alpha1.WebflowFields) *v1alpha1.WebflowFieldSlug { return &f.Body })
	body.Required, body.Example = true, "post-body"
	return []siteform.Field{
		body,
		slug("excerpt_field", "Field of the excerpt", plain,
			func(f *v1alpha1.WebflowFields) *v1alpha1.WebflowFieldSlug { return &f.Excerpt }),
		slug("meta_title_field", "Field of the SEO title", plain,
			func(f *v1alpha1.WebflowFields) *v1alpha1.WebflowFieldSlug { return &f.MetaTitle }),
		slug("meta_description_field", "Field of the meta description", plain,
			func(f *v1alpha1.WebflowFields) *v1alpha1.WebflowFieldSlug { return &f.MetaDescription }),
		slug("tags_field", "Field of the tags", plain,
			func(f *v1alpha1.WebflowFields) *v1alpha1.WebflowFieldSlug { return &f.Tags }),
		slug("category_field", "Field of the category", plain,
			func(f *v1alpha1.WebflowFields) *v1alpha1.WebflowFieldSlug { return &f.Category }),
		slug("author_field", "Field of the author", "Slug of a plain-text field or of a reference.",
			func(f *v1alpha1.WebflowFields) *v1alpha1.WebflowFieldSlug { return &f.Author }),
		slug("image_field", "Field of the featured image", "Slug of an image field.",
			func(f *v1alpha1.WebflowFields) *v1alpha1.WebflowFieldSlug { return &f.Image }),
		siteform.FAQ(),
	}
}
