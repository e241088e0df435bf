// Package logintest runs pages in memory, with people who sign in to them, for the tests of packages of pages.
package logintest

import (
	"context"
	"crypto/rand"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/go-logr/logr"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/pages"
	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// Start is the time at which tests begin.
var Start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// Home is the path that signing in leads to by default. Each test that follows it mounts a page there.
const Home = "/home"

// Site is a site with pages to sign in to, and a browser.
type Site struct {
	*testkit.Browser

	Router *gin.Engine
	Clock  *clocktesting.FakePassiveClock
	Frame  *pages.Frame
	Login  *login.Login
	// Key signs its holder in.
	Key credential.Credential
	// People by the id of their key, or by their address and account.
	People map[string]login.Person
	// Workspaces of all accounts.
	Workspaces []string
	// Members are the accounts of the person who signs in at the issuer.
	Members []login.Membership
	// AuthFailure and FindFailure, if set, are the errors of checking a key and of finding a person.
	AuthFailure, FindFailure error
	// SignedOut has the sign-ins whose sessions have been ended. If SignOutFailure is set, none can be ended.
	SignedOut      map[string]bool
	SignOutFailure error
}

// Options change how a Site is made.
type Options struct {
	// Keys seal cookies and tickets, by the Site's clock; new ones if it is nil.
	Keys func(*clocktesting.FakePassiveClock) seal.Sealer
	// Login changes what the Login works with.
	Login func(*login.Options)
}

// New returns a Site whose key belongs to the account acme, and has all rights.
func New(tb testing.TB, o Options) *Site {
	tb.Helper()
	s := &Site{Router: router(), Clock: clocktesting.NewFakePassiveClock(Start), SignedOut: map[string]bool{}}
	s.Browser = testkit.NewBrowser(tb, s.Router)
	var err error
	if s.Key, err = credential.New(credential.APIKey, credential.DefaultCell, rand.Reader); err != nil {
		tb.Fatal(err)
	}
	s.People = map[string]login.Person{s.Key.ID: {
		ID: "api-key:" + s.Key.ID, KeyUID: "uid-of-the-key", Name: "Mara's key", Account: "acme", AccountName: "Acme Outdoors",
		Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove},
	}}
	if o.Keys == nil {
		o.Keys = func(*clocktesting.FakePassiveClock) seal.Sealer { return NewKeys(tb) }
	}
	s.Frame = pages.New(pages.Options{Keys: o.Keys(s.Clock), Clock: s.Clock, Log: logr.Discard()})
	options := login.Options{Frame: s.Frame, Authenticator: s, People: s, SignOuts: s, Home: Home, Log: logr.Discard()}
	if o.Login != nil {
		o.Login(&options)
	}
	s.Login = login.New(options)
	s.Login.Mount(s.Router)
	return s
}

func router() *gin.Engine {
	gin.SetMode(gin.ReleaseMode)
	return gin.New()
}

// NewKeys makes keys that seal cookies and tickets.
func NewKeys(tb testing.TB) seal.Keys {
	tb.Helper()
	keys, err := seal.ParseKeys([]byte(testkit.SessionKey()))
	if err != nil {
		tb.Fatal(err)
	}
	return keys
}

// Authenticate accepts the one key, and tokens as the real one does.
func (s *Site) Authenticate(_ context.Context, given string) (auth.Principal, error) {
	if s.AuthFailure != nil {
		return auth.Principal{}, s.AuthFailure
	}
	c, err := credential.Parse(given)
	if err == nil && (given == s.Key.Reveal() || c.Type == credential.AccessToken) {
		return auth.Principal{ID: c.ID, Account: "acme", Name: "x"}, nil
	}
	return auth.Principal{}, auth.ErrUnauthorized
}

// Known reports whether a credential names the one key.
func (s *Site) Known(_ context.Context, key credential.Credential) bool { return key.ID == s.Key.ID }

// Find returns who is behind a session.
func (s *Site) Find(_ context.Context, session login.Session) (login.Person, error) {
	if s.FindFailure != nil {
		return login.Person{}, s.FindFailure
	}
	id := session.KeyID
	if session.Email != "" {
		id = session.Email + session.Account
	}
	if p, ok := s.People[id]; ok && id != "" {
		p.Opens = slices.DeleteFunc(slices.Clone(s.Workspaces), func(name string) bool { return !p.Principal().Opens(name) })
		return p, nil
	}
	return login.Person{}, login.ErrSignedOut
}

// Record ends a session.
func (s *Site) Record(_ context.Context, session login.Session) error {
	if s.SignOutFailure == nil {
		s.SignedOut[session.SignIn] = true
	}
	return s.SignOutFailure
}

// Recorded reports whether a session has been ended.
func (s *Site) Recorded(_ context.Context, session login.Session) (bool, error) {
	return s.SignedOut[session.SignIn], nil
}

// Memberships returns Members.
func (s *Site) Memberships(context.Context, string, []string) ([]login.Membership, error) {
	return s.Members, nil
}

// SignIn signs in with the key.
func (s *Site) SignIn() {
	s.T.Helper()
	answer := s.Post(login.SignInPath, url.Values{"key": {s.Key.Reveal()}})
	if answer.Code != http.StatusSeeOther {
		s.T.Fatalf("signing in: %d %s", answer.Code, answer.Body)
	}
}

// SignedIn reports whether the browser holds a session.
func (s *Site) SignedIn() bool { return s.Cookies[login.CookieName] != "" }

// Session returns the session of the browser.
func (s *Site) Session() login.Session {
	s.T.Helper()
	q := httptest.NewRequestWithContext(s.T.Context(), http.MethodGet, "/", nil)
	q.AddCookie(&http.Cookie{Name: login.CookieName, Value: s.Cookies[login.CookieName]})
	session, ok := login.Sessions{Cookies: s.Frame.Cookies}.Read(q)
	if !ok {
		s.T.Fatal("there is no session")
	}
	return session
}
