package signedpost_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestTheAnswerIsShown(t *testing.T) {
	long := strings.Repeat("down for now, ", 1000)
	tests := map[string]struct{ answer, want string }{
		"a rejection":              {"HTTP/1.1 500 \r\n\r\nthe disk is full", "the disk is full"},
		"with a length":            {"HTTP/1.1 422 \r\nContent-Length: 9\r\n\r\nno title!", "no title!"},
		"in chunks":                {"HTTP/1.1 500 \r\nTransfer-Encoding: chunked\r\n\r\n3\r\nno \r\n5\r\ntitle\r\n0\r\n\r\n", "no title"},
		"nothing":                  {"HTTP/1.1 500 \r\nContent-Length: 0\r\n\r\n", ""},
		"that breaks off":          {"HTTP/1.1 500 \r\nContent-Length: 99\r\n\r\nthe disk is fu", "the disk is…"},
		"a long one":               {"HTTP/1.1 503 \r\n\r\n" + long, long[:197] + "…"},
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
			if o := send(t.Context(), u); o.Snippet != tt.want {
				t.Errorf("the snippet is %q, want %q", o.Snippet, tt.want)
			}
		})
	}
}

func TestTheSnippetOfAnEchoHoldsNoSecret(t *testing.T) {
	for _, status := range []int{http.StatusOK, http.StatusInternalServerError} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			_, _ = fmt.Fprintf(w, "signature %s, want that by %s", r.Header.Get("X-SERVICE-Signature"), secret)
		}))
		o := send(t.Context(), s.URL)
		s.Close()
		if want := "signature [redacted], want that by [redacted]"; o.Snippet != want {
			t.Errorf("%d: the snippet is %q, want %q", status, o.Snippet, want)
		}
	}
}

// Express writes the path of a request that it has no route for.
func TestTheSnippetOfAnEchoHoldsNoAddress(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusNotFound)
		_, _ = fmt.Fprintf(w, "Cannot %s %s", r.Method, r.URL.Path)
	}))
	defer s.Close()
	if o := send(t.Context(), s.URL+"/hooks/catch/1234567/3abcd12/"); o.Snippet != "Cannot POST /[redacted]" {
		t.Errorf("the snippet is %q", o.Snippet)
	}
}
