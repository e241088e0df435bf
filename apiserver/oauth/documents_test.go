package oauth_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/apiserver/oauth/clientdocument"
	"github.com/pressroom-dev/pressroom/internal/egress"
)

// agent is a client with a document on a host of its own.
type agent struct {
	id string

	mu sync.Mutex
	// status and members are what the host answers; ID in members stands for the client id.
	status  int
	members string
	asked   int
	// held, if it is not nil, holds answers back until it is closed.
	held chan struct{}
}

const agentMembers = `"client_name": "Agent", "client_uri": "https://elsewhere.example/", "scope": "approve", "redirect_uris": ["http://localhost/cb",
	"http://127.0.0.1/cb", "https://agent.example/cb", "https://agent.example/cb#x", "javascript:alert(1)", "agent://cb", "https://a@agent.example/cb"]`

func newAgent() *agent {
	GinkgoHelper()
	a := &agent{status: http.StatusOK, members: agentMembers}
	server := httptest.NewTLSServer(a)
	DeferCleanup(server.Close)
	a.id = server.URL + "/client.json"
	return a
}

func (a *agent) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	a.mu.Lock()
	a.asked++
	status, members, held := a.status, a.members, a.held
	a.mu.Unlock()
	if held != nil {
		<-held
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, `{"client_id": "https://`+q.Host+q.URL.Path+`", `+members+`}`)
}

// answers changes what the host answers.
func (a *agent) answers(status int, members string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.status, a.members = status, members
}

func (a *agent) timesAsked() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.asked
}

// open has the client of the agent opened by a replica for a person.
func (a *agent) open(r *replica) (*v1alpha1.OAuthClient, error) {
	return r.Clients.Open(context.Background(), a.id, "acme", person)
}

func (a *agent) opened(r *replica) *v1alpha1.OAuthClient {
	GinkgoHelper()
	found, err := a.open(r)
	Expect(err).NotTo(HaveOccurred())
	return found
}

// consent is what a person gives to an agent.
func (a *agent) consent(found *v1alpha1.OAuthClient, challenge string) oauth.GrantRequest {
	return oauth.GrantRequest{ClientID: a.id, Client: found, OAuthGrantSpec: v1alpha1.OAuthGrantSpec{
		AccountRef: v1alpha1.AccountReference{Name: "acme"}, Workspaces: []string{"acme-blog"}, Person: person,
		Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead}, RedirectURI: "http://127.0.0.1:7000/cb", CodeChallenge: challenge,
	}}
}

// comes lets an agent in, which stores its client.
func (a *agent) comes(r *replica) *v1alpha1.OAuthClient {
	GinkgoHelper()
	_, challenge := proof()
	_, err := r.Create(context.Background(), a.consent(a.opened(r), challenge))
	Expect(err).NotTo(HaveOccurred())
	return a.stored()
}

func (a *agent) key() client.ObjectKey { return client.ObjectKey{Name: oauth.DocumentClientName(a.id)} }

func (a *agent) stored() *v1alpha1.OAuthClient {
	GinkgoHelper()
	stored := &v1alpha1.OAuthClient{}
	Expect(api.Get(context.Background(), a.key(), stored)).To(Succeed())
	return stored
}

// change changes the client of an agent, as a person does with kubectl.
func (a *agent) change(f func(*v1alpha1.OAuthClient)) {
	GinkgoHelper()
	stored := a.stored()
	before := stored.DeepCopy()
	f(stored)
	Expect(api.Patch(context.Background(), stored, client.MergeFrom(before))).To(Succeed())
}

