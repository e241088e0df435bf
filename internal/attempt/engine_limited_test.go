package attempt_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/attempt"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/backoff"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/wordpress"
	"github.com/pressroom-dev/pressroom/test/fakewordpress"
)

// limitedReceiver admits some requests a minute. It answers the others 429, with the end of the minute as Retry-After.
type limitedReceiver struct {
	perMinute int
	// mu guards what follows: requests are answered at the same time.
	mu       sync.Mutex
	admitted int
	minute   time.Time
	// asked is when the last Retry-After was sent, until the time that it named. early counts the requests that began in between.
	asked, until time.Time
	early        int
}

func (l *limitedReceiver) answer(context.Context) publish.Outcome {
	l.mu.Lock()
	if now := time.Now(); now.After(l.asked) && now.Before(l.until) {
		l.early++
	}
	l.mu.Unlock()
	<-time.After(100 * time.Millisecond)
	l.mu.Lock()
	defer l.mu.Unlock()
	if minute := time.Now().Truncate(time.Minute); minute.After(l.minute) {
		l.minute, l.admitted = minute, 0
	}
	if l.admitted++; l.admitted <= l.perMinute {
		return publish.Outcome{AttemptResult: v1alpha1.AttemptResult{Outcome: v1alpha1.AttemptAccepted, HTTPStatus: http.StatusOK}}
	}
	l.asked, l.until = time.Now(), l.minute.Add(time.Minute)
	return publish.Outcome{
		AttemptResult: v1alpha1.AttemptResult{Outcome: v1alpha1.AttemptRejected, HTTPStatus: http.StatusTooManyRequests},
		RetryAfter:    time.Until(l.until),
	}
}

// approved is an article of a controller whose status is in memory.
type approved struct {
	*subject
	request inflight.SlotRequest
	record  v1alpha1.DeliveryRecord
	send    func(context.Context) publish.Outcome
}

func (a *approved) SlotRequest(context.Context) (inflight.SlotRequest, error) { return a.request, nil }

func (a *approved) Attempt() string { return cycles.InProgress(&a.record).ID }

func (a *approved) Prepare(context.Context) (attempt.Plan[publish.Outcome], error) {
	return attempt.Plan[publish.Outcome]{Send: a.send}, nil
}

func (a *approved) Begin(_ context.Context, id cycles.AttemptID) (due time.Time, err error) {
	cycles.Begin(&a.record, id, a.record.Cycle == nil, time.Now())
	return due, nil
}

func (a *approved) End(_ context.Context, o publish.Outcome) (string, error) {
	end := cycles.End{AttemptResult: o.AttemptResult, Final: o.Final, Uncounted: o.Uncounted, RetryAfter: o.RetryAfter}
	cycles.RecordEnd(&a.record, end, cycles.Schedule{Delays: backoff.DefaultRetryDelays(), Random: 0.5}, time.Now())
	return string(o.Outcome), nil
}

// state of the article's cycle; "" before the first attempt.
func (a *approved) state() v1alpha1.CycleState {
	if a.record.Cycle == nil {
		return ""
	}
	return a.record.Cycle.State
}

// reconcile does the next step of an article, and queues it again when its retry is due.
func (a *approved) reconcile(t *testing.T, e *attempt.Engine[publish.Outcome], queue chan<- types.NamespacedName) {
	t.Helper()
	defer e.Calls.Begin(a.Key())()
	var err error
	switch a.state() {
	case v1alpha1.CycleInProgress:
		_, _, err = e.Follow(t.Context(), a)
	case v1alpha1.CycleRetryScheduled:
		if time.Until(a.record.Cycle.NextAttemptTime.Time) <= 0 {
			_, err = e.Start(t.Context(), a)
		}
	case "":
		_, err = e.Start(t.Context(), a)
	default:
	}
	if err != nil {
		t.Fatal(err)
	}
	if a.state() == v1alpha1.CycleRetryScheduled {
		if wait := time.Until(a.record.Cycle.NextAttemptTime.Time); wait > 0 {
			time.AfterFunc(wait, func() { queue <- a.Key() })
		}
	}
}

