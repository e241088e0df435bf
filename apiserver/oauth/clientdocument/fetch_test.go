package clientdocument_test

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/apiserver/oauth/clientdocument"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "authorities")
	if err == nil {
		err = testkit.TrustTLSServers(folder)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if err := os.RemoveAll(folder); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

// development lets a client reach the servers of tests.
var development = egress.Policy{AllowCIDRs: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}

// host serves one document. ID in its text stands for the client id.
type host struct {
	status       int
	media, text  string
	header       http.Header
	id           string
	asked        []*http.Request
	afterHeaders func(*http.Request)
}

func (h *host) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	h.asked = append(h.asked, q)
	maps.Copy(w.Header(), h.header)
	w.Header().Set("Content-Type", h.media)
	w.WriteHeader(h.status)
	if h.afterHeaders != nil {
		if err := http.NewResponseController(w).Flush(); err != nil {
			return
		}
		h.afterHeaders(q)
	}
	_, _ = io.WriteString(w, strings.ReplaceAll(h.text, "ID", h.id))
}

// serve starts a host of a document that is right but for a change, and returns its client id.
func serve(t *testing.T, change func(*host)) (*host, string) {
	t.Helper()
	h := &host{status: http.StatusOK, media: "application/json", text: `{"client_id": "ID", "client_name": "Agent", "redirect_uris": ["http://127.0.0.1/cb"]}`}
	change(h)
	server := httptest.NewTLSServer(h)
	t.Cleanup(server.Close)
	h.id = server.URL + "/client.json"
	return h, h.id
}

func TestADocumentIsRead(t *testing.T) {
	h, id := serve(t, func(h *host) {
		h.media = "application/json; charset=utf-8"
		h.text = `{"client_id": "ID", "client_name": "Agent", "redirect_uris": ["https://a.example/cb", "http://localhost/cb"],
			"client_uri": "https://a.example/", "policy_uri": "https://a.example/p", "tos_uri": "https://a.example/t", "token_endpoint_auth_method": "none",
			"grant_types": ["authorization_code", "refresh_token"], "response_types": ["code"], "logo_uri": 7, "scope": "read", "x": {"y": [1]}}`
	})
	got, err := clientdocument.Fetch(t.Context(), egress.NewClient(development, 0), id)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.RedirectURIs, []string{"https://a.example/cb", "http://localhost/cb"}) || got.Name != "Agent" ||
		got.Home != "https://a.example/" || got.Policy != "https://a.example/p" || got.Terms != "https://a.example/t" {
		t.Errorf("got %+v", got)
	}
	if len(h.asked) != 1 || h.asked[0].Header.Get("Accept") != "application/json" || h.asked[0].Header.Get("Cookie") != "" {
		t.Errorf("asked %v", h.asked)
	}
}

