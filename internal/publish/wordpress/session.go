package wordpress

import (
	"context"
	"crypto/sha256"
	"errors"
	"html"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/cms"
)

// session is one attempt at a WordPress whose API is known.
type session struct {
	setup

	client *cms.Client
	// http fetches images.
	http   *http.Client
	clock  clock.PassiveClock
	site   *v1alpha1.Site
	header http.Header
	// writes are the optional fields that the attempt writes into a post that exists.
	writes map[string]bool
}

func newSession(client *cms.Client, t publish.Target, login credentials, known setup) *session {
	return &session{
		setup: known, client: client, http: t.HTTP, clock: t.Clock, site: t.Site, writes: map[string]bool{},
		header: http.Header{"Authorization": {login.basic()}, "Accept": {"application/json"}},
	}
}

// open finds the API.
func open(ctx context.Context, client *cms.Client, t publish.Target, login credentials) (*session, error) {
	root, err := discover(ctx, client, t.Site.Spec.CMS.WordPress.URL)
	if err != nil {
		return nil, err
	}
	return newSession(client, t, login, setup{root: root, collection: "wp/v2/posts"}), nil
}

// call sends a request to the API and decodes the JSON of its answer, whose status must be want.
func (s *session) call(ctx context.Context, r call, into any) error {
	header := s.header.Clone()
	maps.Copy(header, r.header)
	a, err := s.client.Do(ctx, cms.Request{
		Method: r.method, URL: at(s.root, r.path, r.query), Header: header, JSON: r.body, File: r.file,
	})
	if err != nil {
		return err
	}
	if a.Status != r.want || !a.IsJSON() {
		return failureOf(a)
	}
	if err := a.Decode(into); err != nil {
		return cms.Fail(v1alpha1.ErrorUnexpectedAnswer, "WordPress answered JSON of another form: a plugin may change its REST API")
	}
	return nil
}

// call is one request below the API.
type call struct {
	method, path string
	query        url.Values
	body         any
	// file is sent in place of body, with the fields of header.
	file   []byte
	header http.Header
	// want is the status of success.
	want int
}

func get(path string, query url.Values) call {
	return call{method: http.MethodGet, path: path, query: query, want: http.StatusOK}
}

const (
	// maxSetups bounds how many are kept.
	maxSetups = 10_000
	// setupAge is how long what was read of a WordPress is used, so that at a slow one an article takes two requests and not eight.
	setupAge = 5 * time.Minute
)

// setup is what publishing needs to know of a WordPress, and what most articles have in common.
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
	key := c.setupKey(t, login)
	if known, _ := c.setups.Get(key); known != nil {
		if s, ok := known.(setup); ok && t.Clock.Now().Before(s.until) {
			return newSession(client, t, login, s), nil
		}
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

// maxHomePage is how much of the home page is read, in bytes: the head of the page is in it.
const maxHomePage = 256 << 10

var (
	// linkHeader finds the address of the API in a value of the header Link.
	linkHeader = regexp.MustCompile(`<([^>]*)>\s*;[^,]*rel="?https://api\.w\.org/"?`)
	// linkElement finds it in the head of the page: some hosts drop the header.
	linkElement = regexp.MustCompile(`<link\s[^>]*rel=["']https://api\.w\.org/["'][^>]*>`)
	hrefOf      = regexp.MustCompile(`href=["']([^"']*)["']`)
)

// discover returns the address of the REST API, which the home page names. It is elsewhere on sites with plain permalinks, in a
// folder, or with another prefix; a request to a guessed address may be answered 200 by a page. It is sent no credentials.
func discover(ctx context.Context, client *cms.Client, home string) (*url.URL, error) {
	a, err := client.Do(ctx, cms.Request{Method: http.MethodGet, URL: home, MaxBytes: maxHomePage, Cut: true, Follow: true})
	if err != nil {
		return nil, err
	}
	if a.Status != http.StatusOK {
		return nil, homeFailure(a)
	}
	link := apiLink(a)
	if link == "" {
		return nil, cms.Fail(v1alpha1.ErrorNotFound, "url names no WordPress with a REST API: use its home page's address")
	}
	root, err := a.URL.Parse(link)
	if err != nil || !cms.SameHost(a.URL, root) {
		return nil, cms.Fail(v1alpha1.ErrorUnexpectedAnswer,
			"WordPress says that its address is another one: use that, or correct its settings")
	}
	return root, nil
}

func homeFailure(a cms.Answer) error {
	failure := cms.FailureOf(a, "the home page")
	switch failure.Class {
	case v1alpha1.ErrorRateLimited, v1alpha1.ErrorUnavailable:
		return failure
	case v1alpha1.ErrorNotFound:
		failure.Message += ": correct url"
	default:
		// The page is for everybody; who refuses it is not WordPress.
		failure.Class = v1alpha1.ErrorUnexpectedAnswer
		failure.Message += ": the web server or a firewall must let Pressroom in"
	}
	return failure
}

// apiLink returns the address of the API as the home page names it, or "".
func apiLink(a cms.Answer) string {
	for _, value := range a.Header.Values("Link") {
		if found := linkHeader.FindStringSubmatch(value); found != nil {
			return found[1]
		}
	}
	if href := hrefOf.FindSubmatch(linkElement.Find(a.Body)); href != nil {
		return html.UnescapeString(string(href[1]))
	}
	return ""
}

// at returns the address of a path below the API, such as wp/v2/posts.
func at(root *url.URL, path string, query url.Values) string {
	u := *root
	values := u.Query()
	if route := values.Get("rest_route"); route != "" {
		values.Set("rest_route", strings.TrimSuffix(route, "/")+"/"+path)
	} else {
		u = *u.JoinPath(path)
	}
	maps.Copy(values, query)
	u.RawQuery = values.Encode()
	return u.String()
}
