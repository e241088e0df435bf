package webflow

import (
	"context"
	"crypto/sha256"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
	"k8s.io/utils/lru"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish/cms"
)

// call sends one request within the limit of the site, and reads an answer of 2xx into result. Another answer is an *apiError.
func (s session) call(ctx context.Context, method, path string, body, result any) error {
	if err := s.wait(ctx); err != nil {
		return err
	}
	a, err := s.client.Do(ctx, cms.Request{
		Method: method, URL: baseURL + path, JSON: body,
		Header: http.Header{"Authorization": {"Bearer " + s.token}, "Accept": {"application/json"}},
	})
	if err != nil {
		return err
	}
	if a.Status == http.StatusNoContent {
		return nil
	}
	if !a.IsJSON() {
		if failure := cms.FailureOf(a, "Webflow"); failure.Class != v1alpha1.ErrorUnexpectedAnswer && a.Status > 299 {
			return failure
		}
		return cms.Fail(v1alpha1.ErrorUnexpectedAnswer, "the answer is not the JSON of Webflow's API")
	}
	if a.Status < 200 || a.Status > 299 {
		return newAPIError(a, scopeOf(method, path))
	}
	if err := a.Decode(result); err != nil {
		return cms.Fail(v1alpha1.ErrorUnexpectedAnswer, "the answer lacks what Webflow's API answers")
	}
	return nil
}

// apiError is an error of Webflow's API.
type apiError struct {
	// means says what it means for the attempt.
	means  *cms.Error
	status int
	// duplicate means that another item has the slug.
	duplicate bool
}

func (e *apiError) Error() string { return e.means.Message }

// Unwrap returns the cause.
func (e *apiError) Unwrap() error { return e.means }

// scopeOf is the scope that a request needs.
func scopeOf(method, path string) string {
	switch {
	case method != http.MethodGet:
		return "cms:write"
	case strings.HasPrefix(path, "/sites/") && !strings.HasSuffix(path, "/collections"):
		return "sites:read"
	default:
		return "cms:read"
	}
}

func newAPIError(a cms.Answer, scope string) *apiError {
	var body struct {
		Details []struct {
			Param       string `json:"param"`
			Description string `json:"description"`
		} `json:"details"`
	}
	e, duplicate := cms.FailureOf(a, "Webflow"), false
	switch a.Status {
	case http.StatusUnauthorized:
		e.Message = "Webflow does not accept the token: make a new site token and put it in the Secret"
	case http.StatusForbidden:
		e.Message = "the site token lacks the scope " + scope + ": make one that has it"
	case http.StatusTooManyRequests:
		e.Message = "Webflow asks for fewer requests: the next attempt waits as long as it says"
	case http.StatusConflict:
		// Only Webflow's designer can publish what was changed there, and then the next attempt can succeed.
		e.Class, e.Message = v1alpha1.ErrorUnavailable, "Webflow has unpublished changes of the collection: publish the site in Webflow"
	case http.StatusBadRequest:
		e.Message = "Webflow does not accept the item: compare it with the fields of the collection"
		if a.Decode(&body) == nil && len(body.Details) > 0 && cms.Name(body.Details[0].Param) != "" {
			e.Message = "Webflow does not accept the field " + body.Details[0].Param
			duplicate = body.Details[0].Param == "slug" && strings.Contains(body.Details[0].Description, "already in database")
		}
	}
	return &apiError{e, a.Status, duplicate}
}

// notFound describes a 404 by what was asked for.
func notFound(err error, message string) error {
	if e, ok := asAPIError(err); ok && e.status == http.StatusNotFound {
		return cms.Fail(v1alpha1.ErrorNotFound, "%s", message)
	}
	return err
}

// itemsPath is the path of the items of the collection.
func (s session) itemsPath() string { return s.collectionPath() + "/items" }

func (s session) collectionPath() string {
	return "/collections/" + url.PathEscape(s.settings.CollectionID)
}

func (s session) sitePath() string { return "/sites/" + url.PathEscape(s.settings.SiteID) }

// Webflow allows 60 requests a minute on most plans. A burst of 10 and 50 a minute are never more than 60 in any minute.
const (
	burst    = 10
	interval = time.Minute / 50
)

// limitKey identifies who uses up the requests of a site: a site's id is in each of its pages, and others may send requests in its name.
type limitKey struct {
	siteID string
	token  [sha256.Size]byte
}

// limits has the limit of each site and token.
type limits struct {
	mu    sync.Mutex
	sites *lru.Cache
}

// of returns the limit of a site and a token.
func (l *limits) of(siteID, token string) *rate.Limiter {
	key := limitKey{siteID, sha256.Sum256([]byte(token))}
	l.mu.Lock()
	defer l.mu.Unlock()
	found, _ := l.sites.Get(key)
	if known, ok := found.(*rate.Limiter); ok {
		return known
	}
	made := rate.NewLimiter(rate.Every(interval), burst)
	l.sites.Add(key, made)
	return made
}

// wait waits until the site accepts another request. It fails at once if that is after the end of the attempt.
func (s session) wait(ctx context.Context) error {
	now := s.clock.Now()
	turn := s.limit.ReserveN(now, 1)
	delay := turn.DelayFrom(now)
	if delay == 0 {
		return nil
	}
	if err := s.client.Wait(ctx, delay, "Webflow allows 60 requests a minute for a site: the rest waits"); err != nil {
		turn.CancelAt(now)
		return err
	}
	return nil
}
