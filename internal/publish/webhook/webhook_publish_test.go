package webhook_test

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish/webhook"
)

// roundTrip is a transport that is a function.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestTheRequestIsTheContracts(t *testing.T) {
	wantBody, err := webhook.Payload(v1alpha1.PayloadJSON, full)
	if err != nil {
		t.Fatal(err)
	}
	// The keys of the map are what is sent: Go changes the spelling of those alone that are set by its methods.
	want := map[string]string{
		"Content-Type": "application/json", "X-SERVICE-Event": "post.publish", "X-SERVICE-Signature": webhook.Sign(secret, wantBody),
	}
	c := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		body, err := io.ReadAll(r.Body)
		if err != nil || !bytes.Equal(body, wantBody) {
			t.Errorf("the body is %s, %v, want %s", body, err, wantBody)
		}
		if r.Method != http.MethodPost || r.URL.String() != "https://acme.example/hook?site=1" {
			t.Errorf("the request is %s %s", r.Method, r.URL)
		}
		for name, value := range want {
			if !slices.Equal(r.Header[name], []string{value}) {
				t.Errorf("%s is %q, want %q", name, r.Header[name], value)
			}
		}
		if len(r.Header) != len(want)+1 || len(r.Header["User-Agent"]) != 1 {
			t.Errorf("the headers are %q", slices.Sorted(maps.Keys(r.Header)))
		}
		return &http.Response{StatusCode: http.StatusNoContent, Body: http.NoBody}, nil
	})}
	p := publisherFor(c, clock.RealClock{}, hook{URL: "https://acme.example/hook?site=1", Secret: secret, Format: v1alpha1.PayloadJSON})
	if o := p.Publish(t.Context(), full); o.Outcome != v1alpha1.AttemptAccepted {
		t.Errorf("outcome is %+v, want it accepted", o)
	}
}

func TestNothingIsSentWithoutASecretOrAFormat(t *testing.T) {
	for name, tt := range map[string]struct {
		target    hook
		wantFinal bool
	}{
		"secret": {hook{Format: v1alpha1.PayloadJSON}, false},
		"format": {hook{Secret: secret, Format: "XML"}, true},
	} {
		var reached atomic.Bool
		s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Store(true) }))
		tt.target.URL = s.URL
		o := publisherFor(client(), clock.RealClock{}, tt.target).Publish(t.Context(), full)
		s.Close()
		if o.Outcome != v1alpha1.AttemptNotSent || o.ErrorClass != v1alpha1.ErrorNotSent || o.Final != tt.wantFinal || !strings.HasPrefix(o.Message, "nothing was sent") || reached.Load() {
			t.Errorf("without %s: outcome is %+v, received: %t, want nothing sent", name, o, reached.Load())
		}
	}
}
