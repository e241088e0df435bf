// Package shopify publishes articles in a blog of a Shopify shop, by the Admin GraphQL API.
package shopify

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/utils/lru"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/fence"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/cms"
)

// APIVersion of the Admin API. Shopify serves each version for a year from its first month.
const APIVersion = "2026-10"

// The keys of the Secret: a token, or an app's id and secret.
const (
	tokenKey        = "token"
	clientIDKey     = "clientID"
	clientSecretKey = "clientSecret"
)

// Connector publishes to Sites of the type Shopify.
type Connector struct {
	// granted are the tokens of apps.
	granted *lru.Cache
}

// New returns a Connector.
func New() *Connector { return &Connector{granted: lru.New(maxTokens)} }

// Connection implements publish.Connector.
func (*Connector) Connection(site *v1alpha1.Site) publish.Connection {
	s := site.Spec.CMS.Shopify
	return publish.Connection{
		Endpoint: "Shopify", Credentials: "credentials of Shopify", URL: endpoint(s.Shop), Collection: s.BlogID, Host: s.Shop,
		Address: "https://" + s.Shop, Settings: s, TestOnChange: true,
		Secrets: []publish.SecretRef{{SecretKeyReference: secretRef(s, tokenKey), Instead: []string{clientIDKey, clientSecretKey}}},
	}
}

func secretRef(s *v1alpha1.ShopifyConnection, key string) v1alpha1.SecretKeyReference {
	return v1alpha1.SecretKeyReference{Name: s.CredentialsSecretRef.Name, Key: key}
}

func endpoint(shop string) string {
	return "https://" + shop + "/admin/api/" + APIVersion + "/graphql.json"
}

// Publish implements publish.Connector. It updates the article of an earlier attempt or the one with the slug, else creates one.
func (c *Connector) Publish(ctx context.Context, t publish.Target, a publish.Article) publish.Outcome {
	keys := credentialsOf(t)
	return cms.Publish(ctx, t, a, keys.secrets(), func(ctx context.Context, client *cms.Client) (cms.Post, error) {
		body, err := cms.Body(t.Site, a)
		if err != nil {
			return cms.Post{}, err
		}
		s, err := c.session(ctx, t, client, keys)
		if err != nil {
			return cms.Post{}, err
		}
		return s.save(ctx, t, a, body)
	})
}

// Unpublish implements publish.Unpublisher. The article is hidden.
func (c *Connector) Unpublish(ctx context.Context, t publish.Target, a publish.Article) publish.Outcome {
	keys := credentialsOf(t)
	return cms.Publish(ctx, t, a, keys.secrets(), func(ctx context.Context, client *cms.Client) (cms.Post, error) {
		s, err := c.session(ctx, t, client, keys)
		if err != nil {
			return cms.Post{}, err
		}
		return s.unpublish(ctx, a)
	})
}

// Test implements publish.Tester. It reads the scopes of the credentials, the blog and the domain of the shop.
func (c *Connector) Test(ctx context.Context, t publish.Target, _ string) publish.Outcome {
	keys := credentialsOf(t)
	return cms.Test(ctx, t, keys.secrets(), func(ctx context.Context, client *cms.Client) (string, error) {
		s, err := c.session(ctx, t, client, keys)
		if err != nil {
			return "", err
		}
		blog, err := s.check(ctx)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("articles are published in the blog %s", blog), nil
	})
}

// session is one attempt at a shop.
type session struct {
	client   *cms.Client
	settings *v1alpha1.ShopifyConnection
	token    string
	// renew gets another token in place of one that the shop does not accept; nil if there is no other.
	renew func(context.Context) (string, error)
}

// blogID is the blog's global id.
func (s *session) blogID() string { return "gid://shopify/Blog/" + s.settings.BlogID }

const noBlog = "the shop has no such blog: check blogID"

type shop struct {
	PrimaryDomain struct {
		URL string `json:"url"`
	} `json:"primaryDomain"`
}

// check returns the handle of the blog, if the credentials may write its articles.
func (s *session) check(ctx context.Context) (string, error) {
	var answer struct {
		Installation struct {
			Scopes []struct {
				Handle string `json:"handle"`
			} `json:"accessScopes"`
		} `json:"currentAppInstallation"`
		Shop shop `json:"shop"`
		Blog *struct {
			Handle string `json:"handle"`
		} `json:"blog"`
	}
	if err := s.call(fence.ReadOnly(ctx), checkDocument, map[string]any{"blogID": s.blogID()}, &answer); err != nil {
		return "", err
	}
	scopes := []string{}
	for _, scope := range answer.Installation.Scopes {
		scopes = append(scopes, scope.Handle)
	}
	if !slices.Contains(scopes, "write_content") && !slices.Contains(scopes, "write_online_store_pages") {
		return "", cms.Fail(v1alpha1.ErrorMissingPermission, "the app lacks the scope write_content: grant it and install the app again")
	}
	if answer.Blog == nil {
		return "", cms.Fail(v1alpha1.ErrorNotFound, noBlog)
	}
	if answer.Shop.PrimaryDomain.URL == "" || answer.Blog.Handle == "" {
		return "", cms.Fail(v1alpha1.ErrorUnexpectedAnswer, "the answer lacks the shop's domain or the blog's handle")
	}
	return answer.Blog.Handle, nil
}
