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

// ErrBlocked is the cause of an error if the URL or the address behind it may not be reached. Trying again is useless.
var ErrBlocked = errors.New("blocked")

// Class is the kind of a failure that kept a request from being answered.
type Class string

// The classes have the names of the API's ErrorClass.
const (
	NameLookup     Class = "NameLookup"
	Connection     Class = "Connection"
	TLS            Class = "TLS"
	Timeout        Class = "Timeout"
	InvalidAnswer  Class = "InvalidAnswer"
	AddressBlocked Class = "AddressBlocked"
)

// failure is an error whose text is safe to show: one line, the same at every attempt, without addresses and URLs. The cause
// is for errors.Is and errors.As only.
type failure struct {
	text  string
	class Class
	cause error
}

func (f *failure) Error() string { return f.text }
func (f *failure) Unwrap() error { return f.cause }

// blocked returns an error with a reason. The reason never contains the address that a name resolved to, which would let customers map
// the network.
func blocked(reason string) error {
	return &failure{text: "blocked: " + reason, class: AddressBlocked, cause: ErrBlocked}
}

// Describe says in a few words why a request of one of this package's clients failed: one line, the same at every attempt,
// without addresses and URLs.
func Describe(err error) string { return explain(err).text }

// Classify returns the kind of the failure.
func Classify(err error) Class { return explain(err).class }

const (
	textConnection = "the connection failed"
	textTLS        = "the TLS handshake failed"
	textAnswer     = "the connection broke or the answer is not valid HTTP"
)

// explanations of errors; the first match counts.
var explanations = []struct {
	matches func(error) bool
	text    string
	class   Class
}{
	{as(func(e *net.DNSError) bool { return e.IsNotFound }), "the host's name does not exist", NameLookup},
	{as(func(e *net.DNSError) bool { return e.IsTimeout }), "looking up the host's name timed out", NameLookup},
	{as[*net.DNSError](nil), "the host's name could not be looked up", NameLookup},
	{as[x509.HostnameError](nil), "the TLS certificate is not for this host", TLS},
	{as[x509.UnknownAuthorityError](nil), "the TLS certificate is signed by an unknown authority", TLS},
	{as(func(e x509.CertificateInvalidError) bool { return e.Reason == x509.Expired }),
		"the TLS certificate has expired or is not yet valid", TLS},
	{as[*tls.CertificateVerificationError](nil), "the TLS certificate is not valid", TLS},
	{as[tls.RecordHeaderError](nil), "the other side does not speak TLS", TLS},
	{is(context.Canceled), "the request was given up", Connection},
	{is(http.ErrSchemeMismatch), "the other side answers https with plain http", TLS},
	{is(syscall.ECONNREFUSED), "the connection was refused", Connection},
	{is(syscall.ECONNRESET), "the connection was reset", Connection},
	{is(syscall.EPIPE), "the connection was closed", Connection},
	{is(syscall.EHOSTUNREACH), "there is no route to the host", Connection},
	{is(syscall.ENETUNREACH), "there is no route to the host", Connection},
	{is(syscall.ETIMEDOUT), "the connection timed out", Connection},
	{is(io.ErrUnexpectedEOF), "the connection was closed before the answer was complete", Connection},
	{is(io.EOF), "the connection was closed without an answer", Connection},
	{as[net.Error](nil), textConnection, Connection},
}

func explain(err error) *failure {
	// The deadline comes first, because it causes the other errors. The connection's deadline is derived from the context's and may pass a
	// moment earlier.
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) {
		return &failure{text: "no answer in time", class: Timeout, cause: err}
	}
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	for _, e := range explanations {
		if e.matches(err) {
			return &failure{text: e.text, class: e.class, cause: err}
		}
	}
	// The errors that are left have no type: most of them are about malformed or endless headers.
	return &failure{text: textAnswer, class: InvalidAnswer, cause: err}
}

func is(cause error) func(error) bool {
	return func(err error) bool { return errors.Is(err, cause) }
}

// as matches errors of a type, and of these the ones for which a condition holds if it is not nil.
func as[E error](holds func(E) bool) func(error) bool {
	return func(err error) bool {
		e, ok := errors.AsType[E](err)
		return ok && (holds == nil || holds(e))
	}
}
