package webhook_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"reflect"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/webhook"
)

var secret = []byte("a long random string chosen by the customer")

// client reaches loopback, where the tests' receivers are, beside public addresses.
func client() *http.Client {
	return egress.NewClient(egress.Policy{AllowCIDRs: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}, 0)
}

// hook is a Site's webhook.
type hook struct {
	URL    string
	Secret []byte
	Format v1alpha1.PayloadFormat
}

// publisher publishes to a Site.
type publisher struct{ target publish.Target }

func (p publisher) Publish(ctx context.Context, a publish.Article) publish.Outcome {
	return webhook.Connector{}.Publish(ctx, p.target, a)
}

func publisherFor(client *http.Client, clock clock.Clock, h hook) publisher {
	ref := v1alpha1.SecretKeyReference{Name: "webhook", Key: "secret"}
	site := &v1alpha1.Site{
		ObjectMeta: metav1.ObjectMeta{Namespace: "acme-blog", Name: "0198f0a1-b2c3-7d4e-8f5a-6b7c8d9e0f1a"},
		Spec: v1alpha1.SiteSpec{Domain: "acme.example", CMS: v1alpha1.SiteCMS{
			Type:     v1alpha1.CMSHeadless,
			Headless: &v1alpha1.HeadlessConnection{URL: h.URL, SigningSecretRef: ref, PayloadFormat: h.Format},
		}},
	}
	return publisher{publish.Target{Site: site, Secrets: publish.Secrets{ref: h.Secret}, HTTP: client, Clock: clock}}
}

func publisherTo(url string) publisher {
	return publisherFor(client(), clock.RealClock{}, hook{URL: url, Secret: secret, Format: v1alpha1.PayloadJSON})
}

// receiver does what is asked of receivers (docs/reference/contract.md, Publish webhook), without this package's code.
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
	for _, f := range []v1alpha1.PayloadFormat{v1alpha1.PayloadJSON, v1alpha1.PayloadMarkdown, v1alpha1.PayloadHTML} {
		rc := &receiver{secret: secret, posts: map[string]map[string]any{}}
		s := httptest.NewServer(rc)
		p := publisherFor(client(), clock.RealClock{}, hook{URL: s.URL, Secret: secret, Format: f})
		for range 2 { // a retry of what was received
			o := p.Publish(t.Context(), full)
			if o.Outcome != v1alpha1.AttemptAccepted || o.HTTPStatus != 201 || o.ID != "post-1" || o.URL != "https://acme.example/trail-shoes" || o.Message != "" {
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
	want := publish.Outcome{AttemptResult: v1alpha1.AttemptResult{
		Outcome: v1alpha1.AttemptRejected, ErrorClass: v1alpha1.ErrorClient, HTTPStatus: 401, Message: "the receiver answered 401 Unauthorized",
		Milliseconds: o.Milliseconds,
	}}
	if !reflect.DeepEqual(o, want) || len(rc.posts) > 0 {
		t.Errorf("outcome is %+v, want %+v", o, want)
	}
}
