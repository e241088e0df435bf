package webhook_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/webhook"
)

var secret = []byte("a long random string chosen by the customer")

// client reaches loopback, where the tests' receivers are, beside public addresses.
func client() *http.Client {
	return egress.NewClient(egress.Policy{AllowCIDRs: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}, 0)
}

func publisherTo(url string) publish.Publisher {
	return webhook.New(client(), clock.RealClock{}, webhook.Target{URL: url, Secret: secret, Format: webhook.JSON})
}

// receiver does what the contract tells receivers to do (sections 5 and 6), in its words and without this package's code.
type receiver struct {
	secret []byte
	posts  map[string]map[string]any // by slug
}

func (rc *receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body) // the raw bytes before parsing
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	mac := hmac.New(sha256.New, rc.secret)
	mac.Write(raw)
	if !hmac.Equal([]byte(hex.EncodeToString(mac.Sum(nil))), []byte(r.Header.Get("X-SERVICE-Signature"))) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if r.Header.Get("X-SERVICE-Event") != "post.publish" {
		return // ignore, and answer 2xx
	}
	var post map[string]any
	if err := json.Unmarshal(raw, &post); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	slug, _ := post["slug"].(string)
	rc.posts[slug] = post // upsert by slug
	w.WriteHeader(http.StatusCreated)
	_ = json.NewEncoder(w).Encode(map[string]string{"id": "post-1", "url": "https://acme.example/" + slug})
}

func TestAReceiverByTheContractAcceptsTheArticle(t *testing.T) {
	for _, f := range []webhook.Format{webhook.JSON, webhook.Markdown, webhook.HTML} {
		rc := &receiver{secret: secret, posts: map[string]map[string]any{}}
		s := httptest.NewServer(rc)
		p := webhook.New(client(), clock.RealClock{}, webhook.Target{URL: s.URL, Secret: secret, Format: f})
		for range 2 { // a retry of what was received
			o := p.Publish(t.Context(), full)
			if o.Kind != publish.Accepted || o.HTTPStatus != 201 || o.ID != "post-1" || o.URL != "https://acme.example/trail-shoes" || o.Message != "" {
				t.Errorf("%s: outcome is %+v, want it accepted with id and url", f, o)
			}
		}
		s.Close()
		if post := rc.posts["trail-shoes"]; len(rc.posts) != 1 || post["title"] != full.Title || post["excerpt"] != full.MetaDescription {
			t.Errorf("%s: the receiver has %v, want the one article", f, rc.posts)
		}
	}
}

func TestAReceiverWithAnotherSecretRejects(t *testing.T) {
	rc := &receiver{secret: []byte("rotated"), posts: map[string]map[string]any{}}
	s := httptest.NewServer(rc)
	defer s.Close()
	o := publisherTo(s.URL).Publish(t.Context(), full)
	want := publish.Outcome{
		Kind: publish.Rejected, Class: publish.ClassClientError, HTTPStatus: 401, Message: "the receiver answered 401 Unauthorized", Duration: o.Duration,
	}
	if o != want || len(rc.posts) > 0 {
		t.Errorf("outcome is %+v, want %+v", o, want)
	}
}
