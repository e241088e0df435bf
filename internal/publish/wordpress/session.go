package wordpress

import (
	"context"
	"maps"
	"net/http"
	"net/url"

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
	client.HideAddress(t.Site.Spec.CMS.WordPress.URL)
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
