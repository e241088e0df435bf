package shopify

import (
	"context"
	"crypto/sha256"
	"net/http"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/fence"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/cms"
)

const (
	// maxTokens bounds how many granted tokens are kept.
	maxTokens = 10_000
	// renewBefore is how long before its end a token is not used any more. Shopify grants tokens for 24 hours.
	renewBefore = time.Hour
)

// credentials are the values of a Site's Secret.
type credentials struct{ token, clientID, clientSecret string }

func credentialsOf(t publish.Target) credentials {
	value := func(key string) string { return t.Secrets.Text(secretRef(t.Site.Spec.CMS.Shopify, key)) }
	return credentials{value(tokenKey), value(clientIDKey), value(clientSecretKey)}
}

func (c credentials) secrets() []string { return []string{c.token, c.clientSecret} }

// session begins an attempt with the token of the Secret, else with one that the shop grants to the app.
func (c *Connector) session(ctx context.Context, t publish.Target, client *cms.Client, keys credentials) (*session, error) {
	s := &session{client: client, settings: t.Site.Spec.CMS.Shopify, token: keys.token}
	if s.token != "" {
		return s, nil
	}
	if keys.clientID == "" || keys.clientSecret == "" {
		return nil, cms.Fail(v1alpha1.ErrorWrongCredentials, "the Secret must have the key token, or clientID and clientSecret")
	}
	var err error
	s.token, err = c.grant(ctx, t, client, keys, false)
	s.renew = func(ctx context.Context) (string, error) { return c.grant(ctx, t, client, keys, true) }
	return s, err
}

// grantedToken is a token that a shop granted to an app.
type grantedToken struct {
	token string
	until time.Time
}

// grant returns the token that the shop granted to the app, and asks for one if there is none or if it has to be another one
// (RFC 6749, section 4.4).
func (c *Connector) grant(ctx context.Context, t publish.Target, client *cms.Client, keys credentials, another bool) (string, error) {
	type key struct {
		shop, clientID string
		secret         [sha256.Size]byte
	}
	k := key{t.Site.Spec.CMS.Shopify.Shop, keys.clientID, sha256.Sum256([]byte(keys.clientSecret))}
	now := t.Clock.Now()
	known, _ := c.granted.Get(k)
	if g, ok := known.(grantedToken); ok && !another && now.Before(g.until) {
		client.Hide(g.token)
		return g.token, nil
	}
	// A token leaves nothing in the shop.
	a, err := client.Do(fence.ReadOnly(ctx), cms.Request{
		Method: http.MethodPost, URL: "https://" + k.shop + "/admin/oauth/access_token",
		Header: http.Header{"Accept": {"application/json"}},
		JSON:   map[string]string{"grant_type": "client_credentials", "client_id": keys.clientID, "client_secret": keys.clientSecret},
	})
	if err != nil {
		return "", err
	}
	if a.Status != http.StatusOK {
		return "", refusal(a)
	}
	var answer struct {
		AccessToken string `json:"access_token"`
		ExpiresIn   int64  `json:"expires_in"`
	}
	if !a.IsJSON() || a.Decode(&answer) != nil || answer.AccessToken == "" {
		return "", cms.Fail(v1alpha1.ErrorUnexpectedAnswer, "the shop did not answer the request for a token with one")
	}
	client.Hide(answer.AccessToken)
	c.granted.Add(k, grantedToken{answer.AccessToken, now.Add(time.Duration(answer.ExpiresIn)*time.Second - renewBefore)})
	return answer.AccessToken, nil
}

// refusal describes why a shop granted no token.
func refusal(a cms.Answer) error {
	e := cms.FailureOf(a, "Shopify")
	switch a.Status {
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden:
		e.Class = v1alpha1.ErrorWrongCredentials
		e.Message = "the shop grants the app no token: check clientID, clientSecret and its installation"
	case http.StatusNotFound:
		e.Message = noShop
	}
	return e
}
