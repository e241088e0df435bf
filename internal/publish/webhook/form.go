package webhook

import (
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish/siteform"
)

// signingSecretKey is the key of a Secret that is made by the form.
const signingSecretKey = "signingSecret"

// Form returns the form of the fields that connect a site.
func Form() siteform.Form {
	format := siteform.Choice("payload_format", "Payload format",
		"json has Markdown and HTML; markdown or html has one of them. json by default.",
		func(cms *v1alpha1.SiteCMS) *v1alpha1.PayloadFormat { return &cms.Headless.PayloadFormat },
		v1alpha1.PayloadJSON, v1alpha1.PayloadMarkdown, v1alpha1.PayloadHTML)
	disclosure := siteform.Choice("disclosure", "Disclosure",
		"Whether the payload says if a model had a part in the text, and if a person approved it: omit or send. omit by default.",
		func(cms *v1alpha1.SiteCMS) *v1alpha1.HeadlessDisclosure { return &cms.Headless.Disclosure },
		v1alpha1.HeadlessDisclosureOmit, v1alpha1.HeadlessDisclosureSend)
	format.Free, disclosure.Free = true, true
	return siteform.Form{
		Type: v1alpha1.CMSHeadless, Label: "Webhook", Help: "Your own site receives each article as a signed POST.",
		Connect:     connect,
		Credentials: [][]string{{"signing_secret"}},
		Fields: []siteform.Field{
			{
				Name: "url", Label: "Webhook URL", Help: "On a public address.", Rule: siteform.HTTPURL, MaxLength: siteform.MaxURL,
				Required: true, Example: "https://blog.example.com/hooks/pressroom",
				Accessor: siteform.Text(func(cms *v1alpha1.SiteCMS) *string { return &cms.Headless.URL }),
			},
			{
				Name: "signing_secret", Label: "Signing secret",
				Help: "At least 16 characters; if it is left out, one is made and shown once.",
				Rule: siteform.Matches(`^.{16,}$`, "must have at least 16 characters, in one line"), MaxLength: siteform.MaxSecret,
				Secret: signingSecretKey, Generated: true,
			},
			format, disclosure,
		},
	}
}

// connect sets the settings of a webhook. A reference to the same Secret stays as it is: somebody else may have chosen another key. So
// does the policy of updates, which no field has.
func connect(cms, earlier *v1alpha1.SiteCMS, secret string) {
	cms.Headless = &v1alpha1.HeadlessConnection{
		SigningSecretRef: v1alpha1.SecretKeyReference{Name: secret, Key: signingSecretKey}, PayloadFormat: v1alpha1.PayloadJSON,
	}
	if earlier == nil {
		return
	}
	cms.Headless.Updates = earlier.Headless.Updates
	if earlier.Headless.SigningSecretRef.Name == secret {
		cms.Headless.SigningSecretRef = earlier.Headless.SigningSecretRef
	}
}
