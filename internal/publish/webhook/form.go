package webhook

import (
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish/siteform"
)

// signingSecret is the key of a Secret that people made by the form, signingField its field.
const (
	signingSecret = "signingSecret"
	signingField  = "signing_secret"
)

// longSecret is what signing secrets must be.
var longSecret = siteform.Rule{Pattern: `^.{16,}$`, Must: "must have at least 16 characters, in one line"}

// Form is what people enter to connect a site.
func Form() siteform.Form {
	at := func(c *v1alpha1.SiteCMS) *v1alpha1.HeadlessConnection { return c.Headless }
	format := siteform.Choice("payload_format", "Payload format",
		"json has Markdown and HTML; markdown or html has one of them. json by default.",
		func(c *v1alpha1.SiteCMS) *v1alpha1.PayloadFormat { return &at(c).PayloadFormat },
		v1alpha1.PayloadJSON, v1alpha1.PayloadMarkdown, v1alpha1.PayloadHTML)
	format.Free = true
	disclosure := siteform.Choice("disclosure", "Disclosure",
		"Whether the payload says if a model had a part in the text, and if a person approved it: omit or send. omit by default.",
		func(c *v1alpha1.SiteCMS) *v1alpha1.HeadlessDisclosure { return &at(c).Disclosure },
		v1alpha1.HeadlessDisclosureOmit, v1alpha1.HeadlessDisclosureSend)
	disclosure.Free = true
	return siteform.Form{
		Type: v1alpha1.CMSHeadless, Label: "Webhook", Help: "Your own site receives each article as a signed POST.",
		Connect: func(c, earlier *v1alpha1.SiteCMS, secret string) {
			ref := v1alpha1.SecretKeyReference{Name: secret, Key: signingSecret}
			if earlier != nil && earlier.Headless.SigningSecretRef.Name == secret {
				ref = earlier.Headless.SigningSecretRef // somebody else may have chosen another key
			}
			c.Headless = &v1alpha1.HeadlessConnection{SigningSecretRef: ref, PayloadFormat: v1alpha1.PayloadJSON}
			if earlier != nil {
				c.Headless.Updates = earlier.Headless.Updates
			}
		},
		Credentials: [][]string{{signingField}},
		Fields: []siteform.Field{
			{Name: "url", Label: "Webhook URL", Help: "On a public address.", Rule: siteform.HTTPURL, MaxLength: siteform.MaxURL,
				Required: true, Example: "https://blog.example.com/hooks/pressroom",
				Place: siteform.Text(func(c *v1alpha1.SiteCMS) *string { return &at(c).URL })},
			{Name: signingField, Label: "Signing secret", Help: "At least 16 characters; if it is left out, one is made and shown once.",
				Rule: longSecret, MaxLength: siteform.MaxSecret, Secret: signingSecret, Generated: true},
			format, disclosure,
		},
	}
}
