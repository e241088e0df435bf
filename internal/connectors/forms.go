package connectors

import (
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Form is how people connect sites of one type of CMS: what they enter, and what of it is secret.
type Form struct {
	Type v1alpha1.CMSType
	// Label and Help are for people.
	Label, Help string
	Fields      []Field

	// make sets the member of the type, which names the Secret.
	make func(cms *v1alpha1.SiteCMS, secret string)
	// credentials are the sets of secret fields of which one must be entered in full.
	credentials [][]string
}

// Forms returns the form of each type of CMS, in the order in which people are offered them.
func Forms() []Form {
	return []Form{wordPressForm(), webflowForm(), shopifyForm(), headlessForm(), {
		Type: v1alpha1.CMSNone, Label: "No connection", make: func(*v1alpha1.SiteCMS, string) {},
		Help: "Nothing is sent to the site. It reads its articles from the REST API.",
	}}
}

// FormOf returns the form of a type of CMS, and false for a type that has none.
func FormOf(cms v1alpha1.CMSType) (Form, bool) {
	forms := Forms()
	i := slices.IndexFunc(forms, func(f Form) bool { return f.Type == cms })
	if i < 0 {
		return Form{}, false
	}
	return forms[i], true
}

const (
	urlPattern    = `^https?://[^/?#@\s]+([/?#]\S*)?$`
	webflowID     = `^[0-9a-f]{24}$`
	slugs         = `^[^,]+(,[^,]+){0,19}$`
	maxURL        = 2048
	maxSecret     = 4096
	maxTexts      = 4096
	faqHelp       = "What becomes of the questions and answers: append to the body, or omit. Append by default."
	signingSecret = "signingSecret"
	payloadFormat = "payload_format"
	signingField  = "signing_secret"
)

func wordPressForm() Form {
	at := func(c *v1alpha1.SiteCMS) *v1alpha1.WordPressConnection { return c.WordPress }
	return Form{
		Type: v1alpha1.CMSWordPress, Label: "WordPress", Help: "WordPress 5.6 or later, by an application password.",
		make: func(c *v1alpha1.SiteCMS, secret string) {
			c.WordPress = &v1alpha1.WordPressConnection{CredentialsSecretRef: v1alpha1.LocalReference{Name: secret}}
		},
		credentials: [][]string{{"username", "password"}},
		Fields: []Field{
			{Name: "url", Label: "Address", Help: "The home page, by https.", Pattern: urlPattern, MaxLength: maxURL, Required: true,
				place: text(func(c *v1alpha1.SiteCMS) *string { return &at(c).URL })},
			{Name: "username", Label: "User",
				Help: "Login name of a WordPress user who may publish.", MaxLength: maxSecret, Secret: "username"},
			{Name: "password", Label: "Application password", Help: "Made in the user's profile; not the password of the login.",
				MaxLength: maxSecret, Secret: "password"},
			{Name: "post_type", Label: "Post type",
				Help: "What articles become; post by default.", Pattern: `^[a-z0-9_-]{1,20}$`, MaxLength: 20,
				place: text(func(c *v1alpha1.SiteCMS) *string { return &at(c).PostType })},
			{Name: "author", Label: "Author", Help: "Id of another WordPress user as author of new posts.", Pattern: `^[1-9][0-9]{0,14}$`,
				MaxLength: 15, place: number(func(c *v1alpha1.SiteCMS) *int64 { return &at(c).AuthorID })},
			{Name: "categories", Label: "Categories",
				Help: "Slugs of existing categories, separated by commas, at most 20.", Pattern: slugs,
				MaxLength: maxTexts, place: list(func(c *v1alpha1.SiteCMS) *[]string { return &at(c).Categories })},
			{Name: "tags", Label: "Tags",
				Help: "Slugs of existing tags, separated by commas, at most 20.", Pattern: slugs, MaxLength: maxTexts,
				place: list(func(c *v1alpha1.SiteCMS) *[]string { return &at(c).Tags })},
			faqField(),
		},
	}
}

func webflowForm() Form {
	at := func(c *v1alpha1.SiteCMS) *v1alpha1.WebflowConnection { return c.Webflow }
	slug := func(name, label, help string, required bool, of func(*v1alpha1.WebflowFields) *string) Field {
		return Field{Name: name, Label: label, Help: help, MaxLength: 100, Required: required,
			place: text(func(c *v1alpha1.SiteCMS) *string { return of(&at(c).Fields) })}
	}
	return Form{
		Type: v1alpha1.CMSWebflow, Label: "Webflow", Help: "A collection of a Webflow site, by a site token.",
		make: func(c *v1alpha1.SiteCMS, secret string) {
			c.Webflow = &v1alpha1.WebflowConnection{CredentialsSecretRef: v1alpha1.LocalReference{Name: secret}}
		},
		credentials: [][]string{{"token"}},
		Fields: []Field{
			{Name: "site_id", Label: "Site ID", Help: "24 hexadecimal digits, from the site's settings.", Pattern: webflowID, MaxLength: 24,
				Required: true, place: text(func(c *v1alpha1.SiteCMS) *string { return &at(c).SiteID })},
			{Name: "collection_id", Label: "Collection ID",
				Help: "24 hexadecimal digits, from the collection's settings.", Pattern: webflowID,
				MaxLength: 24, Required: true, place: text(func(c *v1alpha1.SiteCMS) *string { return &at(c).CollectionID })},
			{Name: "token", Label: "Site token",
				Help: "With the scopes cms:read, cms:write and sites:read.", MaxLength: maxSecret, Secret: "token"},
			slug("body_field", "Field of the body", "Slug of the rich-text field for the body.", true,
				func(f *v1alpha1.WebflowFields) *string { return &f.Body }),
			slug("excerpt_field", "Field of the excerpt", "Slug of a plain-text field.", false,
				func(f *v1alpha1.WebflowFields) *string { return &f.Excerpt }),
			slug("meta_title_field", "Field of the SEO title", "Slug of a plain-text field.", false,
				func(f *v1alpha1.WebflowFields) *string { return &f.MetaTitle }),
			slug("meta_description_field", "Field of the meta description", "Slug of a plain-text field.", false,
				func(f *v1alpha1.WebflowFields) *string { return &f.MetaDescription }),
			faqField(),
		},
	}
}

func shopifyForm() Form {
	at := func(c *v1alpha1.SiteCMS) *v1alpha1.ShopifyConnection { return c.Shopify }
	return Form{
		Type: v1alpha1.CMSShopify, Label: "Shopify",
		Help: "A blog of a shop, by the token of a custom app, or by the id and secret of an app.",
		make: func(c *v1alpha1.SiteCMS, secret string) {
			c.Shopify = &v1alpha1.ShopifyConnection{CredentialsSecretRef: v1alpha1.LocalReference{Name: secret}}
		},
		credentials: [][]string{{"token"}, {"client_id", "client_secret"}},
		Fields: []Field{
			{Name: "shop", Label: "Shop", Help: "The shop's own domain, such as acme.myshopify.com.", MaxLength: 253, Required: true,
				Pattern: `^[a-z0-9][a-z0-9-]*\.myshopify\.com$`, place: text(func(c *v1alpha1.SiteCMS) *string { return &at(c).Shop })},
			{Name: "blog_id", Label: "Blog ID", Help: "The number at the end of the blog's address in the admin.", Pattern: `^[0-9]{1,20}$`,
				MaxLength: 20, Required: true, place: text(func(c *v1alpha1.SiteCMS) *string { return &at(c).BlogID })},
			{Name: "author", Label: "Author", Help: "The name that articles show.", MaxLength: 200, Required: true,
				place: text(func(c *v1alpha1.SiteCMS) *string { return &at(c).AuthorName })},
			{Name: "token", Label: "Access token", Help: "Of a custom app; or enter the client id and the client secret of an app.",
				MaxLength: maxSecret, Secret: "token"},
			{Name: "client_id", Label: "Client ID",
				Help: "Of an app that the shop has installed.", MaxLength: maxSecret, Secret: "clientID"},
			{Name: "client_secret", Label: "Client secret", Help: "Of the same app.", MaxLength: maxSecret, Secret: "clientSecret"},
			choice("seo", "SEO texts", "metafields, which themes read, or omit. Metafields by default.",
				func(c *v1alpha1.SiteCMS) *v1alpha1.ShopifySEO { return &at(c).SEO },
				v1alpha1.ShopifySEOMetafields, v1alpha1.ShopifySEOOmit),
			{Name: "tags", Label: "Tags", Help: "Separated by commas, at most 20.", Pattern: slugs, MaxLength: maxTexts,
				place: list(func(c *v1alpha1.SiteCMS) *[]string { return &at(c).Tags })},
			faqField(),
		},
	}
}

func headlessForm() Form {
	at := func(c *v1alpha1.SiteCMS) *v1alpha1.HeadlessConnection { return c.Headless }
	return Form{
		Type: v1alpha1.CMSHeadless, Label: "Webhook", Help: "Your own site receives each article as a signed POST.",
		make: func(c *v1alpha1.SiteCMS, secret string) {
			ref := v1alpha1.SecretKeyReference{Name: secret, Key: signingSecret}
			c.Headless = &v1alpha1.HeadlessConnection{SigningSecretRef: ref, PayloadFormat: v1alpha1.PayloadJSON}
		},
		credentials: [][]string{{signingField}},
		Fields: []Field{
			{Name: "url", Label: "Webhook URL", Help: "On a public address.", Pattern: urlPattern, MaxLength: maxURL, Required: true,
				place: text(func(c *v1alpha1.SiteCMS) *string { return &at(c).URL })},
			{Name: signingField, Label: "Signing secret", Help: "At least 16 characters; if it is left out, one is made and shown once.",
				Pattern: `^.{16,}$`, MaxLength: maxSecret, Secret: signingSecret, Generated: true},
			choice(payloadFormat, "Payload format", "json has Markdown and HTML; markdown or html has one of them. json by default.",
				func(c *v1alpha1.SiteCMS) *v1alpha1.PayloadFormat { return &at(c).PayloadFormat },
				v1alpha1.PayloadJSON, v1alpha1.PayloadMarkdown, v1alpha1.PayloadHTML),
		},
	}
}

func faqField() Field {
	return choice("faq", "FAQ", faqHelp, func(c *v1alpha1.SiteCMS) *v1alpha1.FAQPlacement { return &c.FAQ },
		v1alpha1.FAQAppend, v1alpha1.FAQOmit)
}
