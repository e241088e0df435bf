package webhook_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish/webhook"
)

func TestATestOfAConnectionIsSignedAndNoArticle(t *testing.T) {
	rc := &receiver{secret: secret, posts: map[string]map[string]any{}}
	var event, body string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		event = r.Header.Get("X-SERVICE-Event")
		raw, _ := io.ReadAll(r.Body)
		body = string(raw)
		r.Body = io.NopCloser(strings.NewReader(body))
		rc.ServeHTTP(w, r)
	}))
	defer s.Close()
	o := webhook.Connector{}.Test(t.Context(), publisherTo(s.URL).target, "n1")
	if o.Outcome != v1alpha1.AttemptAccepted || event != "connection.test" || len(rc.posts) != 0 {
		t.Errorf("outcome is %+v, event %q, posts %v", o, event, rc.posts)
	}
	want := `{"type":"connection.test","test":true,"message":"This tests the connection. It is no article: there is nothing to post.",` +
		`"nonce":"n1","site_uid":"0198f0a1-b2c3-7d4e-8f5a-6b7c8d9e0f1a","domain":"acme.example"}`
	if body != want {
		t.Errorf("the body is %s", body)
	}
	for _, field := range []string{`"title"`, `"slug"`, `"status"`, `"content`} {
		if strings.Contains(body, field) {
			t.Errorf("the body has an article's field %s", field)
		}
	}
}
