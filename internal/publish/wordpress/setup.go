package wordpress

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/url"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/cms"
)

const (
	// maxSetups bounds how many are kept.
	maxSetups = 10_000
	// setupAge is how long what was read of a WordPress is used, so that at a slow one an article takes two requests and not eight.
	setupAge = 5 * time.Minute
)

// setup has the facts about a WordPress that publishing needs, and the values that most articles share.
type setup struct {
	root *url.URL
	// collection is the path of the posts, such as wp/v2/posts.
	collection string
	// permissions that writing needs, by their names for posts.
	permissions map[string]string
	// termIDs are those of the Site's categories and tags, by the names of the fields of a post.
	termIDs map[string][]int64
	// seoKeys are the meta fields for SEO texts that are registered.
	seoKeys map[string]bool
	until   time.Time
}

// setupKey identifies the settings and the credentials that a setup was read with.
type setupKey struct {
	settings string
	login    [sha256.Size]byte
}

// prepare returns the session of an attempt. It reads the settings of the WordPress site unless they are in memory.
func (c Connector) prepare(ctx context.Context, client *cms.Client, t publish.Target, login credentials) (*session, error) {
	client.HideAddress(t.Site.Spec.CMS.WordPress.URL)
	key := c.setupKey(t, login)
	known, _ := c.setups.Get(key)
	if s, ok := known.(setup); ok && t.Clock.Now().Before(s.until) {
		return newSession(client, t, login, s), nil
	}
	s, err := open(ctx, client, t, login)
	if err != nil {
		return nil, err
	}
	if err := s.checkUser(ctx); err != nil {
		return nil, err
	}
	if s.termIDs, err = s.terms(ctx); err != nil {
		return nil, err
	}
	if s.seoKeys, err = s.registered(ctx); err != nil {
		return nil, err
	}
	s.until = t.Clock.Now().Add(setupAge)
	c.setups.Add(key, s.setup)
	return s, nil
}

func (c Connector) setupKey(t publish.Target, login credentials) setupKey {
	return setupKey{c.Connection(t.Site).SettingsHash(), sha256.Sum256([]byte(login.basic()))}
}

// forget has the next attempt read everything again, if an attempt failed because of what WordPress answered.
func (c Connector) forget(t publish.Target, login credentials, err error) {
	failure, ok := errors.AsType[*cms.Error](err)
	if !ok {
		return
	}
	switch failure.Class {
	case v1alpha1.ErrorRateLimited, v1alpha1.ErrorUnavailable, v1alpha1.ErrorSlugTaken, v1alpha1.ErrorChangedAtSite:
	default:
		c.setups.Remove(c.setupKey(t, login))
	}
}
