package cms_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	testclock "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/cms"
)

const secret = "the-token-of-the-customer"

func target() publish.Target {
	policy := egress.Policy{AllowCIDRs: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	return publish.Target{
		Site: &v1alpha1.Site{}, HTTP: egress.NewClient(policy, 0), PlainHTTP: true, Clock: testclock.NewFakeClock(time.Unix(1_800_000_000, 0)),
	}
}

// outcomeOf makes an attempt of one request.
func outcomeOf(t *testing.T, target publish.Target, r cms.Request) publish.Outcome {
	t.Helper()
	return cms.Test(t.Context(), target, []string{secret}, func(ctx context.Context, c *cms.Client) (string, error) {
		a, err := c.Do(ctx, r)
		if err != nil {
			return "", err
		}
		if a.Status != http.StatusOK {
			return "", cms.FailureOf(a, "the CMS")
		}
		return "fine", nil
	})
}

func serve(t *testing.T, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

func TestAStatusMeansAFailure(t *testing.T) {
	for status, want := range map[int]struct {
		class v1alpha1.ErrorClass
		final bool
		after time.Duration
	}{
		400: {v1alpha1.ErrorInvalidContent, true, 0}, 401: {v1alpha1.ErrorWrongCredentials, true, 0}, 403: {v1alpha1.ErrorMissingPermission, true, 0},
		404: {v1alpha1.ErrorNotFound, true, 0}, 413: {v1alpha1.ErrorInvalidContent, true, 0}, 429: {v1alpha1.ErrorRateLimited, false, 7 * time.Second},
		500: {v1alpha1.ErrorUnavailable, false, 0}, 503: {v1alpha1.ErrorUnavailable, false, 7 * time.Second}, 405: {v1alpha1.ErrorUnexpectedAnswer, false, 0},
	} {
		server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(status)
			_, _ = w.Write([]byte("not with " + secret))
		})
		o := outcomeOf(t, target(), cms.Request{Method: http.MethodGet, URL: server.URL})
		if o.Outcome != v1alpha1.AttemptRejected || o.ErrorClass != want.class || o.Final != want.final || o.RetryAfter != want.after || int(o.HTTPStatus) != status {
			t.Errorf("%d: %+v", status, o)
		}
		if o.Snippet != "not with [redacted]" || strings.Contains(o.Message, secret) || len(o.Message) > v1alpha1.MaxAttemptMessageBytes {
			t.Errorf("%d: %q, %q", status, o.Message, o.Snippet)
		}
	}
}

func TestRedirectsAreFollowedToTheSameHostOnly(t *testing.T) {
	other := serve(t, func(_ http.ResponseWriter, r *http.Request) { t.Errorf("the other host was asked for %s", r.URL) })
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/here":
			http.Redirect(w, r, "/there", http.StatusMovedPermanently)
		case "/away":
			http.Redirect(w, r, other.URL, http.StatusFound)
		case "/round":
			http.Redirect(w, r, "/round", http.StatusFound)
		case "/nowhere":
			w.WriteHeader(http.StatusFound)
		}
	})
	for name, tt := range map[string]struct {
		path string
		stay bool
		want v1alpha1.AttemptOutcome
	}{
		"to the same host":                     {"/here", false, v1alpha1.AttemptAccepted},
		"of a request that may not follow any": {"/here", true, v1alpha1.AttemptRejected},
		"to another host":                      {"/away", false, v1alpha1.AttemptRejected},
		"without an end":                       {"/round", false, v1alpha1.AttemptRejected},
		"without an address":                   {"/nowhere", false, v1alpha1.AttemptRejected},
	} {
		o := outcomeOf(t, target(), cms.Request{Method: http.MethodGet, URL: server.URL + tt.path, Follow: !tt.stay})
		if o.Outcome != tt.want || o.Outcome == v1alpha1.AttemptRejected && o.ErrorClass != v1alpha1.ErrorUnexpectedAnswer {
			t.Errorf("a redirect %s: %+v", name, o)
		}
	}
}

func TestCredentialsAreSentByTLSAlone(t *testing.T) {
	server := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("the request was sent") })
	to := target()
	to.PlainHTTP = false
	o := outcomeOf(t, to, cms.Request{Method: http.MethodGet, URL: server.URL})
	if o.Outcome != v1alpha1.AttemptAddressBlocked || !o.Final || !strings.Contains(o.Message, "must be https") {
		t.Errorf("%+v", o)
	}
}

func TestAPrivateAddressIsRefused(t *testing.T) {
	to := target()
	to.HTTP = egress.NewClient(egress.Policy{}, 0)
	o := outcomeOf(t, to, cms.Request{Method: http.MethodGet, URL: "https://127.0.0.1/"})
	if o.Outcome != v1alpha1.AttemptAddressBlocked || !o.Final {
		t.Errorf("%+v", o)
	}
}

