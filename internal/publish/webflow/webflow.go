// Package webflow publishes articles as items of a Webflow collection, by the Data API v2.
package webflow

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/time/rate"
	"k8s.io/utils/clock"
	"k8s.io/utils/lru"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/cms"
)

// baseURL of the Data API, and the address that tokens are for.
const (
	address = "https://api.webflow.com"
	baseURL = address + "/v2"
)

// maxImage is how large an image of a collection may be, in bytes.
const maxImage = 4 << 20

// tokenKey is the key of the Secret that has the site token.
const tokenKey = "token"

// Connector publishes to Sites of the type Webflow.
type Connector struct {
	limits limits
	places places
}

// New returns a Connector.
func New() *Connector {
	return &Connector{limits: limits{sites: lru.New(maxSites)}, places: places{known: lru.New(maxSites)}}
}

// Connection implements publish.Connector. Webflow limits the requests to a site, so attempts are capped by the site, too: the others at
// Webflow do not wait for one with many articles. Nor do they wait for other workspaces that name the same site.
func (*Connector) Connection(site *v1alpha1.Site) publish.Connection {
	return publish.Connection{
		Endpoint: "Webflow", Credentials: "site token", URL: baseURL,
		Host:       site.Namespace + "." + site.Spec.CMS.Webflow.SiteID + "." + egress.Host(baseURL),
		Collection: site.Spec.CMS.Webflow.CollectionID, Address: address,
		Secrets:  []publish.SecretRef{{SecretKeyReference: tokenRef(site.Spec.CMS.Webflow)}},
		Settings: site.Spec.CMS.Webflow, TestOnChange: true,
	}
}

func tokenRef(w *v1alpha1.WebflowConnection) v1alpha1.SecretKeyReference {
	return v1alpha1.SecretKeyReference{Name: w.CredentialsSecretRef.Name, Key: tokenKey}
}

// Publish implements publish.Connector. It creates or updates the staged item, and publishes it.
func (c *Connector) Publish(ctx context.Context, t publish.Target, a publish.Article) publish.Outcome {
	return cms.Publish(ctx, t, a, secrets(t), func(ctx context.Context, client *cms.Client) (cms.Post, error) {
		s := c.session(t, client)
		where, err := c.places.get(ctx, t.Clock.Now(), s)
		if err != nil {
			return cms.Post{}, err
		}
		body, err := cms.Body(t.Site, a)
		if err != nil {
			return cms.Post{}, err
		}
		if a.Image != nil && s.settings.Fields.Image != "" && a.Image.Bytes > maxImage {
			return cms.Post{}, cms.Fail(v1alpha1.ErrorInvalidContent, "Webflow takes images of at most 4 MiB: choose a smaller one")
		}
		data := s.fieldData(a, body)
		if err := s.refer(t.Site, where, a, data); err != nil {
			return cms.Post{}, err
		}
		item, err := s.save(ctx, t, a, where, data)
		if err != nil {
			return cms.Post{ID: item.ID}, err
		}
		return s.described(item, where, data).Post, s.publish(ctx, item.ID)
	})
}

// Unpublish implements publish.Unpublisher. The staged item stays.
func (c *Connector) Unpublish(ctx context.Context, t publish.Target, a publish.Article) publish.Outcome {
	return cms.Publish(ctx, t, a, secrets(t), func(ctx context.Context, client *cms.Client) (cms.Post, error) {
		s := c.session(t, client)
		where, err := c.places.get(ctx, t.Clock.Now(), s)
		if err != nil {
			return cms.Post{}, err
		}
		return s.unpublish(ctx, a, where)
	})
}

// Test implements publish.Tester. It reads the site and the schema of the collection, and publishes no items, which needs the right to
// publish some.
func (c *Connector) Test(ctx context.Context, t publish.Target, _ string) publish.Outcome {
	return cms.Test(ctx, t, secrets(t), func(ctx context.Context, client *cms.Client) (string, error) {
		s := c.session(t, client)
		where, err := s.look(ctx)
		if err != nil {
			return "", err
		}
		if err := s.checkFields(where.fields); err != nil {
			return "", err
		}
		if err := s.checkCollection(ctx); err != nil {
			return "", err
		}
		if err := s.checkPublishing(ctx); err != nil {
			return "", err
		}
		return fmt.Sprintf("articles become items of the collection %s", where.collection), nil
	})
}

func secrets(t publish.Target) []string {
	return []string{t.Secrets.Text(tokenRef(t.Site.Spec.CMS.Webflow))}
}

// session is one attempt at a site.
type session struct {
	client   *cms.Client
	settings *v1alpha1.WebflowConnection
	// domain of the Site.
	domain string
	token  string
	limit  *rate.Limiter
	clock  clock.PassiveClock
}

func (c *Connector) session(t publish.Target, client *cms.Client) session {
	w := t.Site.Spec.CMS.Webflow
	token := t.Secrets.Text(tokenRef(w))
	return session{
		client: client, settings: w, domain: t.Site.Spec.Domain, token: token, limit: c.limits.of(w.SiteID, token), clock: t.Clock,
	}
}

// fieldData is an article in the fields of the collection. A field whose part the article does not have is emptied; tags, category, author
// and image stay as they are. The excerpt is the meta description (docs/reference/contract.md, Payload).
func (s session) fieldData(a publish.Article, body string) map[string]any {
	fields := s.settings.Fields
	data := map[string]any{"name": a.Title, "slug": a.Slug, fields.Body: body}
	for name, text := range map[string]string{
		fields.Excerpt: a.MetaDescription, fields.MetaTitle: a.MetaTitle, fields.MetaDescription: a.MetaDescription,
	} {
		if name != "" {
			data[name] = text
		}
	}
	for name, text := range map[string]string{
		fields.Tags: strings.Join(a.Tags, ", "), fields.Category: a.Category, fields.Author: a.Author,
	} {
		if name != "" && text != "" {
			data[name] = text
		}
	}
	if fields.Image != "" && a.Image != nil {
		data[fields.Image] = map[string]any{"url": a.Image.URL, "alt": a.Image.Alt}
	}
	return data
}