// newReading starts a replica that reads documents, on this machine too.
func newReading(change ...func(*oauth.Store)) *replica {
	GinkgoHelper()
	store := oauth.Store{Cache: uncached(), Client: api}
	for _, f := range change {
		f(&store)
	}
	r := newReplica(store.Cache, func(s *oauth.Store) { s.Client, s.Limits = store.Client, store.Limits })
	store.Clock = r.clock
	policy := egress.Policy{AllowCIDRs: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	r.Clients.Documents = oauth.NewDocuments(store, egress.NewClient(policy, clientdocument.Timeout), GinkgoLogr)
	return r
}

func TestOnlyAClientWithoutAnAccountHasAURLAsItsID(t *testing.T) {
	const url = "https://agent.example/client.json"
	for _, tt := range []struct {
		name, object string
		account      *v1alpha1.AccountReference
		want         string
	}{
		{name: "a client of a document", object: oauth.DocumentClientName(url), want: url},
		{name: "one of an account", object: "document-a", account: &v1alpha1.AccountReference{Name: "acme"}, want: "pr_ci_document-a"},
		{name: "one of another name", object: "newsletter", want: "pr_ci_newsletter"},
	} {
		c := &v1alpha1.OAuthClient{ObjectMeta: metav1.ObjectMeta{Name: tt.object, Annotations: map[string]string{v1alpha1.ClientIDAnnotation: url}}}
		c.Spec.AccountRef = tt.account
		if got := c.ClientID(); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

var _ = Describe("A client with a metadata document", func() {
	ctx := context.Background()

	It("is a public client, once somebody has let it in, which gets a token and loses it when it is suspended", func() {
		a, one, other := newAgent(), newReading(), newReading()
		found := a.opened(one)
		Expect(found.UID).To(BeEmpty())
		Expect(api.Get(ctx, a.key(), &v1alpha1.OAuthClient{})).NotTo(Succeed(), "to look at it stores nothing")
		verifier, challenge := proof()
		code, err := one.Create(ctx, a.consent(found, challenge))
		Expect(err).NotTo(HaveOccurred())

		stored := a.stored()
		Expect(stored.ClientID()).To(Equal(a.id))
		Expect(stored.Annotations).To(And(HaveKeyWithValue("pressroom.dev/client-id", a.id),
			HaveKeyWithValue("pressroom.dev/client-read-at", start.Format(time.RFC3339))))
		Expect(stored.Spec).To(Equal(v1alpha1.OAuthClientSpec{
			DisplayName: clientdocument.Host(a.id) + " (Agent)", RedirectURIs: []string{"http://127.0.0.1/cb", "https://agent.example/cb"},
			LoopbackPort: v1alpha1.LoopbackPortAny, Type: v1alpha1.OAuthClientPublic,
			Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite},
		}))

		exchange := map[string]string{
			"grant_type": "authorization_code", "code": code, "redirect_uri": "http://127.0.0.1:7000/cb", "client_id": a.id, "code_verifier": verifier,
			"resource": base + "/mcp",
		}
		expectRefused(other.postForm(oauth.TokenPath, with(exchange, "code_verifier", "")), http.StatusBadRequest, "invalid_grant")
		expectRefused(other.postForm(oauth.TokenPath, with(exchange, "client_secret", "x")), http.StatusUnauthorized, "invalid_client")
		expectRefused(other.postForm(oauth.TokenPath, with(exchange, "client_id", "pr_ci_"+stored.Name)), http.StatusUnauthorized, "invalid_client")
		got := other.postForm(oauth.TokenPath, exchange)
		Expect(got.Status).To(Equal(http.StatusOK), got.Raw)
		token, _ := got.Body["access_token"].(string)
		Expect(other.authenticate(token)).To(Succeed())
		Expect(a.timesAsked()).To(Equal(1))

		a.change(func(c *v1alpha1.OAuthClient) { c.Spec.Suspend = true })
		Expect(other.authenticate(token)).NotTo(Succeed())
		for _, r := range []*replica{one, other} {
			r.clock.SetTime(start.Add(48 * time.Hour))
			_, err := a.open(r)
			Expect(err).To(MatchError(oauth.ErrSuspended))
		}
		expectRefused(one.postForm(oauth.TokenPath, exchange), http.StatusUnauthorized, "invalid_client")
		Expect(a.timesAsked()).To(Equal(1), "the document of a suspended client is not read")
	})

	It("is refused if its document has no redirect URI that a registered client may have, or too many", func() {
		many := make([]string, 21)
		for i := range many {
			many[i] = fmt.Sprintf(`"https://agent.example/%d"`, i)
		}
		for uris, want := range map[string]string{
			`"http://localhost/cb"`: "no redirect URI", `"javascript:alert(1)"`: "no redirect URI", `"http://agent.example/cb"`: "no redirect URI",
			`"https://agent.example/cb#x"`: "no redirect URI", `"https://a@agent.example/cb"`: "no redirect URI", ``: "no redirect URI",
			`"http://127.0.0.1.evil.example/cb"`: "no redirect URI", strings.Join(many, ","): "more than 20",
		} {
			a := newAgent()
			a.answers(http.StatusOK, `"redirect_uris": [`+uris+`]`)
			_, err := a.open(newReading())
			Expect(err).To(MatchError(ContainSubstring(want)), uris)
		}
	})

	It("is shown by the host of its document, with pages of that host alone", func() {
		a := newAgent()
		host := "https://" + clientdocument.Host(a.id)
		a.answers(http.StatusOK, `"client_name": "`+strings.Repeat("\u00e9", 300)+`", "redirect_uris": ["http://127.0.0.1/cb"],
			"client_uri": "`+host+`/about", "policy_uri": "`+host+`.evil.example/", "tos_uri": "http://agent.example/"`)
		spec := a.comes(newReading()).Spec
		Expect(spec.DisplayName).To(HavePrefix(clientdocument.Host(a.id) + " (\u00e9"))
		Expect([]rune(spec.DisplayName)).To(HaveLen(200))
		Expect([]string{spec.HomeURL, spec.PolicyURL, spec.TermsURL}).To(Equal([]string{host + "/about", "", ""}))
	})

	It("comes on two replicas at once", func() {
		a, replicas := newAgent(), []*replica{newReading(), newReading()}
		codes := make([]string, len(replicas))
		var found []*v1alpha1.OAuthClient
		for _, r := range replicas {
			found = append(found, a.opened(r))
		}
		_, challenge := proof()
		for i, r := range replicas {
			var err error
			codes[i], err = r.Create(ctx, a.consent(found[i], challenge))
			Expect(err).NotTo(HaveOccurred())
		}
		uid := a.stored().UID
		for _, code := range codes {
			Expect(grantNow(code).OwnerReferences).To(ConsistOf(HaveField("UID", uid)))
		}
	})

	It("is not given access if it was suspended while the page was open", func() {
		a, one, other := newAgent(), newReading(), newReading()
		found := a.opened(one)
		a.comes(other)
		a.change(func(c *v1alpha1.OAuthClient) { c.Spec.Suspend = true })
		_, challenge := proof()
		_, err := one.Create(ctx, a.consent(found, challenge))
		Expect(err).To(MatchError(oauth.ErrSuspended))
	})

	It("is read once for all that ask at the same time", func() {
		a, r := newAgent(), newReading()
		a.held = make(chan struct{})
		var all sync.WaitGroup
		var failed atomic.Int32
		for range 4 {
			all.Go(func() {
				if _, err := a.open(r); err != nil {
					failed.Add(1)
				}
			})
		}
		Eventually(a.timesAsked).Should(Equal(1))
		close(a.held)
		all.Wait()
		Expect(failed.Load()).To(BeZero())
		a.opened(r)
		Expect(a.timesAsked()).To(Equal(1))
	})

	It("is not asked again at once if its document cannot be used", func() {
		a, r := newAgent(), newReading()
		a.answers(http.StatusInternalServerError, agentMembers)
		for range 3 {
			_, err := a.open(r)
			Expect(err).To(MatchError(ContainSubstring("answers 500")))
		}
		Expect(a.timesAsked()).To(Equal(1))
		a.answers(http.StatusOK, agentMembers)
		r.clock.SetTime(start.Add(31 * time.Second))
		a.opened(r)
		Expect(a.timesAsked()).To(Equal(2))
	})

	It("is one of few that a person has read", func() {
		r := newReading()
		for range 5 {
			newAgent().opened(r)
		}
		a := newAgent()
		_, err := a.open(r)
		Expect(err).To(MatchError(oauth.ErrTooManyDocuments))
		Expect(a.timesAsked()).To(BeZero())
		_, err = r.Clients.Open(ctx, a.id, "acme", "jo@acme.example")
		Expect(err).NotTo(HaveOccurred(), "another person has a share of their own")
		b := newAgent()
		r.clock.SetTime(start.Add(12 * time.Second))
		b.opened(r)
	})

	It("is one of few that the people of an account have read", func() {
		r := newReading()
		read := func(account, person string) error {
			_, err := r.Clients.Open(ctx, newAgent().id, account, person)
			return err
		}
		for i := range 20 {
			Expect(read("acme", strconv.Itoa(i))).To(Succeed())
		}
		Expect(read("acme", "another")).To(MatchError(oauth.ErrTooManyDocuments))
		Expect(read("other", "another")).To(Succeed())
	})

	It("is described by its document again after a day, and keeps what people have decided", func() {
		a, r := newAgent(), newReading()
		a.comes(r)
		a.change(func(c *v1alpha1.OAuthClient) { c.Spec.Scopes = []v1alpha1.Scope{v1alpha1.ScopeRead} })
		a.answers(http.StatusOK, `"client_name": "Other", "redirect_uris": ["https://agent.example/new"]`)
		r.clock.SetTime(start.Add(23 * time.Hour))
		Expect(a.opened(r).Spec.RedirectURIs).To(HaveLen(2))
		Expect(a.timesAsked()).To(Equal(1))
		r.clock.SetTime(start.Add(24 * time.Hour))
		changed := a.opened(r)
		Expect(changed.Spec.RedirectURIs).To(Equal([]string{"https://agent.example/new"}))
		Expect(changed.Spec.DisplayName).To(HaveSuffix("(Other)"))
		Expect(changed.Spec.Scopes).To(Equal([]v1alpha1.Scope{v1alpha1.ScopeRead}))
		Expect(a.stored().Spec).To(Equal(changed.Spec))
		a.opened(r)
		Expect(a.timesAsked()).To(Equal(2))
	})

	It("is described by a stale document for 7 days if its host does not answer, and not at all if that has withdrawn it", func() {
		a, b, r := newAgent(), newAgent(), newReading()
		a.comes(r)
		b.comes(r)
		a.answers(http.StatusInternalServerError, agentMembers)
		r.clock.SetTime(start.Add(7*24*time.Hour - time.Minute))
		Expect(a.opened(r).UID).NotTo(BeEmpty())
		Expect(a.timesAsked()).To(Equal(2))
		b.answers(http.StatusNotFound, agentMembers)
		_, err := b.open(r)
		Expect(err).To(MatchError(ContainSubstring("no such document")))
		r.clock.SetTime(start.Add(7 * 24 * time.Hour))
		_, err = a.open(r)
		Expect(err).To(MatchError(ContainSubstring("answers 500")))
		c := newAgent()
		r.clock.SetTime(start.Add(8 * 24 * time.Hour))
		c.comes(r)
		c.answers(http.StatusOK, `"client_secret": "x", `+agentMembers)
		r.clock.SetTime(start.Add(9*24*time.Hour + time.Minute))
		_, err = c.open(r)
		Expect(err).To(MatchError(ContainSubstring("a client secret")))
	})

	It("comes again after it was deleted by a new consent alone", func() {
		a, r := newAgent(), newReading()
		stored := a.comes(r)
		Expect(api.Delete(ctx, stored)).To(Succeed())
		Expect(a.opened(r).UID).To(BeEmpty())
		_, err := r.Clients.Get(ctx, a.id)
		Expect(err).To(MatchError(oauth.ErrUnknownClient))
		Expect(api.Get(ctx, a.key(), &v1alpha1.OAuthClient{})).NotTo(Succeed())
		Expect(a.comes(r).UID).NotTo(Equal(stored.UID))
	})

	It("is not the client that somebody has put in its place", func() {
		for _, change := range []func(*v1alpha1.OAuthClient){
			func(c *v1alpha1.OAuthClient) { c.Annotations = nil },
			func(c *v1alpha1.OAuthClient) { c.Annotations[v1alpha1.ClientIDAnnotation] += "x" },
		} {
			a, r := newAgent(), newReading()
			other := &v1alpha1.OAuthClient{
				ObjectMeta: metav1.ObjectMeta{Name: a.key().Name, Annotations: map[string]string{v1alpha1.ClientIDAnnotation: a.id}},
				Spec: v1alpha1.OAuthClientSpec{
					DisplayName: "Agent", RedirectURIs: []string{"https://evil.example/cb"}, Type: v1alpha1.OAuthClientPublic,
					Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead},
				},
			}
			change(other)
			Expect(api.Create(ctx, other)).To(Succeed())
			_, err := a.open(r)
			Expect(err).To(MatchError(oauth.ErrUnknownClient))
			_, err = r.Clients.Get(ctx, a.id)
			Expect(err).To(MatchError(oauth.ErrUnknownClient))
			Expect(a.timesAsked()).To(BeZero())
		}
	})

	It("counts against the apps of each account that lets it in", func() {
		r := newReading(func(s *oauth.Store) {
			s.Limits = func(context.Context, string) (v1alpha1.AccountLimits, error) {
				return v1alpha1.AccountLimits{OAuthClients: new(int32(1))}, nil
			}
		})
		account := newAccount("thrifty")
		Expect(api.Create(ctx, account)).To(Succeed())
		let := func(a *agent) error {
			_, challenge := proof()
			request := a.consent(a.opened(r), challenge)
			request.AccountRef.Name = "thrifty"
			_, err := r.Create(ctx, request)
			return err
		}
		a, b := newAgent(), newAgent()
		Expect(let(a)).To(Succeed())
		Expect(let(a)).To(Succeed(), "the same again")
		Expect(let(b)).To(MatchError(oauth.ErrTooManyApps))
		Expect(api.Get(ctx, b.key(), &v1alpha1.OAuthClient{})).NotTo(Succeed(), "it is not stored")
		registered := newClient().request("")
		registered.AccountRef.Name = "thrifty"
		_, err := r.Create(ctx, registered)
		Expect(err).NotTo(HaveOccurred(), "a registered client does not count")
	})

	It("is unknown to the endpoints until somebody has let it in, and its document is not read for them", func() {
		a, r := newAgent(), newReading()
		expectRefused(r.postForm(oauth.TokenPath, map[string]string{"grant_type": "authorization_code", "code": "x", "client_id": a.id}),
			http.StatusUnauthorized, "invalid_client")
		Expect(a.timesAsked()).To(BeZero())
	})

	It("is unknown where documents are not read, which the metadata of the server says", func() {
		a, with, without := newAgent(), newReading(), newReplica(uncached())
		a.comes(with)
		_, err := a.open(without)
		Expect(err).To(MatchError(oauth.ErrUnknownClient))
		_, err = without.Clients.Get(ctx, a.id)
		Expect(err).To(MatchError(oauth.ErrUnknownClient))
		Expect(document(with, oauth.ServerPath).Body).To(HaveKeyWithValue("client_id_metadata_document_supported", true))
		Expect(document(without, oauth.ServerPath).Body).NotTo(HaveKey("client_id_metadata_document_supported"))
	})
})
