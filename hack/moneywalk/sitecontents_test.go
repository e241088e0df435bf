package moneywalk_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/fakewordpress"
)

const blogUser = "author"

// blogPassword is the password of the WordPress of a history. It differs, because the connector remembers the settings of a WordPress by its
// password, and no history may depend on an earlier one.
func blogPassword(n uint64) string { return "abcd efgh " + strconv.FormatUint(n, 10) }

// siteAddresses are those between which the Site changes.
var siteAddresses = [2]string{"https://acme.example", "https://other.example"}

// siteAnswer is what a site does with a request as it comes. Its answer comes later.
type siteAnswer struct {
	what   string
	weight int
	// stores means that the site does what it is asked for.
	stores bool
	// status of the answer; 0 is none, and the connection ends. silent means that it does not end either.
	status int
	silent bool
}

var siteAnswers = []siteAnswer{
	{what: "is well", weight: 30, stores: true, status: http.StatusOK},
	{what: "stores, and answers 500", weight: 6, stores: true, status: http.StatusInternalServerError},
	{what: "stores, and does not answer", weight: 4, stores: true, silent: true},
	{what: "stores, and cuts the connection", weight: 4, stores: true},
	{what: "refuses with 503", weight: 4, status: http.StatusServiceUnavailable},
	{what: "refuses with 422", weight: 2, status: http.StatusUnprocessableEntity},
	{what: "cuts the connection", weight: 2},
}

// answer draws what a site does with a request. It is called with the lock.
func (w *siteWalk) answer() siteAnswer {
	total := 0
	for _, a := range siteAnswers {
		total += a.weight
	}
	pick := w.random.IntN(total)
	for _, a := range siteAnswers {
		if pick -= a.weight; pick < 0 && !w.draining {
			return a
		}
	}
	return siteAnswers[0]
}

// siteContents are what the sites at both addresses have.
type siteContents struct {
	// blogs are WordPresses; nil if the site has a webhook.
	blogs [2]*fakewordpress.Blog
	// hooked are the titles by slug that a webhook was sent.
	hooked [2]map[string]string
}

func newSiteContents(wordpress bool, password string) siteContents {
	s := siteContents{hooked: [2]map[string]string{{}, {}}}
	for i, address := range siteAddresses {
		if wordpress {
			s.blogs[i] = &fakewordpress.Blog{
				Server: &httptest.Server{URL: address}, Username: blogUser, Password: password,
				Capabilities: map[string]bool{"edit_posts": true, "publish_posts": true},
			}
		}
	}
	return s
}

// connection returns that to one of the addresses.
func (s siteContents) connection(to int) v1alpha1.SiteCMS {
	if s.blogs[to] != nil {
		return v1alpha1.SiteCMS{Type: v1alpha1.CMSWordPress, WordPress: &v1alpha1.WordPressConnection{
			URL: siteAddresses[to], CredentialsSecretRef: v1alpha1.LocalReference{Name: signing.Name},
		}}
	}
	return v1alpha1.SiteCMS{Type: v1alpha1.CMSHeadless, Headless: &v1alpha1.HeadlessConnection{
		URL: siteAddresses[to] + "/hook", SigningSecretRef: signing, PayloadFormat: v1alpha1.PayloadJSON,
		Updates: v1alpha1.HeadlessUpdatesRepublish,
	}}
}

// titles returns those of the posts that a site shows under a slug.
func (s siteContents) titles(of int, slug string) []string {
	if s.blogs[of] == nil {
		if title, there := s.hooked[of][slug]; there {
			return []string{title}
		}
		return nil
	}
	var shown []string
	for _, p := range s.blogs[of].Posts() {
		if p.Slug == slug && p.Status == "publish" {
			shown = append(shown, p.Title)
		}
	}
	return shown
}

// siteOf are the sites as one controller process reaches them.
type siteOf struct {
	w *siteWalk
	v *view
}

// RoundTrip implements http.RoundTripper. Requests are stored in the order in which they come.
func (s siteOf) RoundTrip(q *http.Request) (*http.Response, error) {
	if s.v.dead {
		return nil, errCutOff
	}
	var body []byte
	if q.Body != nil {
		var err error
		if body, err = io.ReadAll(q.Body); err != nil {
			return nil, err
		}
	}
	defer s.v.thaw()
	if q.Method != http.MethodPost && q.Method != http.MethodDelete {
		if s.w.chance(8) {
			return answerOf(q, http.StatusServiceUnavailable), nil
		}
		return s.store(q, body), nil
	}
	how := s.receive(body)
	var answer *http.Response
	if how.stores {
		answer = s.store(q, body)
	}
	err := s.w.await(q.Context(), s.v, &s.w.requests)
	switch {
	case err != nil:
		return nil, err
	case how.status == http.StatusOK:
		return answer, nil
	case how.status != 0:
		return answerOf(q, how.status), nil
	case how.silent:
		<-q.Context().Done()
		return nil, q.Context().Err()
	default:
		return nil, errors.New("the connection broke")
	}
}

// chance is 1 in n until the history is at its end.
func (w *siteWalk) chance(n int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.draining && w.random.IntN(n) == 0
}

func answerOf(q *http.Request, status int) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: http.NoBody, Request: q}
}

// store does what a site is asked for.
func (s siteOf) store(q *http.Request, body []byte) *http.Response {
	to := slices.Index(siteAddresses[:], "https://"+q.URL.Host)
	if blog := s.w.sites.blogs[to]; blog != nil {
		answer, again := httptest.NewRecorder(), q.Clone(q.Context())
		again.Body = io.NopCloser(bytes.NewReader(body))
		blog.Serve(answer, again)
		result := answer.Result()
		result.Request = q
		return result
	}
	s.w.mu.Lock()
	defer s.w.mu.Unlock()
	of := s.w.posts.read(body)
	s.w.sites.hooked[to][of.Slug] = of.Title
	answer := answerOf(q, http.StatusOK)
	answer.Body = io.NopCloser(strings.NewReader(`{}`))
	return answer
}

// receive draws what a site does with a request, and checks that a text that is sent was approved.
func (s siteOf) receive(body []byte) siteAnswer {
	s.w.mu.Lock()
	defer s.w.mu.Unlock()
	how := s.w.answer()
	s.w.counts["site "+how.what]++
	s.w.notef("    the site %s: %s", how.what, body)
	var of struct {
		Title string `json:"title"`
	}
	if len(body) == 0 || json.Unmarshal(body, &of) != nil || of.Title == "" {
		return how
	}
	if !s.w.approved[of.Title] {
		s.w.failf("%q was sent, and nobody has approved it", of.Title)
	}
	return how
}
