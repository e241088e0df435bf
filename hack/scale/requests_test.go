//go:build e2e

package scale_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

const (
	// A sample of reads has so many, one after another, each so long after the one before: a key may make 100 in a second.
	reads, readEvery = 500, 15 * time.Millisecond
	// A sample of pages of the dashboard has so many: a person may open 5 in a second.
	pages, pageEvery = 150, 210 * time.Millisecond
	// A sample of requests to generate has so many of each account, in turn: an account may ask for 60 in a minute.
	generations, generateEvery, generators = 40, 100 * time.Millisecond, 10
	// pageSize is the size of a page of a list.
	pageSize = 20
)

// person sends the requests of a key, about one workspace.
type person struct{ url, key, workspace string }

func (w *world) person(account string) *person { return &person{w.APIURL(), w.keys[account], account} }

// send sends a request that is answered with a status, and returns the answer.
func (p *person) send(t *testing.T, wanted int, method, path string, body any) []byte {
	t.Helper()
	var text []byte
	if body != nil {
		var err error
		text, err = json.Marshal(body)
		must(t, err)
	}
	request, err := http.NewRequestWithContext(t.Context(), method, p.url+path, bytes.NewReader(text))
	must(t, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("x-api-key", p.key)
	request.Header.Set("x-workspace-id", p.workspace)
	return answerOf(t, request, wanted)
}

// answerOf sends a request without following redirects, and returns the body of the answer.
func answerOf(t *testing.T, request *http.Request, wanted int) []byte {
	t.Helper()
	answer, err := http.DefaultTransport.RoundTrip(request)
	must(t, err)
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	must(t, err)
	if answer.StatusCode != wanted {
		t.Fatalf("%s %s is answered %s: %.500s", request.Method, request.URL.Path, answer.Status, data)
	}
	return data
}

// signIn signs a person in to the dashboard, and returns the cookie, which a client would not send without TLS.
func (p *person) signIn(t *testing.T) string {
	t.Helper()
	form := url.Values{"key": {p.key}}.Encode()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.url+"/oauth/sign-in", strings.NewReader(form))
	must(t, err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := http.DefaultTransport.RoundTrip(request)
	must(t, err)
	defer answer.Body.Close()
	cookie, _, _ := strings.Cut(answer.Header.Get("Set-Cookie"), ";")
	if cookie == "" {
		t.Fatalf("nobody is signed in: %s", answer.Status)
	}
	return cookie
}

// page reads a page of the dashboard.
func (p *person) page(t *testing.T, cookie, path string) []byte {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+path, http.NoBody)
	must(t, err)
	request.Header.Set("Cookie", cookie)
	return answerOf(t, request, http.StatusOK)
}

// sample does something again and again, at a pace, and returns how long each took.
func sample(n int, pace time.Duration, do func(i int)) []time.Duration {
	took := make([]time.Duration, n)
	tick := time.NewTicker(pace)
	defer tick.Stop()
	for i := range took {
		<-tick.C
		start := time.Now()
		do(i)
		took[i] = time.Since(start)
	}
	return took
}

// quantile returns the value that a share of the sample does not exceed.
func quantile(took []time.Duration, share float64) time.Duration {
	sorted := slices.Sorted(slices.Values(took))
	return sorted[min(int(share*float64(len(sorted))), len(sorted)-1)]
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// addTimes adds p50 and p99 of a sample.
func (of *table) addTimes(name string, g growth, took []time.Duration) {
	of.add(name+", p50", "ms", g, milliseconds(quantile(took, .5)))
	of.add(name+", p99", "ms", g, milliseconds(quantile(took, .99)))
}

// measureRequests measures the requests of people of the largest account.
func (w *world) measureRequests(t *testing.T, of *table, l loaded, largest string) {
	t.Helper()
	p := w.person(largest)
	await(t, "the key to work", func() bool { return p.isServed(t) })
	for _, page := range []struct {
		name  string
		after int // the number of the last article of the page before, from 0
	}{{"first", -1}, {"middle", len(l.byAge) / 2}, {"last", len(l.byAge) - pageSize - 1}} {
		path := fmt.Sprintf("/v1/api/blogs?limit=%d", pageSize)
		if page.after >= 0 {
			// The cursor is the _id of that article. What was generated meanwhile is newer.
			path += "&cursor=" + identity.RecordID(l.byAge[page.after], time.Time{})
		}
		var answer struct {
			Data []struct{} `json:"data"`
		}
		must(t, json.Unmarshal(p.send(t, http.StatusOK, http.MethodGet, path, nil), &answer))
		if len(answer.Data) != pageSize {
			t.Fatalf("the %s page has %d articles, want %d", page.name, len(answer.Data), pageSize)
		}
		of.addTimes("list, "+page.name+" page", constant, sample(reads, readEvery, func(int) {
			p.send(t, http.StatusOK, http.MethodGet, path, nil)
		}))
	}
	of.addTimes("search, found on the first page", constant, sample(reads, readEvery, func(int) {
		p.send(t, http.StatusOK, http.MethodGet, "/v1/api/blogs?q=trail", nil)
	}))
	// It looks at all articles of the workspace.
	of.addTimes("search, nothing found", linear, sample(reads, readEvery, func(int) {
		p.send(t, http.StatusOK, http.MethodGet, "/v1/api/blogs?q=zeppelin", nil)
	}))
	uid := func(i int) string { return l.byAge[(i*7919)%len(l.byAge)] }
	of.addTimes("get", constant, sample(reads, readEvery, func(i int) {
		p.send(t, http.StatusOK, http.MethodGet, "/v1/api/blogs/"+uid(i), nil)
	}))
	of.addTimes("bare read of a revision", constant, sample(reads, readEvery, func(i int) {
		key := client.ObjectKey{Namespace: largest, Name: identity.RevisionName(uid(i), uid(i), 1)}
		must(t, w.api.Get(t.Context(), key, &v1alpha1.ArticleRevision{}))
	}))
	cookie := p.signIn(t)
	of.addTimes("dashboard, list", constant, sample(pages, pageEvery, func(int) { p.page(t, cookie, "/app/w/"+largest+"/articles") }))
}

// isServed reports whether the key works.
func (p *person) isServed(t *testing.T) bool {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+"/v1/api/sites", http.NoBody)
	must(t, err)
	request.Header.Set("x-api-key", p.key)
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}