func TestAnAnswerIsReadWithinBounds(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("12345678")) })
	for bound, want := range map[int64]v1alpha1.AttemptOutcome{8: v1alpha1.AttemptAccepted, 7: v1alpha1.AttemptRejected} {
		if o := outcomeOf(t, target(), cms.Request{Method: http.MethodGet, URL: server.URL, MaxBytes: bound}); o.Outcome != want {
			t.Errorf("at most %d bytes: %+v", bound, o)
		}
	}
	if o := outcomeOf(t, target(), cms.Request{Method: http.MethodGet, URL: server.URL, MaxBytes: 7, Cut: true}); o.Outcome != v1alpha1.AttemptAccepted {
		t.Errorf("cut: %+v", o)
	}
}

func TestAnAttemptThatEndsWithoutAnAnswer(t *testing.T) {
	server := serve(t, func(http.ResponseWriter, *http.Request) {})
	server.Close()
	o := outcomeOf(t, target(), cms.Request{Method: http.MethodGet, URL: server.URL})
	if o.Outcome != v1alpha1.AttemptConnectionFailed || o.ErrorClass != v1alpha1.ErrorConnection || o.Final {
		t.Errorf("%+v", o)
	}
}

func TestTheIDOfAPostIsKnownAlsoIfTheAttemptFailsLater(t *testing.T) {
	o := cms.Publish(t.Context(), target(), publish.Article{}, nil, func(context.Context, *cms.Client) (cms.Post, error) {
		return cms.Post{ID: "17", URL: "https://acme.example/a"}, cms.Fail(v1alpha1.ErrorUnavailable, "later")
	})
	if o.ID != "17" || o.URL != "" || o.Outcome != v1alpha1.AttemptRejected {
		t.Errorf("%+v", o)
	}
}

func TestAllRequestsOfAnAttemptShareOneDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		to := target()
		to.HTTP = &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			select {
			case <-time.After(20 * time.Second):
				return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody, Request: r}, nil
			case <-r.Context().Done():
				return nil, r.Context().Err()
			}
		})}
		began, answered := time.Now(), 0
		o := cms.Test(t.Context(), to, nil, func(ctx context.Context, c *cms.Client) (string, error) {
			for {
				if _, err := c.Do(ctx, cms.Request{Method: http.MethodGet, URL: "https://acme.example"}); err != nil {
					return "", err
				}
				answered++
			}
		})
		if o.Outcome != v1alpha1.AttemptTimeout || o.Final || answered != 1 || time.Since(began) != 30*time.Second {
			t.Errorf("%+v after %s and %d answers", o, time.Since(began), answered)
		}
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestAWaitEndsWithTheAttempt(t *testing.T) {
	clock := testclock.NewFakeClock(time.Unix(1_800_000_000, 0))
	to := target()
	to.Clock = clock
	waited := make(chan error, 1)
	go cms.Test(t.Context(), to, nil, func(ctx context.Context, c *cms.Client) (string, error) {
		waited <- c.Wait(ctx, 5*time.Second, "slowly")
		return "", nil
	})
	for !clock.HasWaiters() {
		select {
		case err := <-waited:
			t.Fatalf("it does not wait: %v", err)
		case <-time.After(time.Millisecond):
		}
	}
	clock.Step(5 * time.Second)
	if err := <-waited; err != nil {
		t.Errorf("Wait = %v", err)
	}
	o := cms.Test(t.Context(), to, nil, func(ctx context.Context, c *cms.Client) (string, error) {
		return "", c.Wait(ctx, time.Minute, "slowly")
	})
	if o.ErrorClass != v1alpha1.ErrorRateLimited || o.RetryAfter != time.Minute || o.Message != "slowly" {
		t.Errorf("a wait over the deadline: %+v", o)
	}
}

// A CMS that repeats what it was sent may do so in a post, and in what a test reads.
func TestNothingThatASuccessShowsHasASecret(t *testing.T) {
	to := target()
	published := cms.Publish(t.Context(), to, publish.Article{}, []string{secret}, func(context.Context, *cms.Client) (cms.Post, error) {
		return cms.Post{ID: secret, URL: "https://blog.example/?key=" + secret, Slug: secret}, nil
	})
	tested := cms.Test(t.Context(), to, []string{secret}, func(_ context.Context, c *cms.Client) (string, error) {
		c.Hide("granted-on-the-way")
		return "articles become items of granted-on-the-way", nil
	})
	for _, o := range []publish.Outcome{published, tested} {
		for _, text := range []string{o.ID, o.URL, o.Slug, o.Message, o.Snippet} {
			if o.Outcome != v1alpha1.AttemptAccepted || strings.Contains(text, secret) || strings.Contains(text, "granted") {
				t.Errorf("%s: %q", o.Outcome, text)
			}
		}
	}
}
