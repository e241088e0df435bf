//go:build e2e

package docs

func oauthConsent() page { return page{file: "docs/oauth-consent.md"} }
