package egress

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
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
	class Class
	cause error
}

// Class says what kind of thing kept a request from being answered.
type Class string

// The classes.
const (
	NameLookup     Class = "NameLookup"
	Connection     Class = "Connection"
	TLS            Class = "TLS"
	Timeout        Class = "Timeout"
	InvalidAnswer  Class = "InvalidAnswer"
	AddressBlocked Class = "AddressBlocked"
)

func (f *failure) Error() string { return f.text }
func (f *failure) Unwrap() error { return f.cause }

func blocked(reason string) error {
	return &failure{text: "blocked: " + reason, class: AddressBlocked, cause: ErrBlocked}
}

// fail turns an error of the standard library into one that is safe to show.
func fail(err error) error {
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	text, class := explain(err)
	return &failure{text: text, class: class, cause: err}
}

// Describe says in a few words why a request of one of this package's clients failed: one line, the same at every attempt,
// free of addresses and of the URL.
func Describe(err error) string {
	text, _ := described(err)
	return text
}

// Classify says of what kind the failure is that Describe tells of.
func Classify(err error) Class {
	_, class := described(err)
	return class
}

func described(err error) (string, Class) {
	// The deadline comes first: whatever else broke, broke because of it. The connection's may be over a moment before the
	// context's, from which it has it.
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) {
		return textDeadline, Timeout
	}
	if f, ok := errors.AsType[*failure](err); ok {
		return f.text, f.class
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
	class Class
}{
	{context.DeadlineExceeded, textDeadline, Timeout},
	{os.ErrDeadlineExceeded, textDeadline, Timeout},
	{context.Canceled, "the request was given up", Connection},
	{http.ErrSchemeMismatch, "the other side answers https with plain http", TLS},
	{syscall.ECONNREFUSED, "the connection was refused", Connection},
	{syscall.ECONNRESET, "the connection was reset", Connection},
	{syscall.EPIPE, "the connection was closed", Connection},
	{syscall.EHOSTUNREACH, "there is no route to the host", Connection},
	{syscall.ENETUNREACH, "there is no route to the host", Connection},
	{syscall.ETIMEDOUT, "the connection timed out", Connection},
	{io.ErrUnexpectedEOF, "the connection was closed before the answer was complete", Connection},
	{io.EOF, "the connection was closed without an answer", Connection},
}

func explain(err error) (string, Class) {
	if text := explainLookUp(err); text != "" {
		return text, NameLookup
	}
	if text := explainTLS(err); text != "" {
		return text, TLS
	}
	for _, e := range explained {
		if errors.Is(err, e.cause) {
			return e.text, e.class
		}
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return textConnection, Connection
	}
	// What is left has no type to tell it by: most of it is about the answer's form, malformed or endless headers.
	return textAnswer, InvalidAnswer
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