// measureGenerate measures requests to generate, of several accounts, while the articles are generated, and bare creations of an object of
// about the size of an Article.
func (w *world) measureGenerate(t *testing.T, of *table, accounts []string) {
	t.Helper()
	people := make([]*person, len(accounts))
	for i, account := range accounts {
		people[i] = w.person(account)
		await(t, "the key of "+account, func() bool { return people[i].isServed(t) })
	}
	count := generations * len(people)
	of.addTimes("generate", constant, sample(count, generateEvery, func(i int) {
		p := people[i%len(people)]
		p.send(t, http.StatusAccepted, http.MethodPost, "/v1/api/generate", map[string]any{
			"site_uid": uidOf(p.workspace, siteName(p.workspace, 0)), "keyword": fmt.Sprintf("trail shoes for hut %d", i),
		})
	}))
	w.awaitIdle(t)
	of.addTimes("bare creation", constant, sample(count, generateEvery, func(i int) { must(t, w.bareCreate(t, accounts[0], i)) }))
}

// bareCreate creates an object that nobody watches.
func (w *world) bareCreate(t *testing.T, namespace string, i int) error {
	t.Helper()
	return w.api.Create(t.Context(), &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: fmt.Sprintf("bare-%d-%d", time.Now().UnixNano(), i)},
		Data:       map[string]string{"text": strings.Repeat("a", 1<<10)},
	})
}

// keepAsking sends requests of a large account until it is ended: for pages of its list, for searches that find nothing, for texts, and to
// generate. Answers do not matter.
func (w *world) keepAsking(t *testing.T, l loaded, account string) (end func()) {
	t.Helper()
	const workers, pause = 4, 100 * time.Millisecond
	p := w.person(account)
	await(t, "the key of "+account, func() bool { return p.isServed(t) })
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for worker := range workers {
		all.Go(func() {
			for n := worker; ctx.Err() == nil; n += workers {
				name := l.byAge[n*7919%len(l.byAge)]
				method, path, body := http.MethodGet, "/v1/api/blogs?limit=100&cursor="+identity.RecordID(name, time.Time{}), ""
				switch n % 20 {
				case 3, 10, 17:
					path = "/v1/api/blogs?q=zeppelin"
				case 5, 6:
					path = "/v1/api/blogs/" + name
				case 7:
					method, path = http.MethodPost, "/v1/api/generate"
					body = fmt.Sprintf(`{"site_uid": %q, "keyword": "tents of number %d"}`, uidOf(account, siteName(account, 0)), n)
				}
				request, err := http.NewRequestWithContext(ctx, method, p.url+path, strings.NewReader(body))
				if err != nil {
					t.Error(err)
					return
				}
				request.Header.Set("Content-Type", "application/json")
				request.Header.Set("x-api-key", p.key)
				request.Header.Set("x-workspace-id", account)
				if answer, err := http.DefaultTransport.RoundTrip(request); err == nil {
					_, _ = io.Copy(io.Discard, answer.Body)
					_ = answer.Body.Close()
				}
				select {
				case <-ctx.Done():
				case <-time.After(pause):
				}
			}
		})
	}
	return func() {
		cancel()
		all.Wait()
	}
}
