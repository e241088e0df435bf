package egress

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"syscall"
)

// ErrBlocked is what an error is when the URL or the address that it leads to may not be reached. Trying again is useless.
var ErrBlocked = errors.New("blocked")

// The reasons to block. They never tell what a name resolved to: that would map the network for whoever asks.
const (
	reasonURL         = "the URL cannot be read"
	reasonScheme      = "the URL is neither http nor https"
	reasonUserinfo    = "the URL carries user information"
	reasonHost        = "the URL has no valid host"
	reasonPort        = "the URL has no valid port"
	reasonPrivateName = "the host's name is not a public one"
	reasonNotPublic   = "the address is not public"
)

// failure is an error whose text is safe to show: one line, the same at every attempt, without addresses and URLs. The cause
// is kept for errors.Is and errors.As only.
type failure struct {
	text  string
	cause error
}

func (f *failure) Error() string { return f.text }
func (f *failure) Unwrap() error { return f.cause }

func blocked(reason string) error { return &failure{text: "blocked: " + reason, cause: ErrBlocked} }

// fail turns an error of the standard library into one that is safe to show.
func fail(err error) error {
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	return &failure{text: explain(err), cause: err}
}

// Describe says in a few words why a request of one of this package's clients failed: one line, the same at every attempt,
// free of addresses and of the URL.
func Describe(err error) string {
	// The deadline comes first: whatever else broke, broke because of it.
	if errors.Is(err, context.DeadlineExceeded) {
		return textDeadline
	}
	if f, ok := errors.AsType[*failure](err); ok {
		return f.text
	}
	return explain(err)
}

const (
	textDeadline   = "no answer in time"
	textConnection = "the connection failed"
	textTLS        = "the TLS handshake failed"
	textAnswer     = "the connection broke or the answer is not valid HTTP"
)

// explained are errors that have one text each; the first match counts.
var explained = []struct {
	cause error
	text  string
}{
	{context.DeadlineExceeded, textDeadline},
	{context.Canceled, "the request was given up"},
	{http.ErrSchemeMismatch, "the other side answers https with plain http"},
	{syscall.ECONNREFUSED, "the connection was refused"},
	{syscall.ECONNRESET, "the connection was reset"},
	{syscall.EPIPE, "the connection was closed"},
	{syscall.EHOSTUNREACH, "there is no route to the host"},
	{syscall.ENETUNREACH, "there is no route to the host"},
	{syscall.ETIMEDOUT, "the connection timed out"},
	{io.ErrUnexpectedEOF, "the connection was closed before the answer was complete"},
	{io.EOF, "the connection was closed without an answer"},
}

func explain(err error) string {
	if text := explainLookUp(err); text != "" {
		return text
	}
	if text := explainTLS(err); text != "" {
		return text
	}
	for _, e := range explained {
		if errors.Is(err, e.cause) {
			return e.text
		}
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return textConnection
	}
	// What is left has no type to tell it by: most of it is about the answer's form, malformed or endless headers.
	return textAnswer
}

func explainLookUp(err error) string {
	dns, ok := errors.AsType[*net.DNSError](err)
	switch {
	case !ok:
		return ""
	case dns.IsNotFound:
		return "the host's name does not exist"
	case dns.IsTimeout:
		return "looking up the host's name timed out"
	}
	return "the host's name could not be looked up"
}

func explainTLS(err error) string {
	if _, ok := errors.AsType[x509.HostnameError](err); ok {
		return "the TLS certificate is not for this host"
	}
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return "the TLS certificate is signed by an unknown authority"
	}
	if invalid, ok := errors.AsType[x509.CertificateInvalidError](err); ok && invalid.Reason == x509.Expired {
		return "the TLS certificate has expired or is not yet valid"
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return "the TLS certificate is not valid"
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		return "the other side does not speak TLS"
	}
	return ""
}
