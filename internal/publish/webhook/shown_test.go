package webhook_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish/webhook"
)

func TestTheAnswerIsShown(t *testing.T) {
	long := strings.Repeat("down for now, ", 1000)
	tests := map[string]struct{ answer, want string }{
		"a rejection":              {"HTTP/1.1 500 \r\n\r\nthe disk is full", "the disk is full"},
		"with a length":            {"HTTP/1.1 422 \r\nContent-Length: 9\r\n\r\nno title!", "no title!"},
		"in chunks":                {"HTTP/1.1 500 \r\nTransfer-Encoding: chunked\r\n\r\n3\r\nno \r\n5\r\ntitle\r\n0\r\n\r\n", "no title"},
		"nothing":                  {"HTTP/1.1 500 \r\nContent-Length: 0\r\n\r\n", ""},
		"that breaks off":          {"HTTP/1.1 500 \r\nContent-Length: 99\r\n\r\nthe disk is fu", "the disk is…"},
		"a long one":               {"HTTP/1.1 503 \r\n\r\n" + long, long[:1021] + "…"},
		"gzip":                     {"HTTP/1.1 500 \r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b\x08\x00\x00", "[binary content]"},
		"a redirect":               {"HTTP/1.1 302 \r\nLocation: /login\r\n\r\nmoved", "moved"},
		"a success":                {"HTTP/1.1 201 \r\n\r\n{\"id\":\"1\"}", `{"id":"1"}`},
		"a success in other words": {"HTTP/1.1 200 \r\nContent-Length: 16\r\n\r\n<p>Thank you</p>", "<p>Thank you</p>"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			u := listen(t, func(conn net.Conn) {
				_, _, _ = readRequest(conn)
				_, _ = io.WriteString(conn, tt.answer)
			})
			if o := publisherTo(u).Publish(t.Context(), full); o.Snippet != tt.want {
				t.Errorf("the snippet is %q, want %q", o.Snippet, tt.want)
			}
		})
	}
}

func TestWhatIsShownOfAnEchoHoldsNoSecret(t *testing.T) {
	for _, status := range []int{http.StatusOK, http.StatusInternalServerError} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			_, _ = fmt.Fprintf(w, "from %s: signature %s, want that by %s", r.RemoteAddr, r.Header.Get("X-SERVICE-Signature"), secret)
		}))
		o := publisherTo(s.URL).Publish(t.Context(), full)
		s.Close()
		if !strings.HasPrefix(o.Snippet, "from [address]:") || !strings.Contains(o.Snippet, ": signature [redacted], want that by") ||
			strings.Contains(o.Snippet, string(secret)) {
			t.Errorf("%d: the snippet is %q", status, o.Snippet)
		}
	}
}

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
