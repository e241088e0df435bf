package eventhook_test

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish/eventhook"
)

func TestSignaturesAreThoseOfOtherImplementations(t *testing.T) {
	data, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct {
		Secret    string `json:"secret"`
		ID        string `json:"id"`
		Body      string `json:"body"`
		Signature string `json:"signature"`
		Seconds   int64  `json:"seconds"`
	}
	if err := json.Unmarshal(data, &vectors); err != nil {
		t.Fatal(err)
	}
	for _, v := range vectors {
		key, err := eventhook.ParseSecret(v.Secret)
		if err != nil {
			t.Fatal(err)
		}
		if got := eventhook.Sign([][]byte{key}, v.ID, time.Unix(v.Seconds, 0), []byte(v.Body)); got != v.Signature {
			t.Errorf("signature of %q = %s, want %s", v.Body, got, v.Signature)
		}
		receiver, err := standardwebhooks.NewWebhook(v.Secret)
		if err != nil {
			t.Fatal(err)
		}
		header := http.Header{}
		header.Set("webhook-id", v.ID)
		header.Set("webhook-timestamp", strconv.FormatInt(v.Seconds, 10))
		header.Set("webhook-signature", v.Signature)
		if err := receiver.VerifyIgnoringTimestamp([]byte(v.Body), header); err != nil {
			t.Errorf("the Standard Webhooks library refuses a golden vector: %v", err)
		}
	}
	if len(vectors) < 9 {
		t.Errorf("there are only %d golden vectors", len(vectors))
	}
}

func TestWhatIsSentPassesTheStandardWebhooksLibrary(t *testing.T) {
	var secrets []string
	var keys [][]byte
	for range 2 {
		secret, err := eventhook.NewSecret(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		key, err := eventhook.ParseSecret(secret)
		if err != nil {
			t.Fatal(err)
		}
		secrets, keys = append(secrets, secret), append(keys, key)
	}
	event := eventhook.Event{Type: "blog.published", Timestamp: eventhook.Time(time.Now()), Data: eventhook.ArticleEventData{Title: "<Ü> & co"}}
	body, err := eventhook.Encode(v1alpha1.FormatStandard, event, eventhook.Notice{})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		got, err := io.ReadAll(r.Body)
		if err != nil || !bytes.Equal(got, body) {
			t.Errorf("received %q, want %q", got, body)
		}
		for _, secret := range secrets {
			receiver, err := standardwebhooks.NewWebhook(secret)
			if err != nil {
				t.Error(err)
				continue
			}
			if err := receiver.Verify(got, r.Header); err != nil {
				t.Errorf("a receiver with either secret must accept: %v", err)
			}
			if receiver.Verify(append(got, ' '), r.Header) == nil {
				t.Error("changed bytes pass")
			}
		}
		if r.Header.Get("X-SERVICE-Event") != "blog.published" || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("headers are %v", r.Header)
		}
	}))
	defer server.Close()
	outcome := eventhook.Send(t.Context(), server.Client(), clock.RealClock{}, eventhook.Target{URL: server.URL, Keys: keys},
		eventhook.Message{ID: "e1", Type: event.Type, Body: body})
	if outcome.Outcome != v1alpha1.AttemptAccepted {
		t.Errorf("the outcome is %+v", outcome)
	}
}

func TestNothingIsSentWithoutAKey(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("something was sent") }))
	defer server.Close()
	outcome := eventhook.Send(t.Context(), server.Client(), clock.RealClock{}, eventhook.Target{URL: server.URL}, eventhook.Message{})
	if outcome.Outcome != v1alpha1.AttemptNotSent {
		t.Errorf("the outcome is %+v", outcome)
	}
}

func TestSecretsOfAnotherFormAreRefused(t *testing.T) {
	encoded := func(n int) string { return base64.StdEncoding.EncodeToString(make([]byte, n)) }
	tests := []struct {
		name, secret string
		want         error
	}{
		{"24 bytes", "whsec_" + encoded(24), nil},
		{"64 bytes", "whsec_" + encoded(64), nil},
		{"a line end", "whsec_" + encoded(32) + "\n", nil},
		{"23 bytes", "whsec_" + encoded(23), eventhook.ErrSecret},
		{"65 bytes", "whsec_" + encoded(65), eventhook.ErrSecret},
		{"no prefix", encoded(32), eventhook.ErrSecret},
		{"another prefix", "whsk_" + encoded(32), eventhook.ErrSecret},
		{"no base64", "whsec_" + strings.Repeat("!", 40), eventhook.ErrSecret},
		{"empty", "", eventhook.ErrSecret},
	}
	for _, tt := range tests {
		if _, err := eventhook.ParseSecret(tt.secret); !errors.Is(err, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, err, tt.want)
		}
	}
}