func TestHostileDocumentsAreRefused(t *testing.T) {
	document := func(members string) func(*host) {
		return func(h *host) {
			h.text = `{"client_id": "ID", "redirect_uris": ["https://a.example/cb"], ` + members + `}`
		}
	}
	for _, tt := range []struct {
		name   string
		change func(*host)
		want   string
		final  bool
	}{
		{"another client", func(h *host) { h.text = `{"client_id": "https://bank.example/client.json"}` }, "another client_id", true},
		{"another spelling", func(h *host) { h.text = `{"client_id": "ID/"}` }, "another client_id", true},
		{"no client", func(h *host) { h.text = `{}` }, "another client_id", true},
		{"two clients", func(h *host) { h.text = `{"client_id": "ID", "client_id": "ID"}` }, "not a JSON object", true},
		{"a secret", document(`"client_secret": "x"`), "a client secret", true},
		{"a secret that is null", document(`"client_secret": null`), "a client secret", true},
		{"the end of a secret", document(`"client_secret_expires_at": 0`), "a client secret", true},
		{"client_secret_basic", document(`"token_endpoint_auth_method": "client_secret_basic"`), "token_endpoint_auth_method", true},
		{"client_secret_post", document(`"token_endpoint_auth_method": "client_secret_post"`), "token_endpoint_auth_method", true},
		{"client_secret_jwt", document(`"token_endpoint_auth_method": "client_secret_jwt"`), "token_endpoint_auth_method", true},
		{"private_key_jwt", document(`"token_endpoint_auth_method": "private_key_jwt"`), "token_endpoint_auth_method", true},
		{"no method", document(`"token_endpoint_auth_method": ""`), "token_endpoint_auth_method", true},
		{"another grant", document(`"grant_types": ["client_credentials"]`), "grant_types", true},
		{"another response", document(`"response_types": ["token"]`), "response_types", true},
		{"redirect URIs of another type", func(h *host) { h.text = `{"client_id": "ID", "redirect_uris": "https://a.example"}` }, "not a JSON object", true},
		{"a list", func(h *host) { h.text = `["ID"]` }, "not a JSON object", true},
		{"no JSON", func(h *host) { h.text = `<html>` }, "not a JSON object", true},
		{"nothing", func(h *host) { h.text = `` }, "not a JSON object", true},
		{"no UTF-8", document("\"client_name\": \"\xff\""), "not a JSON object", true},
		{"404", func(h *host) { h.status = http.StatusNotFound }, "no such document", true},
		{"410", func(h *host) { h.status = http.StatusGone }, "no such document", true},
		{"500", func(h *host) { h.status = http.StatusInternalServerError }, "answers 500", false},
		{"201", func(h *host) { h.status = http.StatusCreated }, "answers 201", false},
		{"a redirect", func(h *host) { h.status, h.header = http.StatusFound, http.Header{"Location": {"/client.json"}} }, "answers 302", false},
		{"a redirect that keeps the method", func(h *host) {
			h.status, h.header = http.StatusPermanentRedirect, http.Header{"Location": {"https://127.0.0.1/"}}
		}, "answers 308", false},
		{"another type", func(h *host) { h.media = "text/html" }, "not application/json", false},
		{"a type that begins so", func(h *host) { h.media = "application/jsonp" }, "not application/json", false},
		{"no type", func(h *host) { h.media = "" }, "not application/json", false},
		{"9 KB", document(`"x": "` + strings.Repeat("x", 9<<10) + `"`), "more than 8 KiB", false},
		{"no end", func(h *host) { h.text = `{"x": "` + strings.Repeat("x", 4<<20) }, "more than 8 KiB", false},
		{"a body that breaks off", func(h *host) { h.header = http.Header{"Content-Length": {"5000"}} }, "cannot be read", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h, id := serve(t, tt.change)
			got, err := clientdocument.Fetch(t.Context(), egress.NewClient(development, 0), id)
			refused, ok := errors.AsType[*clientdocument.Error](err)
			if !ok || !strings.Contains(err.Error(), tt.want) || refused.Final != tt.final {
				t.Errorf("got %+v, %v", got, err)
			}
			if len(h.asked) != 1 {
				t.Errorf("it was asked %d times", len(h.asked))
			}
			if ok && strings.Contains(err.Error(), "127.0.0.1") {
				t.Errorf("the error shows an address: %v", err)
			}
		})
	}
}

func TestAHostThatIsSlowIsGivenUp(t *testing.T) {
	_, id := serve(t, func(h *host) { h.afterHeaders = func(q *http.Request) { <-q.Context().Done() } })
	_, err := clientdocument.Fetch(t.Context(), egress.NewClient(development, time.Millisecond*300), id)
	if refused, ok := errors.AsType[*clientdocument.Error](err); !ok || refused.Final || !strings.Contains(err.Error(), "no answer in time") {
		t.Errorf("got %v", err)
	}
	if err != nil && strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("a host that is only slow: %v", err)
	}
}

func TestNothingIsAskedAtAPrivateAddress(t *testing.T) {
	h, id := serve(t, func(*host) {})
	for _, id := range []string{
		id, strings.Replace(id, "127.0.0.1", "localhost", 1), "https://10.0.0.1/a", "https://169.254.169.254/latest/meta-data",
		"https://[::1]/a", "https://[::ffff:127.0.0.1]/a", "https://2130706433/a", "https://0x7f.1/a", "https://kubernetes.default.svc/a",
		"https://api/a", "https://pressroom.local/a",
	} {
		_, err := clientdocument.Fetch(t.Context(), egress.NewClient(egress.Policy{}, 0), id)
		if refused, ok := errors.AsType[*clientdocument.Error](err); !ok || !refused.Final || !strings.Contains(err.Error(), "blocked") {
			t.Errorf("%s: got %v", id, err)
		}
	}
	if len(h.asked) != 0 {
		t.Errorf("asked %v", h.asked)
	}
}

func TestOnlyAURLOfADocumentIsAsked(t *testing.T) {
	h, id := serve(t, func(*host) {})
	for _, id := range []string{strings.Replace(id, "https:", "http:", 1), id + "?x", id + "#x", strings.Replace(id, "//", "//a@", 1)} {
		if got, err := clientdocument.Fetch(t.Context(), egress.NewClient(development, 0), id); err == nil {
			t.Errorf("%s: got %+v", id, got)
		}
	}
	if len(h.asked) != 0 {
		t.Errorf("asked %v", h.asked)
	}
}
