package oauth_test

import (
	"context"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
)

// request is what a person gives to a client, as it must be.
func (a registered) request(challenge string) oauth.GrantRequest {
	return oauth.GrantRequest{ClientID: a.ClientID(), OAuthGrantSpec: v1alpha1.OAuthGrantSpec{
		AccountRef: v1alpha1.AccountReference{Name: "acme"}, Workspaces: []string{"acme-blog"}, Person: person,
		Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite}, RedirectURI: redirectURI, CodeChallenge: challenge,
	}}
}

var _ = Describe("A consent", func() {
	DescribeTable("that cannot be is not recorded", func(want string, change func(*oauth.GrantRequest), kind ...func(*v1alpha1.OAuthClientSpec)) {
		a := newClient(kind...)
		request := a.request("")
		change(&request)
		code, err := replicas[0].Create(context.Background(), request)
		Expect(err).To(MatchError(ContainSubstring(want)))
		Expect(code).To(BeEmpty())
	},
		Entry("to an unknown client", "unknown client", func(r *oauth.GrantRequest) { r.ClientID = "pr_ci_nobody" }),
		Entry("with another redirect URI", "redirect URI", func(r *oauth.GrantRequest) { r.RedirectURI += "/" }),
		Entry("of nothing", "at least one scope", func(r *oauth.GrantRequest) { r.Scopes = nil }),
		Entry("of a scope that the client may not ask for", "Approve", func(r *oauth.GrantRequest) {
			r.Scopes = append(r.Scopes, v1alpha1.ScopeApprove)
		}),
		Entry("of the scope that no client gets", "Manage", func(r *oauth.GrantRequest) { r.Scopes = append(r.Scopes, v1alpha1.ScopeManage) }),
		Entry("to a public client without PKCE", "PKCE", func(*oauth.GrantRequest) {}, public),
		Entry("with a challenge that is none", "code challenge", func(r *oauth.GrantRequest) { r.CodeChallenge = strings.Repeat("a", 42) }),
		Entry("with a challenge in base64 of the other kind", "code challenge", func(r *oauth.GrantRequest) {
			r.CodeChallenge = strings.Repeat("a", 42) + "+"
		}),
	)
})
