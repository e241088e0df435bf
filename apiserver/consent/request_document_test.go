package consent_test

import (
	"errors"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/consent"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/apiserver/oauth/clientdocument"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

const documentID = "https://agent.example:8443/client.json"

// withDocument adds a client with a document to a site, and returns the address of a request of it.
func (s *site) withDocument() string {
	s.store.clients[documentID] = &v1alpha1.OAuthClient{
		ObjectMeta: metav1.ObjectMeta{
			Name: oauth.DocumentClientName(documentID), Annotations: map[string]string{v1alpha1.ClientIDAnnotation: documentID},
		},
		Spec: v1alpha1.OAuthClientSpec{
			DisplayName: "agent.example:8443 (Your Bank)", RedirectURIs: []string{"http://127.0.0.1/cb"}, LoopbackPort: v1alpha1.LoopbackPortAny,
			Type: v1alpha1.OAuthClientPublic, Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite},
		},
	}
	return asking("client_id", documentID, "redirect_uri", "http://127.0.0.1:7000/cb", "code_challenge", challenge, "code_challenge_method", "S256")
}

func TestADocumentIsReadForSomebodyWhoIsSignedInAlone(t *testing.T) {
	site := newSite(t)
	path := site.withDocument() + resources(issuer+"/mcp")
	signIn := site.Get(path)
	if signIn.Code != http.StatusOK || len(site.store.openedFor) != 0 || !strings.Contains(testkit.Main(signIn), "agent.example:8443") {
		t.Fatalf("got %d, opened for %v: %s", signIn.Code, site.store.openedFor, testkit.Main(signIn))
	}
	got := site.Post("/oauth/sign-in", url.Values{"return": {site.Hidden(signIn, "return")}, "key": {"junk"}})
	back := got.Header().Get("Location")
	u, err := url.Parse(back)
	if err != nil || u.Path != consent.ConsentPath {
		t.Fatalf("signing in leads back to %q", back)
	}
	for name, want := range map[string]string{
		"client_id": documentID, "redirect_uri": "http://127.0.0.1:7000/cb", "code_challenge": challenge, "resource": issuer + "/mcp",
		"state": "s t&a=te%",
	} {
		if u.Query().Get(name) != want {
			t.Errorf("%s is lost: %s", name, back)
		}
	}
	site.SignIn()
	if got := site.Get(back); got.Code != http.StatusOK || len(site.store.openedFor) != 1 || !strings.HasPrefix(site.store.openedFor[0], "acme/") {
		t.Errorf("got %d, opened for %v", got.Code, site.store.openedFor)
	}
}

func TestARequestThatIsWrongReadsNoDocument(t *testing.T) {
	site := newSite(t)
	path := site.withDocument()
	for _, path := range []string{path + "&client_id=x", asking(), asking("client_id", "")} {
		site.Get(path)
	}
	site.SignIn()
	if got := site.Get(path + resources(strings.Repeat("x", 8<<10))); got.Code != http.StatusBadRequest {
		t.Errorf("a request that is too long: got %d", got.Code)
	}
	if len(site.store.openedFor) != 0 {
		t.Errorf("opened for %v", site.store.openedFor)
	}
}

func TestAnAppThatNobodyHasRegisteredIsShownByItsHost(t *testing.T) {
	site := newSite(t)
	path := site.withDocument()
	site.SignIn()
	page := html.UnescapeString(testkit.Main(site.Get(path)))
	for _, want := range []string{
		"Let <bdi>agent.example:8443</bdi> into your account?", "Nobody has registered it here", documentID, "calls itself “<bdi>Your Bank</bdi>”",
		"a program on your own computer (127.0.0.1:7000)",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q: %s", want, page)
		}
	}
	if strings.Contains(page, "registered by the operator") {
		t.Error("the page says that the operator has registered the app")
	}
	site.store.grants = []v1alpha1.OAuthGrant{{ObjectMeta: metav1.ObjectMeta{Name: "one"}, Spec: v1alpha1.OAuthGrantSpec{
		ClientRef: v1alpha1.LocalReference{Name: oauth.DocumentClientName(documentID)}, AccountRef: v1alpha1.AccountReference{Name: "acme"},
		Person: strings.TrimPrefix(site.store.openedFor[0], "acme/"),
	}}}
	if page := testkit.Main(site.Get(consent.ConnectedPath)); !strings.Contains(page, "<bdi>agent.example:8443</bdi>") || strings.Contains(page, "Bank") {
		t.Errorf("the list of apps: %s", page)
	}
}

func TestAClientWithADocumentIsGivenAccess(t *testing.T) {
	site := newSite(t)
	path := site.withDocument()
	site.SignIn()
	ticket := site.Hidden(site.Get(path), "ticket")
	form := url.Values{"ticket": {ticket}, "decision": {"approve"}, "scope": {"read"}, "reach": {"all"}}
	if got := sent(t, site.Post(consent.ConsentPath, form), "http://127.0.0.1:7000/cb"); got.Get("code") != "pr_ac_code" {
		t.Errorf("sent %v", got)
	}
	if len(site.store.created) != 1 || site.store.created[0].ClientID != documentID || site.store.created[0].Client != site.store.clients[documentID] {
		t.Errorf("created %+v", site.store.created)
	}
}

func TestAnAppWhoseDocumentCannotBeUsedIsRefusedWithoutARedirect(t *testing.T) {
	for _, tt := range []struct {
		err  error
		code int
		want string
	}{
		{clientdocument.Refused("its document has a client secret"), http.StatusBadRequest, "agent.example:8443, and its document has a client secret"},
		{oauth.ErrTooManyDocuments, http.StatusTooManyRequests, "Wait a minute"},
		{oauth.ErrSuspended, http.StatusForbidden, "turned off"},
		{oauth.ErrUnknownClient, http.StatusBadRequest, "No app"},
		{errors.New("kube-apiserver: secrets"), http.StatusServiceUnavailable, ""},
	} {
		site := newSite(t)
		path := site.withDocument()
		site.SignIn()
		site.store.down = tt.err
		got := site.Get(path)
		if got.Code != tt.code || got.Header().Get("Location") != "" || !strings.Contains(testkit.Main(got), tt.want) {
			t.Errorf("%v: got %d: %s", tt.err, got.Code, testkit.Main(got))
		}
	}
}
