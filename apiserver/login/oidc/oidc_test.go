package oidc_test

import (
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	clocktesting "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/apiserver/login/oidc"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const nonce, verifier, redirectURL = "the nonce of this sign-in", "verifier-verifier-verifier-verifier-verifier", "https://app.example/back"

// issuer signs whatever the test wants it to.
type issuer struct {
	*httptest.Server

	key      *rsa.PrivateKey
	metadata map[string]any
	claims   map[string]any
	// signer is who really signs; the key that is published if it is nil.
	signer *rsa.PrivateKey
	// answer of the token endpoint; the ID token if it is nil.
	answer http.HandlerFunc
	// asked is what the token endpoint was asked with.
	asked url.Values
	// down is how often its metadata is not there yet.
	down int
}

func newIssuer(t *testing.T) *issuer {
	t.Helper()
	i := &issuer{key: keyOf(t, published)}
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		if i.down > 0 {
			i.down--
			http.Error(w, "not yet", http.StatusServiceUnavailable)
			return
		}
		reply(t, w, i.metadata)
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) {
		reply(t, w, map[string]any{"keys": []any{map[string]any{
			"kty": "RSA", "alg": "RS256", "use": "sig", "kid": "1",
			"n": encode(i.key.N.Bytes()), "e": encode(big.NewInt(int64(i.key.E)).Bytes()),
		}}})
	})
	mux.HandleFunc("/token", func(w http.ResponseWriter, q *http.Request) {
		if err := q.ParseForm(); err != nil {
			t.Error(err)
		}
		i.asked = q.PostForm
		if i.answer != nil {
			i.answer(w, q)
			return
		}
		reply(t, w, map[string]any{"access_token": "x", "token_type": "Bearer", "id_token": i.sign(t)})
	})
	i.Server = httptest.NewServer(mux)
	t.Cleanup(i.Close)
	i.metadata = map[string]any{
		"issuer": i.URL, "authorization_endpoint": i.URL + "/authorize", "token_endpoint": i.URL + "/token", "jwks_uri": i.URL + "/keys",
		"id_token_signing_alg_values_supported": []string{"RS256"},
	}
	i.claims = map[string]any{
		"iss": i.URL, "aud": "pressroom", "sub": "1", "nonce": nonce, "iat": start.Unix(), "exp": start.Add(5 * time.Minute).Unix(),
		"email": "mara@acme.example", "email_verified": true, "groups": []string{"editors"},
	}
	return i
}

// published and foreign are made once: that takes longer than everything else here.
var published, foreign = sync.OnceValues(generate), sync.OnceValues(generate)

func generate() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) }

