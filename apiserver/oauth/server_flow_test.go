package oauth_test

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/oauth2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// library is the configuration of golang.org/x/oauth2 for a client.
func (a registered) library(r *replica, style oauth2.AuthStyle) *oauth2.Config {
	return &oauth2.Config{
		ClientID: a.ClientID(), ClientSecret: a.secret, RedirectURL: redirectURI,
		Endpoint: oauth2.Endpoint{TokenURL: r.url + oauth.TokenPath, AuthStyle: style},
	}
}

// errorCode is what the library reports.
func errorCode(err error) string {
	if told, ok := errors.AsType[*oauth2.RetrieveError](err); ok {
		return told.ErrorCode
	}
	return ""
}

var _ = Describe("golang.org/x/oauth2, unmodified", func() {
	DescribeTable("gets a token that works, and is told what is wrong",
		func(style oauth2.AuthStyle, pkce bool, kind ...func(*v1alpha1.OAuthClientSpec)) {
			ctx, r := context.Background(), replicas[0]
			a := newClient(kind...)
			conf := a.library(r, style)
			var challenge string
			var options []oauth2.AuthCodeOption
			if pkce {
				verifier := oauth2.GenerateVerifier()
				challenge = oauth2.S256ChallengeFromVerifier(verifier)
				options = []oauth2.AuthCodeOption{oauth2.VerifierOption(verifier)}
			}
			code := a.consent(r, challenge)

			_, err := conf.Exchange(ctx, code, oauth2.VerifierOption(oauth2.GenerateVerifier()))
			Expect(errorCode(err)).To(Equal("invalid_grant"), "another verifier, or one without a challenge")
			elsewhere := *conf
			elsewhere.RedirectURL = "https://tool.example/other"
			_, err = elsewhere.Exchange(ctx, code, options...)
			Expect(errorCode(err)).To(Equal("invalid_grant"), "another redirect URI")
			stranger := *conf
			stranger.ClientSecret = newClient().secret
			_, err = stranger.Exchange(ctx, code, options...)
			Expect(errorCode(err)).To(Equal("invalid_client"), "another secret")

			token, err := conf.Exchange(ctx, code, options...)
			Expect(err).NotTo(HaveOccurred())
			Expect(token.TokenType).To(Equal("Bearer"))
			Expect(token.ExpiresIn).To(BeEquivalentTo(31536000))
			Expect(token.Extra("scope")).To(Equal("read write"))
			p, err := r.authenticator.Authenticate(ctx, token.AccessToken)
			Expect(err).NotTo(HaveOccurred())
			Expect(p.ExpiresAt).To(BeTemporally("==", start.Add(365*24*time.Hour)))
			p.ExpiresAt = time.Time{}
			Expect(p).To(Equal(auth.Principal{
				ID: p.ID, Account: "acme", Name: person + " (app " + a.Name + ")", Client: a.Name,
				Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite}, Workspaces: []string{"acme-blog"},
			}))

			_, err = conf.Exchange(ctx, code, options...)
			Expect(errorCode(err)).To(Equal("invalid_grant"), "a second use")
			Eventually(func() error { return r.authenticate(token.AccessToken) }).Should(MatchError(auth.ErrUnauthorized))
		},
		Entry("with Basic", oauth2.AuthStyleInHeader, false),
		Entry("with Basic and PKCE", oauth2.AuthStyleInHeader, true),
		Entry("with parameters", oauth2.AuthStyleInParams, false),
		Entry("with parameters and PKCE", oauth2.AuthStyleInParams, true),
		Entry("probing which", oauth2.AuthStyleAutoDetect, true),
		Entry("as a public client", oauth2.AuthStyleInParams, true, public),
		Entry("as a public client with Basic", oauth2.AuthStyleInHeader, true, public),
	)
})

