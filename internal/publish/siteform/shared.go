package siteform

import "github.com/pressroom-dev/pressroom/api/v1alpha1"

// The longest values of fields that several forms have, in characters.
const (
	MaxURL    = 2048
	MaxSecret = 4096
	MaxTexts  = 4096
)

// What values of several forms must be.
var (
	HTTPURL = Rule{
		`^https?://[^/?#@\s]+([/?#]\S*)?$`,
		"must be a URL with a host that begins with https:// or http://, without user information",
	}
	UpTo20 = Rule{`^[^,]+(,[^,]+){0,19}$`, "must be at most 20 texts, separated by commas"}
)

// FAQ returns the field that says what becomes of the questions and answers.
func FAQ() Field {
	return Choice("faq", "FAQ", "What becomes of the questions and answers: append to the body, or omit. Append by default.",
		func(c *v1alpha1.SiteCMS) *v1alpha1.FAQPlacement { return &c.FAQ }, v1alpha1.FAQAppend, v1alpha1.FAQOmit)
}
