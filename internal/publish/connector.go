package publish

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"

	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Connector publishes to the Sites of one CMS type.
type Connector interface {
	// Connection returns how a Site is connected. It does no I/O.
	Connection(site *v1alpha1.Site) Connection
	// Publish makes one attempt to create or update the post of an article. It returns when the attempt has ended, at the latest
	// when ctx does.
	Publish(ctx context.Context, t Target, a Article) Outcome
}

// Tester is a Connector that can test a Site's connection without leaving anything behind.
type Tester interface {
	// Test makes one attempt. The nonce identifies the request for the test to people who read the receiver's log.
	Test(ctx context.Context, t Target, nonce string) Outcome
}

// Unpublisher is a Connector that can take a post back.
type Unpublisher interface {
	// Unpublish makes one attempt to have the CMS show the post of an article no more, and keep it. It is accepted if the CMS shows none.
	// The article has no text: the post is known by what is recorded of it.
	Unpublish(ctx context.Context, t Target, a Article) Outcome
}

// Connection describes how a Site is connected: what an attempt needs of it.
type Connection struct {
	// Endpoint and Credentials have the names of the documentation, such as "webhook" and "signing secret". Messages use them.
	Endpoint, Credentials string
	// URL that is called. It is checked against the address rules before anything is sent.
	URL string
	// Address that values of Secrets are for, as AddressAnnotation of a Secret has it. Unlike URL it stays the same if the version
	// of a CMS's API changes.
	Address string
	// Host that concurrent attempts are capped by.
	Host string
	// Serial means that attempts at the host are made one at a time: waiting for one's turn is then no part of an attempt.
	Serial bool
	// Collection of posts behind the URL, if the CMS has several. Sites with the same URL and collection share their slugs.
	Collection string
	// Secrets whose values an attempt is given.
	Secrets []SecretRef
	// Settings are the fields of the Site that a connection test covers: the result of a test is void once they change.
	Settings any
	// TestOnChange has the controller test settings once without being asked: a test leaves nothing behind.
	TestOnChange bool
}

// SettingsHash identifies the settings, as lower-case hex SHA-256.
func (c Connection) SettingsHash() string {
	data, err := json.Marshal(c.Settings)
	if err != nil {
		return "" // settings are API types, which always have a JSON form
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// SecretRef names a value of a Secret in the Site's namespace.
type SecretRef struct {
	v1alpha1.SecretKeyReference
	// Instead are keys of the same Secret whose values together stand in for a missing one. Without the value and without all of
	// these no attempt is made.
	Instead []string
}

// Secrets are values of Secrets by their references.
type Secrets map[v1alpha1.SecretKeyReference][]byte

// Text returns a credential without the white space around it: a file that kubectl makes a Secret of ends with a line end.
func (s Secrets) Text(ref v1alpha1.SecretKeyReference) string {
	return strings.TrimSpace(string(s[ref]))
}

// Target is the Site of an attempt, and what the attempt is made with.
type Target struct {
	Site *v1alpha1.Site
	// Secrets are the current values of those that the Connection names.
	Secrets Secrets
	// HTTP is made by package egress; a shorter timeout of its own counts.
	HTTP *http.Client
	// PlainHTTP allows http for requests with credentials. It is for development only.
	PlainHTTP bool
	// Clock measures durations, and how far dates of answers are in the future.
	Clock clock.Clock
}
