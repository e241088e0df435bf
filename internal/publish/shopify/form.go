package shopify

import (
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish/siteform"
)

// Form returns the form of the fields that connect a site.
func Form() siteform.Form {
	return siteform.Form{
		Type: v1alpha1.CMSShopify, Label: "Shopify",
		Help: "A blog of a shop, by the token of a custom app, or by the id and secret of an app.",
		Connect: func(cms, _ *v1alpha1.SiteCMS, secret string) {
			cms.Shopify = &v1alpha1.ShopifyConnection{CredentialsSecretRef: v1alpha1.LocalReference{Name: secret}}
		},
		Credentials: [][]string{{"token"}, {"client_id", "client_secret"}},
		Fields: []siteform.Field{
			{
				Name: "shop", Label: "Shop", Help: "The shop's own domain, such as acme.myshopify.com.",
				Rule: siteform.Matches(`^[a-z0-9][a-z0-9-]*\.myshopify\.com$`,
					"must be the shop's own domain in lower case, such as acme.myshopify.com"),
				MaxLength: 253, Required: true, Example: "acme.myshopify.com",
				Accessor: siteform.Text(func(cms *v1alpha1.SiteCMS) *string { return &cms.Shopify.Shop }),
			},
			{
				Name: "blog_id", Label: "Blog ID", Help: "The number at the end of the blog's address in the admin.",
				Rule:      siteform.Matches(`^[0-9]{1,20}$`, "must be a number with at most 20 digits"),
				MaxLength: 20, Required: true, Example: "241253187",
				Accessor: siteform.Text(func(cms *v1alpha1.SiteCMS) *string { return &cms.Shopify.BlogID }),
			},
			{
				Name: "author", Label: "Author", Help: "The name that articles show.", MaxLength: 200, Required: true, Example: "Acme",
				Accessor: siteform.Text(func(cms *v1alpha1.SiteCMS) *v1alpha1.ShortText { return &cms.Shopify.AuthorName }),
			},
			{
				Name: "token", Label: "Access token", Help: "Of a custom app; or enter the client id and the client secret of an app.",
				MaxLength: siteform.MaxSecret, Secret: tokenKey,
			},
			{
				Name: "client_id", Label: "Client ID", Help: "Of an app that the shop has installed.",
				MaxLength: siteform.MaxSecret, Secret: clientIDKey,
			},
			{
				Name: "client_secret", Label: "Client secret", Help: "Of the same app.",
				MaxLength: siteform.MaxSecret, Secret: clientSecretKey,
			},
			siteform.Choice("seo", "SEO texts", "metafields, which themes read, or omit. Metafields by default.",
				func(cms *v1alpha1.SiteCMS) *v1alpha1.ShopifySEO { return &cms.Shopify.SEO },
				v1alpha1.ShopifySEOMetafields, v1alpha1.ShopifySEOOmit),
			{
				Name: "tags", Label: "Tags", Help: "Separated by commas, at most 20.", Rule: siteform.UpTo20, MaxLength: siteform.MaxList,
				Accessor: siteform.List(func(cms *v1alpha1.SiteCMS) *[]string { return &cms.Shopify.Tags }),
			},
			siteform.FAQ(),
		},
	}
}