var _ = Describe("The JSON of the contract", func() {
	It("gets the token response of the contract, never stored", func() {
		a := newClient()
		got := replicas[0].postJSON(oauth.TokenPath, a.exchange(a.consent(replicas[0], "")))
		Expect(got.Status).To(Equal(http.StatusOK))
		Expect(got.Header.Get("Cache-Control")).To(Equal("no-store"))
		Expect(got.Header.Get("Pragma")).To(Equal("no-cache"))
		Expect(got.Header.Get("Content-Type")).To(HavePrefix("application/json"))
		Expect(got.Body).To(HaveLen(4))
		Expect(got.Body).To(And(HaveKeyWithValue("token_type", "Bearer"), HaveKeyWithValue("scope", "read write"),
			HaveKeyWithValue("expires_in", BeEquivalentTo(31536000)), HaveKeyWithValue("access_token", HavePrefix("pr_at_"))))
	})

	It("takes members that it does not know, and null and nothing for what is absent", func() {
		a := newClient()
		body := `{"grant_type":"authorization_code","code":"` + a.consent(replicas[0], "") + `","redirect_uri":"` + redirectURI +
			`","client_id":"` + a.ClientID() + `","client_secret":"` + a.secret + `","code_verifier":null,"audience":{"a":[1]},"client_assertion":""}`
		Expect(post(replicas[0].url+oauth.TokenPath, "application/json; charset=utf-8", body).Status).To(Equal(http.StatusOK))
	})
})

func basicHeader(user, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}

