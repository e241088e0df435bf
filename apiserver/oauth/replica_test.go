package oauth_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/go-logr/logr/funcr"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/test/testenv"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

const (
	redirectURI = "https://tool.example/callback?from=pressroom"
	person      = "mara@acme.example"
)

var start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// replica is the OAuth part of a facade: its endpoints, and who it lets in.
type replica struct {
	*oauth.Grants
	url           string
	handler       http.Handler
	authenticator *auth.Authenticator
	clock         *clocktesting.FakePassiveClock
	lastUsed      *oauth.LastUsed
	// logged is what the endpoints have logged for everybody.
	logged *gbytes.Buffer
}

// startCache returns a cache of its own, which has seen everything.
func startCache() cache.Cache {
	GinkgoHelper()
	c := cluster.NewCache(auth.CacheByObject())
	Expect(auth.NewLookup(c, nil, clocktesting.NewFakePassiveClock(start)).Register(context.Background(), c)).To(Succeed())
	Expect(oauth.IndexGrants(context.Background(), c)).To(Succeed())
	testenv.StartCache(c)
	return c
}

// newReplica starts a replica that reads from a cache, with changes to where it reads and writes.
func newReplica(cached client.Reader, change ...func(*oauth.Store)) *replica {
	GinkgoHelper()
	clock := clocktesting.NewFakePassiveClock(start)
	store := oauth.Store{Cache: cached, Client: api, Clock: clock}
	for _, f := range change {
		f(&store)
	}
	lookup := auth.NewLookup(cached, store.Client, clock)
	clients := oauth.NewClients(lookup)
	r := &replica{
		Grants: oauth.NewGrants(store, clients), clock: clock, lastUsed: oauth.NewLastUsed(store, GinkgoLogr), logged: gbytes.NewBuffer(),
	}
	log := funcr.New(func(_, line string) { fmt.Fprintln(io.MultiWriter(GinkgoWriter, r.logged), line) }, funcr.Options{})
	r.authenticator = &auth.Authenticator{Lookup: lookup, Clock: clock, Used: r.lastUsed.Touch}
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	oauth.NewServer(oauth.Options{Grants: r.Grants, Clock: clock, Log: log, Addresses: func() (string, string) {
		return "https://api.example.com", "https://app.example.com"
	}}).Mount(router)
	server := httptest.NewServer(router)
	DeferCleanup(server.Close)
	r.url, r.handler = server.URL, router
	return r
}

// authenticate returns what the facade says to a token.
func (r *replica) authenticate(token string) error {
	_, err := r.authenticator.Authenticate(context.Background(), token)
	return err
}

// withClient has a replica read and write by another client than the suite's.
func withClient(c client.Client) func(*oauth.Store) {
	return func(s *oauth.Store) { s.Client = c }
}

// registered is a client with its secret.
type registered struct {
	*v1alpha1.OAuthClient
	secret string
}

func newClient(change ...func(*v1alpha1.OAuthClientSpec)) registered {
	GinkgoHelper()
	spec := v1alpha1.OAuthClientSpec{
		DisplayName: "Newsletter tool", RedirectURIs: []string{redirectURI, "https://tool.example/other"},
		Type: v1alpha1.OAuthClientConfidential, Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite},
	}
	for _, f := range change {
		f(&spec)
	}
	object, secret, err := registryOf(api).Prepare("", spec)
	Expect(err).NotTo(HaveOccurred())
	Expect(registryOf(api).Store(context.Background(), object)).To(Succeed())
	return registered{object, secret}
}

func public(spec *v1alpha1.OAuthClientSpec) { spec.Type = v1alpha1.OAuthClientPublic }

// consent is what a person gave to a client.
func (a registered) consent(r *replica, challenge string) string {
	GinkgoHelper()
	code, err := r.Create(context.Background(), a.request(challenge))
	Expect(err).NotTo(HaveOccurred())
	return code
}

// members of a request to exchange a code, as they must be.
func (a registered) exchange(code string) map[string]string {
	m := map[string]string{
		"grant_type": "authorization_code", "code": code, "redirect_uri": redirectURI, "client_id": a.ClientID(),
	}
	if a.secret != "" {
		m["client_secret"] = a.secret
	}
	return m
}

// with returns a copy of members with changes, which are pairs of names and values. An empty value removes the member.
func with(members map[string]string, changes ...string) map[string]string {
	out := maps.Clone(members)
	for i := 0; i < len(changes); i += 2 {
		if changes[i+1] == "" {
			delete(out, changes[i])
		} else {
			out[changes[i]] = changes[i+1]
		}
	}
	return out
}

func post(address, contentType, body string, header ...string) testkit.Answer {
	GinkgoHelper()
	q, err := http.NewRequestWithContext(context.Background(), http.MethodPost, address, strings.NewReader(body))
	Expect(err).NotTo(HaveOccurred())
	q.Header.Set("Content-Type", contentType)
	for i := 0; i < len(header); i += 2 {
		q.Header.Add(header[i], header[i+1])
	}
	return testkit.Send(http.DefaultClient, q)
}

func (r *replica) postJSON(path string, members map[string]string) testkit.Answer {
	GinkgoHelper()
	var b bytes.Buffer
	Expect(json.NewEncoder(&b).Encode(members)).To(Succeed())
	return post(r.url+path, "application/json", b.String())
}

func (r *replica) postForm(path string, members map[string]string, header ...string) testkit.Answer {
	GinkgoHelper()
	form := url.Values{}
	for name, value := range members {
		form.Set(name, value)
	}
	return post(r.url+path, "application/x-www-form-urlencoded", form.Encode(), header...)
}

// token exchanges a code and returns the token.
func (a registered) token(r *replica, code string) string {
	GinkgoHelper()
	got := r.postJSON(oauth.TokenPath, a.exchange(code))
	Expect(got.Status).To(Equal(http.StatusOK), got.Raw)
	token, _ := got.Body["access_token"].(string)
	return token
}

// overlap is that of the rotations.
const overlap = oauth.DefaultOverlap

// registryOf returns a registry at the time at which replicas begin.
func registryOf(c client.Client) *oauth.Registry {
	return oauth.NewRegistry(c, credential.DefaultCell, clocktesting.NewFakePassiveClock(start))
}
