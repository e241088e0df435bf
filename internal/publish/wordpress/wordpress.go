// Package wordpress publishes articles by the REST API (v2) of WordPress 5.6 and later, with the application password of a user.
package wordpress

import (
	"context"
	"encoding/base64"
	"strings"

	"k8s.io/utils/lru"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/cms"
)

// The keys of the Secret with the credentials.
const (
	usernameKey = "username"
	passwordKey = "password"
)

// Connector publishes to Sites of the type WordPress.
type Connector struct {
	// setups are those that attempts have read.
	setups *lru.Cache
	// images has room for those that are in memory.
	images chan struct{}
}

// New returns a Connector.
func New() Connector {
	return Connector{setups: lru.New(maxSetups), images: make(chan struct{}, maxImages)}
}

// Connection implements publish.Connector. Attempts at one host take turns: WordPress gives a slug that two requests ask for at the same
// time to both, the second one with a number.
func (Connector) Connection(site *v1alpha1.Site) publish.Connection {
	w := site.Spec.CMS.WordPress
	return publish.Connection{
		Endpoint: "WordPress site", Credentials: "credentials", URL: w.URL, Address: w.URL, Host: egress.Host(w.URL), Serial: true,
		Secrets:  []publish.SecretRef{{SecretKeyReference: keyOf(w, usernameKey)}, {SecretKeyReference: keyOf(w, passwordKey)}},
		Settings: w, TestOnChange: true,
	}
}

// Publish implements publish.Connector.
func (c Connector) Publish(ctx context.Context, t publish.Target, a publish.Article) publish.Outcome {
	return c.attempt(ctx, t, a, func(ctx context.Context, s *session) (cms.Post, error) { return c.upsert(ctx, s, a) })
}

// Unpublish implements publish.Unpublisher. The post becomes a draft.
func (c Connector) Unpublish(ctx context.Context, t publish.Target, a publish.Article) publish.Outcome {
	return c.attempt(ctx, t, a, func(ctx context.Context, s *session) (cms.Post, error) { return s.unpublish(ctx, a) })
}

func (c Connector) attempt(
	ctx context.Context, t publish.Target, a publish.Article, do func(context.Context, *session) (cms.Post, error),
) publish.Outcome {
	login := credentialsOf(t)
	if login.missing() {
		return publish.NotSent(false, blankCredentials)
	}
	return cms.Publish(ctx, t, a, login.secrets(), func(ctx context.Context, client *cms.Client) (cms.Post, error) {
		s, err := c.prepare(ctx, client, t, login)
		if err != nil {
			return cms.Post{}, err
		}
		post, err := do(ctx, s)
		c.forget(t, login, err)
		return post, err
	})
}

// Test implements publish.Tester. It reads only.
func (Connector) Test(ctx context.Context, t publish.Target, _ string) publish.Outcome {
	login := credentialsOf(t)
	if login.missing() {
		return publish.NotSent(false, blankCredentials)
	}
	return cms.Test(ctx, t, login.secrets(), func(ctx context.Context, client *cms.Client) (string, error) {
		s, err := open(ctx, client, t, login)
		if err != nil {
			return "", err
		}
		return s.check(ctx)
	})
}

const blankCredentials = "username or password in the Secret is blank"

// credentials of a WordPress user.
type credentials struct{ username, password string }

func credentialsOf(t publish.Target) credentials {
	w := t.Site.Spec.CMS.WordPress
	// Files that Secrets are made from end with a line feed.
	return credentials{
		username: t.Secrets.Text(keyOf(w, usernameKey)),
		password: t.Secrets.Text(keyOf(w, passwordKey)),
	}
}

func (c credentials) missing() bool { return c.username == "" || c.password == "" }

// basic is the value of the header Authorization (RFC 7617).
func (c credentials) basic() string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(c.username+":"+c.password))
}

// secrets are the forms in which an answer may repeat the credentials. WordPress shows application passwords in groups of four.
func (c credentials) secrets() []string {
	return []string{c.basic(), strings.TrimPrefix(c.basic(), "Basic "), c.password, strings.ReplaceAll(c.password, " ", "")}
}

func keyOf(w *v1alpha1.WordPressConnection, key string) v1alpha1.SecretKeyReference {
	return v1alpha1.SecretKeyReference{Name: w.CredentialsSecretRef.Name, Key: key}
}