var _ = Describe("A request that is refused", func() {
	verifier := oauth2.GenerateVerifier()

	// Each leaves the code as it was.
	DescribeTable("says why, and does not use the code up",
		func(want int, code string, ask func(r *replica, a registered, right map[string]string) testkit.Answer) {
			r, a := replicas[1], newClient()
			right := with(a.exchange(a.consent(r, oauth2.S256ChallengeFromVerifier(verifier))), "code_verifier", verifier)
			got := ask(r, a, right)
			expectRefused(got, want, code)
			done := r.postForm(oauth.TokenPath, right)
			Expect(done.Status).To(Equal(http.StatusOK), done.Raw)
			Expect(r.authenticate(done.Body["access_token"].(string))).To(Succeed())
		},
		Entry("a wrong secret", 401, "invalid_client", func(r *replica, _ registered, right map[string]string) testkit.Answer {
			return r.postForm(oauth.TokenPath, with(right, "client_secret", newSecret()))
		}),
		Entry("a secret that is none", 401, "invalid_client", changed("client_secret", "secret")),
		Entry("no secret", 401, "invalid_client", changed("client_secret", "")),
		Entry("no client", 401, "invalid_client", changed("client_id", "")),
		Entry("an unknown client", 401, "invalid_client", changed("client_id", "pr_ci_nobody")),
		Entry("a client id that cannot be one", 401, "invalid_client", changed("client_id", "pr_ci_../x")),
		Entry("an assertion", 401, "invalid_client", changed("client_assertion", "x")),
		Entry("another client", 400, "invalid_grant", func(r *replica, _ registered, right map[string]string) testkit.Answer {
			other := newClient()
			return r.postForm(oauth.TokenPath, with(right, "client_id", other.ClientID(), "client_secret", other.secret))
		}),
		Entry("another redirect URI of the client", 400, "invalid_grant", changed("redirect_uri", "https://tool.example/other")),
		Entry("a redirect URI that differs in a byte", 400, "invalid_grant", changed("redirect_uri", redirectURI+"/")),
		Entry("another verifier", 400, "invalid_grant", changed("code_verifier", oauth2.GenerateVerifier())),
		Entry("the challenge as the verifier", 400, "invalid_grant",
			changed("code_verifier", oauth2.S256ChallengeFromVerifier(verifier))),
		Entry("no verifier", 400, "invalid_grant", changed("code_verifier", "")),
		Entry("a code that is junk", 400, "invalid_grant", changed("code", "junk")),
		Entry("a code that does not exist", 400, "invalid_grant", changed("code", newCode())),
		Entry("a code with the right id and another secret", 400, "invalid_grant", func(r *replica, _ registered, right map[string]string) testkit.Answer {
			return r.postForm(oauth.TokenPath, with(right, "code", forged(right["code"])))
		}),
		Entry("no grant type", 400, "invalid_request", changed("grant_type", "")),
		Entry("another grant type", 400, "unsupported_grant_type", changed("grant_type", "client_credentials")),
		Entry("no code", 400, "invalid_request", changed("code", "")),
		Entry("no redirect URI", 400, "invalid_request", changed("redirect_uri", "")),
		Entry("a wrong secret with Basic", 401, "invalid_client", func(r *replica, a registered, right map[string]string) testkit.Answer {
			got := r.postForm(oauth.TokenPath, with(right, "client_secret", ""), "Authorization", basicHeader(a.ClientID(), newSecret()))
			Expect(got.Header.Get("WWW-Authenticate")).To(HavePrefix("Basic "))
			return got
		}),
		Entry("an Authorization that is not Basic", 401, "invalid_client", func(r *replica, _ registered, right map[string]string) testkit.Answer {
			return r.postForm(oauth.TokenPath, with(right, "client_secret", ""), "Authorization", "Bearer x")
		}),
		Entry("a broken escape in Basic", 401, "invalid_client", func(r *replica, a registered, right map[string]string) testkit.Answer {
			return r.postForm(oauth.TokenPath, with(right, "client_secret", ""), "Authorization", basicHeader(a.ClientID(), "%zz"))
		}),
		Entry("two ways to authenticate at once", 400, "invalid_request", func(r *replica, a registered, right map[string]string) testkit.Answer {
			return r.postForm(oauth.TokenPath, right, "Authorization", basicHeader(a.ClientID(), a.secret))
		}),
		Entry("two headers Authorization", 400, "invalid_request", func(r *replica, a registered, right map[string]string) testkit.Answer {
			h := basicHeader(a.ClientID(), a.secret)
			return r.postForm(oauth.TokenPath, with(right, "client_secret", ""), "Authorization", h, "Authorization", h)
		}),
		Entry("another client in the body than in Basic", 400, "invalid_request", func(r *replica, a registered, right map[string]string) testkit.Answer {
			return r.postForm(oauth.TokenPath, with(right, "client_secret", "", "client_id", "pr_ci_other"),
				"Authorization", basicHeader(a.ClientID(), a.secret))
		}),
		Entry("a parameter twice in a form", 400, "invalid_request", func(r *replica, _ registered, right map[string]string) testkit.Answer {
			return post(r.url+oauth.TokenPath, "application/x-www-form-urlencoded", "code="+right["code"]+"&code="+right["code"])
		}),
		Entry("a member twice in JSON", 400, "invalid_request", func(r *replica, _ registered, right map[string]string) testkit.Answer {
			return post(r.url+oauth.TokenPath, "application/json", `{"code":"`+right["code"]+`","code":"`+right["code"]+`"}`)
		}),
		Entry("a member that is no string", 400, "invalid_request", rawBody("application/json", `{"code":7}`)),
		Entry("JSON that is no object", 400, "invalid_request", rawBody("application/json", `["code"]`)),
		Entry("JSON with something after it", 400, "invalid_request", rawBody("application/json", `{} {}`)),
		Entry("JSON that breaks off", 400, "invalid_request", rawBody("application/json", `{"code":"a"`)),
		Entry("a broken form", 400, "invalid_request", rawBody("application/x-www-form-urlencoded", "code=%zz")),
		Entry("bytes that are no text", 400, "invalid_request", rawBody("application/x-www-form-urlencoded", "code=%ff")),
		Entry("another type of body", 400, "invalid_request", rawBody("text/plain", "code=a")),
		Entry("a body of more than 16 KiB", 400, "invalid_request",
			rawBody("application/x-www-form-urlencoded", "code="+strings.Repeat("a", 17<<10))),
		Entry("parameters in the address", 400, "invalid_request", func(r *replica, _ registered, right map[string]string) testkit.Answer {
			return r.postForm(oauth.TokenPath+"?client_id="+right["client_id"], right)
		}),
	)

	It("refuses a verifier where the consent was asked for without a challenge", func() {
		r, a := replicas[0], newClient()
		right := a.exchange(a.consent(r, ""))
		got := r.postForm(oauth.TokenPath, with(right, "code_verifier", verifier))
		Expect(got.Body).To(HaveKeyWithValue("error", "invalid_grant"))
		Expect(r.postForm(oauth.TokenPath, right).Status).To(Equal(http.StatusOK))
	})

	DescribeTable("refuses a verifier that is none, though the challenge is its own", func(given string) {
		r, a := replicas[0], newClient()
		right := a.exchange(a.consent(r, oauth2.S256ChallengeFromVerifier(given)))
		got := r.postForm(oauth.TokenPath, with(right, "code_verifier", given))
		Expect(got.Body).To(HaveKeyWithValue("error", "invalid_grant"))
	},
		Entry("too short", strings.Repeat("a", 42)), Entry("too long", strings.Repeat("a", 129)),
		Entry("with other letters", strings.Repeat("a", 42)+"+"),
	)

	It("refuses a code at its tenth minute and takes it a moment before", func() {
		r, a := newReplica(testkit.Blind{}), newClient()
		early, late := a.consent(r, ""), a.consent(r, "")
		r.clock.SetTime(start.Add(10*time.Minute - time.Millisecond))
		a.token(r, early)
		r.clock.SetTime(start.Add(10 * time.Minute))
		Expect(r.postJSON(oauth.TokenPath, a.exchange(late)).Body).To(HaveKeyWithValue("error", "invalid_grant"))
	})

	It("refuses a public client's secret, and its code where PKCE was not used", func() {
		a := newClient(public)
		c := testkit.NewCredential(credential.AuthorizationCode)
		grant := &v1alpha1.OAuthGrant{Spec: v1alpha1.OAuthGrantSpec{
			ClientRef: v1alpha1.LocalReference{Name: a.Name}, AccountRef: v1alpha1.AccountReference{Name: "acme"}, Person: "mara@acme.example",
			Scopes: a.Spec.Scopes, RedirectURI: a.Spec.RedirectURIs[0], CodeHash: c.Hash(), ExpirationTime: v1alpha1.NewMicroTime(start.Add(time.Minute)),
		}}
		grant.Name = c.ID
		grant.OwnerReferences = []metav1.OwnerReference{{APIVersion: v1alpha1.GroupVersion.String(), Kind: "OAuthClient", Name: a.Name, UID: a.UID}}
		Expect(api.Create(context.Background(), grant)).To(Succeed())
		fresh := newReplica(testkit.Blind{})
		Expect(fresh.postJSON(oauth.TokenPath, a.exchange(c.Reveal())).Body).To(HaveKeyWithValue("error", "invalid_grant"))
		a.secret = testkit.NewCredential(credential.ClientSecret).Reveal()
		Expect(fresh.postJSON(oauth.TokenPath, a.exchange(c.Reveal())).Body).To(HaveKeyWithValue("error", "invalid_client"))
	})

	It("refuses a code whose redirect URI was taken out of the client, and takes it once the URI is back", func() {
		ctx, a := context.Background(), newClient()
		code, registered := a.consent(replicas[0], ""), a.Spec.RedirectURIs
		// A replica without a cache does not lag behind the client.
		r := newReplica(testkit.Blind{})
		a.Spec.RedirectURIs = registered[1:]
		Expect(api.Update(ctx, a.OAuthClient)).To(Succeed())
		expectRefused(r.postJSON(oauth.TokenPath, a.exchange(code)), 400, "invalid_grant")
		a.Spec.RedirectURIs = registered
		Expect(api.Update(ctx, a.OAuthClient)).To(Succeed())
		Expect(r.authenticate(a.token(r, code))).To(Succeed())
	})

	It("answers 503 without using the code up while kube-apiserver is unavailable", func() {
		a := newClient()
		code := a.consent(replicas[0], "")
		Expect(newCutOffReplica().postJSON(oauth.TokenPath, a.exchange(code)).Status).To(Equal(http.StatusServiceUnavailable))
		a.token(replicas[0], code)
	})
})

// changed asks with changes to what is right.
func changed(changes ...string) func(*replica, registered, map[string]string) testkit.Answer {
	return func(r *replica, _ registered, right map[string]string) testkit.Answer {
		return r.postForm(oauth.TokenPath, with(right, changes...))
	}
}

func rawBody(contentType, body string) func(*replica, registered, map[string]string) testkit.Answer {
	return func(r *replica, _ registered, _ map[string]string) testkit.Answer {
		return post(r.url+oauth.TokenPath, contentType, body)
	}
}
