package wordpress

import (
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish/siteform"
)

// address takes http on the computer itself alone, for development: the password is sent to the address.
var address = siteform.Matches(`^(https://[^/?#@\s]+|http://(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?)([/?#]\S*)?$`,
	"must be a URL with a host that begins with https://, without user information: the password is sent there")

// Form returns the form of the fields that connect a site.
func Form() siteform.Form {
	return siteform.Form{
		Type: v1alpha1.CMSWordPress, Label: "WordPress", Help: "WordPress 5.6 or later, by an application password.",
		Connect: func(cms, _ *v1alpha1.SiteCMS, secret string) {
			cms.WordPress = &v1alpha1.WordPressConnection{CredentialsSecretRef: v1alpha1.LocalReference{Name: secret}}
		},
		Credentials: [][]string{{"username", "password"}},
		Fields: []siteform.Field{
			{
				Name: "url", Label: "Address", MaxLength: siteform.MaxURL, Rule: address,
				Help:     "The home page. It begins with https://, because the password is sent there.",
				Required: true, Example: "https://blog.example.com",
				Accessor: siteform.Text(func(cms *v1alpha1.SiteCMS) *string { return &cms.WordPress.URL }),
			},
			{
				Name: "username", Label: "User", Help: "Login name of a WordPress user who may publish.",
				MaxLength: siteform.MaxSecret, Secret: usernameKey,
			},
			{
				Name: "password", Label: "Application password", Help: "Made in the user's profile; not the password of the login.",
				MaxLength: siteform.MaxSecret, Secret: passwordKey,
			},
			{
				Name: "post_type", Label: "Post type", Help: "What articles become; post by default.",
				Rule: siteform.Matches(`^[a-z0-9_-]{1,20}$`,
					"must have 1 to 20 lower-case letters, digits, hyphens and underscores"),
				MaxLength: 20,
				Accessor:  siteform.Text(func(cms *v1alpha1.SiteCMS) *string { return &cms.WordPress.PostType }),
			},
			{
				Name: "author", Label: "Author", Help: "Id of another WordPress user as author of new posts.",
				Rule:      siteform.Matches(`^[1-9][0-9]{0,14}$`, "must be a number from 1, with at most 15 digits"),
				MaxLength: 15,
				Accessor:  siteform.Number(func(cms *v1alpha1.SiteCMS) *int64 { return &cms.WordPress.AuthorID }),
			},
			{
				Name: "categories", Label: "Categories", Help: "Slugs of existing categories, separated by commas, at most 20.",
				Rule: siteform.UpTo20, MaxLength: siteform.MaxList,
				Accessor: siteform.List(func(cms *v1alpha1.SiteCMS) *[]string { return &cms.WordPress.Categories }),
			},
			{
				Name: "tags", Label: "Tags", Help: "Slugs of existing tags, separated by commas, at most 20.",
				Rule: siteform.UpTo20, MaxLength: siteform.MaxList,
				Accessor: siteform.List(func(cms *v1alpha1.SiteCMS) *[]string { return &cms.WordPress.Tags }),
			},
			siteform.Choice("create_tags", "New tags",
				"What becomes of tags of articles that WordPress does not have: never or missing, which creates them. Never by default.",
				func(cms *v1alpha1.SiteCMS) *v1alpha1.WordPressTagCreation { return &cms.WordPress.CreateTags },
				v1alpha1.CreateTagsNever, v1alpha1.CreateTagsMissing),
			siteform.Choice("shortcodes", "Shortcodes",
				"What becomes of [shortcodes] in texts: escape, which shows them as text, or run. Escape by default.",
				func(cms *v1alpha1.SiteCMS) *v1alpha1.WordPressShortcodes { return &cms.WordPress.Shortcodes },
				v1alpha1.ShortcodesEscape, v1alpha1.ShortcodesRun),
			siteform.FAQ(),
		},
	}
}
