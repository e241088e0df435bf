package page_test

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"syscall"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

func visitIn(t *testing.T, zone string) *page.Visit {
	t.Helper()
	v := page.NewSignedOutVisit(newDeps(t), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/app", http.NoBody))
	v.Zone, _ = time.LoadLocation(zone)
	return v
}

func TestMessagesAreInWordsOfEditors(t *testing.T) {
	v := visitIn(t, "Asia/Tokyo")
	for message, want := range map[string]string{
		"the receiver has failed since 2026-11-28T17:46:43Z; after 5 days the subscription is suspended": "The receiver has failed since 29 Nov 2026, " +
			"02:46; after 5 days the subscription is suspended.",
		"due at 2026-11-28T17:46:53.120+01:00":                        "Due at 29 Nov 2026, 01:46.",
		"attempt 1 failed (ConnectionFailed: x)":                      "Attempt 1 failed (there was no connection: x).",
		"the last one was receiver_rejected":                          "The last one was the receiver refuses it.",
		"the receiver answered 404 Not Found":                         "The receiver answered 404 Not Found.",
		"2026-13-28T17:46:53Z is no time, and WordPress is no reason": "2026-13-28T17:46:53Z is no time, and WordPress is no reason.",
		"blocked: the URL carries user information":                   "The address has a user name in it.",
		"": "",
		"the image cannot be fetched: the host's name does not exist": "The image cannot be fetched: there is no such host.",
		"nothing was sent: the URL must be https, because credentials go with the request": "Nothing was sent: the address must begin with https://, " +
			"because the password goes there.",
	} {
		if got := v.Say(message); got != want {
			t.Errorf("%q is %q, want %q", message, got, want)
		}
	}
}

func TestAFailureIsSaidWithoutWhatAModelAnswered(t *testing.T) {
	v := visitIn(t, "UTC")
	for message, want := range map[string]string{
		"Exhausted: attempt 4 of 4 failed": "All attempts are used up: attempt 4 of 4 failed.",
		"InvalidAnswer: the model's answer could not be used after a repair turn: the answer has no JSON object with titles": "The model's answers could not be used.",
		"BackendRejected: the endpoint refused the API key with 401":                                                         "The model's endpoint refuses the request: an operator finds out why.",
		"no reason stands before this: it stays":                                                                             "No reason stands before this: it stays.",
	} {
		if got := v.Cause(message); got != want {
			t.Errorf("%q is %q, want %q", message, got, want)
		}
	}
}

// Every way in which a connection fails has words without those of networks.
func TestNoFailedConnectionSpeaksOfProtocols(t *testing.T) {
	technical := regexp.MustCompile(`TLS|HTTP\b|handshake|plain http|route to|reset|refused|URL|look(ed|ing) up|speak`)
	for _, err := range []error{
		tls.RecordHeaderError{}, http.ErrSchemeMismatch, x509.HostnameError{Certificate: &x509.Certificate{}}, x509.UnknownAuthorityError{},
		x509.CertificateInvalidError{Reason: x509.Expired}, &tls.CertificateVerificationError{Err: io.EOF}, &net.DNSError{IsNotFound: true},
		&net.DNSError{IsTimeout: true}, &net.DNSError{}, syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.EPIPE, syscall.EHOSTUNREACH,
		syscall.ENETUNREACH, syscall.ETIMEDOUT, io.ErrUnexpectedEOF, io.EOF, io.ErrNoProgress, &net.OpError{Op: "dial", Err: io.ErrShortWrite},
	} {
		if said := visitIn(t, "UTC").Say(egress.Describe(err)); technical.MatchString(said) || said == "" {
			t.Errorf("%T: %q is %q", err, egress.Describe(err), said)
		}
	}
}

func TestEveryEventAndEveryChoiceHasWords(t *testing.T) {
	for _, kind := range lifecycle.EventKinds {
		if got := page.EventWord(kind.Name); got != kind.Summary {
			t.Errorf("%s is %q", kind.Name, got)
		}
	}
	if page.EventWord("*") == "*" || page.EventWord(lifecycle.TestEvent) == lifecycle.TestEvent {
		t.Error("all events, or a test, have no words")
	}
	for _, form := range connectors.Forms() {
		for _, field := range form.Fields {
			words := page.Words.Options[field.Name]
			for _, option := range field.Options {
				if words.Values[option] == "" || words.Hint == "" {
					t.Errorf("%s: %s of %s has no words", form.Type, option, field.Name)
				}
			}
		}
	}
}

func TestAnApprovedArticleWhoseDeliveryIsTriedAgainHasNotArrived(t *testing.T) {
	for _, tt := range []struct {
		status, state string
		want          page.Mark
	}{
		{"approved", page.StateRetrying, page.Mark{Class: "retrying", Text: "Not arriving yet"}},
		{"approved", page.StateInProgress, page.Mark{Class: "approved", Text: "Approved"}},
		{"approved", "", page.Mark{Class: "approved", Text: "Approved"}},
		{"failed", page.StateFailed, page.Mark{Class: "failed", Text: "Failed"}},
		{"published", page.StateRetrying, page.Mark{Class: "published", Text: "Published"}},
	} {
		a := restarticle.ArticleSummary{Status: tt.status}
		if tt.state != "" {
			a.Publication = &restarticle.ArticlePublication{State: tt.state}
		}
		if got := page.StatusMark(a); got != tt.want {
			t.Errorf("%s with %q is %+v, want %+v", tt.status, tt.state, got, tt.want)
		}
	}
}
