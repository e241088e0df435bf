package testkit

import (
	"regexp"
	"strings"
)

// ofKubernetes finds what means something in the Kubernetes API alone.
var ofKubernetes = regexp.MustCompile(
	`\bspec\.|\bmetadata\.|\bnamespaces?\b|pressroom\.dev/|[^"]\bkubectl\b|` +
		`"(Article|Brief|Site|Account|EventSubscription|EventDelivery|OAuthClient|OAuthGrant|APIKey)"`)

// WordsOfKubernetes returns the first word of an answer of the REST API that its users cannot know; empty if there is none. The name of
// who applies a manifest is one of theirs.
func WordsOfKubernetes(a Answer) string {
	if !strings.HasPrefix(a.Raw, `{"success":`) {
		return ""
	}
	return ofKubernetes.FindString(strings.ReplaceAll(a.Raw, `\"`, `"`))
}
