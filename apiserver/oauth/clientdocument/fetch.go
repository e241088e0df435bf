package clientdocument

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/pressroom-dev/pressroom/internal/egress"
)

const (
	// MaxBytes is the most bytes of a document.
	MaxBytes = 8 << 10
	// Timeout bounds the reading of a document, from the look-up of its host to its last byte.
	Timeout = 5 * time.Second
)

// Document describes a client.
type Document struct {
	// Name for display, which nobody has verified; it may be empty.
	Name string
	// RedirectURIs as the document has them: they are not checked yet.
	RedirectURIs []string
	// Home, Policy and Terms are addresses of pages, which are not checked yet; each may be empty.
	Home, Policy, Terms string
}

// Error says why a document cannot be used. Its text has no address in it, and may be shown.
type Error struct {
	reason string
	// Final means that there is no such document, that it describes no client that may be let in, or that its host may not be asked.
	// Otherwise the host may answer better later.
	Final bool
}

// Error implements error.
func (e *Error) Error() string { return e.reason }

// Refused returns the error for a document that describes no client that may be let in.
func Refused(reason string) error { return &Error{reason: reason, Final: true} }

func failed(reason string) error { return &Error{reason: reason} }

// Fetch reads the document of a client. The HTTP client is one of package egress for addresses that customers name, which follows no
// redirect; its timeout is Timeout. The error is an *Error.
func Fetch(ctx context.Context, client *http.Client, clientID string) (Document, error) {
	if !IsURL(clientID) {
		return Document{}, Refused("the client id is not the URL of a document")
	}
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, clientID, http.NoBody)
	if err != nil {
		return Document{}, Refused("the client id is not the URL of a document")
	}
	q.Header.Set("Accept", "application/json")
	answer, err := client.Do(q)
	if err != nil {
		return Document{}, &Error{reason: unread(err), Final: errors.Is(err, egress.ErrBlocked)}
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := read(answer)
	if err != nil {
		return Document{}, err
	}
	return parse(clientID, text)
}

// unread says why there is no document. One that is only slow can be read another time.
func unread(err error) string {
	if egress.Classify(err) == egress.Timeout {
		return "its host gave no answer in time: try again in a minute"
	}
	return "its document cannot be read: " + egress.Describe(err)
}

// read returns the body of an answer that has a document.
func read(answer *http.Response) ([]byte, error) {
	switch answer.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound, http.StatusGone:
		return nil, Refused("its host has no such document")
	default:
		return nil, failed(fmt.Sprintf("its host answers %d and not 200", answer.StatusCode))
	}
	if media, _, err := mime.ParseMediaType(answer.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return nil, failed("its document is not application/json")
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, MaxBytes+1))
	switch {
	case err != nil:
		return nil, failed(unread(err))
	case len(text) > MaxBytes:
		return nil, failed("its document has more than 8 KiB")
	}
	return text, nil
}

// members are those of a document that are read (RFC 7591, section 2). Others are ignored.
type members struct {
	ClientID      string         `json:"client_id"`
	Name          string         `json:"client_name"`
	RedirectURIs  []string       `json:"redirect_uris"`
	Home          string         `json:"client_uri"`
	Policy        string         `json:"policy_uri"`
	Terms         string         `json:"tos_uri"`
	AuthMethod    *string        `json:"token_endpoint_auth_method"`
	GrantTypes    []string       `json:"grant_types"`
	ResponseTypes []string       `json:"response_types"`
	Secret        jsontext.Value `json:"client_secret"`
	SecretExpiry  jsontext.Value `json:"client_secret_expires_at"`
}

// parse reads a document. It must name the client that it was read for, byte for byte, or any host with a document could be any client. A
// client whose description anybody can read has no secret.
func parse(clientID string, text []byte) (Document, error) {
	var m members
	if err := json.Unmarshal(text, &m); err != nil {
		return Document{}, Refused("its document is not a JSON object with the members of RFC 7591")
	}
	switch {
	case m.ClientID != clientID:
		return Document{}, Refused("its document has another client_id than its own URL")
	case m.Secret != nil || m.SecretExpiry != nil:
		return Document{}, Refused("its document has a client secret")
	case m.AuthMethod != nil && *m.AuthMethod != "none":
		return Document{}, Refused("its document has another token_endpoint_auth_method than none")
	case m.GrantTypes != nil && !slices.Contains(m.GrantTypes, "authorization_code"):
		return Document{}, Refused("its document has grant_types without authorization_code")
	case m.ResponseTypes != nil && !slices.Contains(m.ResponseTypes, "code"):
		return Document{}, Refused("its document has response_types without code")
	}
	return Document{Name: m.Name, RedirectURIs: m.RedirectURIs, Home: m.Home, Policy: m.Policy, Terms: m.Terms}, nil
}