// publishAll publishes articles that are approved at once, and returns how many are published and how many failed after at most 4 hours,
// and how many attempts those took that are published.
func publishAll(t *testing.T, articles int, r inflight.SlotRequest, send func(name string) func(context.Context) publish.Outcome) (published, failed, sent int) {
	t.Helper()
	began := time.Now()
	e := newEngine(64)
	e.Clock = clock.RealClock{}
	e.Calls = inflight.New(inflight.Limits{Total: 64, PerHost: perHost}, inflight.Results[publish.Outcome]{
		RetryAfter: func(o publish.Outcome) time.Duration { return o.RetryAfter },
	})
	queue := make(chan types.NamespacedName, 4*articles)
	e.Calls.Notify(func(key types.NamespacedName) { queue <- key })
	all := map[types.NamespacedName]*approved{}
	for i := range articles {
		name := fmt.Sprintf("a-%04d", i)
		a := &approved{subject: newSubject(name), request: r, send: send(name)}
		all[a.Key()] = a
		queue <- a.Key()
	}
	for published+failed < articles && time.Since(began) < 4*time.Hour {
		a := all[<-queue]
		before := a.state()
		a.reconcile(t, e, queue)
		if a.state() == before {
			continue
		}
		switch a.state() {
		case v1alpha1.CycleAccepted:
			published++
			sent += len(a.record.Attempts)
		case v1alpha1.CycleFailed:
			failed++
		default:
		}
	}
	return published, failed, sent
}

// perHost is how many calls one host has at a time.
const perHost = 8

// A receiver's limit is no failure of the articles that wait for it: they begin no attempt before the time that it asks for.
func TestABulkIsPublishedAtTheRateThatTheReceiverAdmits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const articles, perMinute = 1000, 100
		began := time.Now()
		r := &limitedReceiver{perMinute: perMinute}
		published, failed, sent := publishAll(t, articles, receiver, func(string) func(context.Context) publish.Outcome { return r.answer })
		if took := time.Since(began); published != articles || failed != 0 || took > 12*time.Minute {
			t.Errorf("after %s, %d are published and %d failed, want all %d published", took, published, failed, articles)
		}
		if r.early > 0 {
			t.Errorf("%d requests came before the time that the receiver asked for", r.early)
		}
		// Those that were in progress when the minute was used up.
		if most := articles + perHost*articles/perMinute; sent > most {
			t.Errorf("%d requests were sent, want at most %d", sent, most)
		}
	})
}

// slow is a WordPress that takes 4 seconds for each request, as small shared hosts do.
type slow struct {
	blog *fakewordpress.Blog
	// requests counts those that were sent, one at a time.
	requests *int
}

func (s slow) RoundTrip(r *http.Request) (*http.Response, error) {
	*s.requests++
	select {
	case <-time.After(4 * time.Second):
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	answer := httptest.NewRecorder()
	s.blog.ServeHTTP(answer, r)
	got := answer.Result()
	got.Request = r
	return got, nil
}

// Waiting for one's turn at a slow WordPress is no attempt, and an attempt reads nothing that is known.
func TestABulkIsPublishedToASlowWordPress(t *testing.T) {
	blog := fakewordpress.New()
	defer blog.Close()
	synctest.Test(t, func(t *testing.T) {
		const articles = 200
		began, requests := time.Now(), 0
		connector, site := wordpress.New(), &v1alpha1.Site{}
		site.Spec.CMS.WordPress = &v1alpha1.WordPressConnection{
			URL: blog.URL, CredentialsSecretRef: v1alpha1.LocalReference{Name: "wordpress"}, Categories: []string{"news"},
		}
		to := publish.Target{
			Site: site, PlainHTTP: true, Clock: clock.RealClock{}, HTTP: &http.Client{Transport: slow{blog, &requests}},
			Secrets: publish.Secrets{
				{Name: "wordpress", Key: "username"}: []byte(blog.Username), {Name: "wordpress", Key: "password"}: []byte(blog.Password),
			},
		}
		c := connector.Connection(site)
		request := inflight.SlotRequest{Account: "acme", Host: c.Host, Serial: c.Serial}
		published, failed, sent := publishAll(t, articles, request, func(name string) func(context.Context) publish.Outcome {
			a := publish.Article{HTML: "<p>Grip.</p>", Document: content.Document{Title: name, Slug: name, Language: "en"}}
			return func(ctx context.Context) publish.Outcome { return connector.Publish(ctx, to, a) }
		})
		if published != articles || failed != 0 || len(blog.Posts()) != articles {
			t.Errorf("%d are published and %d failed, want all %d published", published, failed, articles)
		}
		if sent > articles+1 {
			t.Errorf("%d attempts were made, want one for each article and one in which the WordPress was not known", sent)
		}
		// An article takes a look-up and a write. What all have in common is read every 5 minutes.
		if most := 2*articles + 6*(1+int(time.Since(began)/(5*time.Minute))); requests > most {
			t.Errorf("%d requests were made, want at most %d", requests, most)
		}
	})
}