func keyOf(t *testing.T, key func() (*rsa.PrivateKey, error)) *rsa.PrivateKey {
	t.Helper()
	k, err := key()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func reply(t *testing.T, w http.ResponseWriter, body any) {
	t.Helper()
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(body); err != nil {
		t.Error(err)
	}
}

func encode(data []byte) string { return base64.RawURLEncoding.EncodeToString(data) }

// sign makes an ID token of the claims.
func (i *issuer) sign(t *testing.T) string {
	t.Helper()
	claims, err := json.Marshal(i.claims)
	if err != nil {
		t.Fatal(err)
	}
	signer := i.signer
	if signer == nil {
		signer = i.key
	}
	text := encode([]byte(`{"alg":"RS256","kid":"1"}`)) + "." + encode(claims)
	digest := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(nil, signer, crypto.SHA256, digest[:])
	if err != nil {
		t.Fatal(err)
	}
	return text + "." + encode(signature)
}

func (i *issuer) provider(t *testing.T) *oidc.Provider {
	t.Helper()
	p, err := oidc.New(oidc.Options{
		Issuer: i.URL, ClientID: "pressroom", ClientSecret: "secret", RedirectURL: redirectURL, Client: i.Client(),
		Clock: clocktesting.NewFakePassiveClock(start),
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestTheIssuerIsAskedWithEverythingThatProtectsTheSignIn(t *testing.T) {
	i := newIssuer(t)
	i.metadata["scopes_supported"] = []string{"openid", "email", "groups", "other"}
	to, err := i.provider(t).Start(t.Context(), "the state", nonce, verifier)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(to)
	if err != nil || !strings.HasPrefix(to, i.URL+"/authorize?") {
		t.Fatalf("Start = %s, %v", to, err)
	}
	digest := sha256.Sum256([]byte(verifier))
	want := url.Values{
		"client_id": {"pressroom"}, "redirect_uri": {redirectURL}, "response_type": {"code"}, "scope": {"openid email groups"},
		"state": {"the state"}, "nonce": {nonce}, "code_challenge": {encode(digest[:])}, "code_challenge_method": {"S256"},
	}
	if got := u.Query(); !reflect.DeepEqual(got, want) {
		t.Errorf("asked with %v, want %v", got, want)
	}
	delete(i.metadata, "scopes_supported")
	if to, err = i.provider(t).Start(t.Context(), "s", nonce, verifier); err != nil || strings.Contains(to, "groups") {
		t.Errorf("an issuer that does not know groups is asked for them: %s, %v", to, err)
	}
}

func TestWhoTheIssuerVouchesForIsTaken(t *testing.T) {
	i := newIssuer(t)
	got, err := i.provider(t).Finish(t.Context(), "the code", nonce, verifier)
	want := oidc.Identity{Issuer: i.URL, Email: "mara@acme.example", Groups: []string{"editors"}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Finish = %+v, %v, want %+v", got, err, want)
	}
	if i.asked.Get("code") != "the code" || i.asked.Get("code_verifier") != verifier || i.asked.Get("redirect_uri") != redirectURL {
		t.Errorf("the code is exchanged with %v", i.asked)
	}
}

func TestNobodyIsTakenWhomTheIssuerDoesNotVouchFor(t *testing.T) {
	claim := func(name string, value any) func(*testing.T, *issuer) {
		return func(_ *testing.T, i *issuer) { i.claims[name] = value }
	}
	tests := []struct {
		name   string
		change func(*testing.T, *issuer)
	}{
		{"another nonce", claim("nonce", "another")},
		{"no nonce", claim("nonce", "")},
		{"another issuer", claim("iss", "https://evil.example")},
		{"another client", claim("aud", "another")},
		{"its time is over", claim("exp", start.Add(-time.Second).Unix())},
		{"the address is not verified", claim("email_verified", false)},
		{"whether the address is verified is not said", func(_ *testing.T, i *issuer) { delete(i.claims, "email_verified") }},
		{"the address counts as verified by its text", claim("email_verified", "true")},
		{"there is no address", claim("email", "")},
		{"somebody else has signed", func(t *testing.T, i *issuer) { t.Helper(); i.signer = keyOf(t, foreign) }},
		{"there is no ID token", func(t *testing.T, i *issuer) {
			t.Helper()
			i.answer = func(w http.ResponseWriter, _ *http.Request) {
				reply(t, w, map[string]any{"access_token": "x", "token_type": "Bearer"})
			}
		}},
		{"the code is refused", func(_ *testing.T, i *issuer) {
			i.answer = func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusBadRequest)
				_, _ = w.Write([]byte(`{"error": "invalid_grant"}`))
			}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			i := newIssuer(t)
			tt.change(t, i)
			if got, err := i.provider(t).Finish(t.Context(), "code", nonce, verifier); !errors.Is(err, oidc.ErrRefused) {
				t.Errorf("Finish = %+v, %v, want ErrRefused", got, err)
			}
		})
	}
}

func TestAnIssuerThatFailsIsNotOneThatRefuses(t *testing.T) {
	i := newIssuer(t)
	i.down = 1
	p := i.provider(t)
	if _, err := p.Start(t.Context(), "s", nonce, verifier); err == nil || errors.Is(err, oidc.ErrRefused) {
		t.Errorf("Start = %v", err)
	}
	// It is asked again, by a request that may end before the signing keys are needed.
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := p.Start(ctx, "s", nonce, verifier); err != nil {
		t.Errorf("it is not asked again: %v", err)
	}
	cancel()
	if _, err := p.Finish(t.Context(), "code", nonce, verifier); err != nil {
		t.Errorf("what was found does not outlive the request: %v", err)
	}
	i.answer = func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "down", http.StatusBadGateway) }
	if _, err := p.Finish(t.Context(), "code", nonce, verifier); err == nil || errors.Is(err, oidc.ErrRefused) {
		t.Errorf("Finish = %v", err)
	}
}

func TestSignInsDoNotQueueBehindAnIssuerThatIsAway(t *testing.T) {
	reached, release := make(chan struct{}, 100), make(chan struct{})
	away := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		reached <- struct{}{}
		<-release
	}))
	defer away.Close()
	defer close(release)
	p, err := oidc.New(oidc.Options{Issuer: away.URL, ClientID: "pressroom", RedirectURL: redirectURL, Client: away.Client()})
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = p.Start(t.Context(), "state", nonce, verifier) }()
	<-reached
	for range 20 {
		// Somebody whose browser has gone away gives up at once.
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := p.Start(gone, "state", nonce, verifier); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want %v", err, context.Canceled)
		}
	}
	if len(reached) > 0 {
		t.Errorf("the issuer was asked %d more times", len(reached))
	}
}

func TestAnIssuerMustBeSetUpWhole(t *testing.T) {
	whole := oidc.Options{Issuer: "https://id.example", ClientID: "pressroom", RedirectURL: redirectURL}
	tests := []struct {
		name    string
		change  func(*oidc.Options)
		wantErr bool
	}{
		{"whole", func(*oidc.Options) {}, false},
		{"no issuer", func(o *oidc.Options) { o.Issuer = "" }, true},
		{"an issuer without a host", func(o *oidc.Options) { o.Issuer = "https:/id.example" }, true},
		{"an issuer of another scheme", func(o *oidc.Options) { o.Issuer = "ldap://id.example" }, true},
		{"no client ID", func(o *oidc.Options) { o.ClientID = "" }, true},
		{"nowhere to come back to", func(o *oidc.Options) { o.RedirectURL = "" }, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := whole
			tt.change(&o)
			if _, err := oidc.New(o); (err != nil) != tt.wantErr {
				t.Errorf("New = %v, want an error: %v", err, tt.wantErr)
			}
		})
	}
}
