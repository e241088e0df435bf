//go:build e2e

package bench_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/system"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

const (
	// callsAtOnce are sent together, so many times. A key may send 500 requests at once to each of the two replicas, and the account 1,000:
	// one turn of the benchmark has no more.
	callsAtOnce, callRounds = 200, 3
	// callsInTurn are sent one after another.
	callsInTurn = 100
)

// BenchmarkAgents measures get_article at /mcp and get-article of the REST API with 200 calls at once, on two replicas behind a proxy that
// sends each request to the next of them. Rounds of the two take turns. The bar is a p99 at /mcp of at most that of the REST API and 2 ms.
// Calls that are sent one after another show what one call takes longer, without a queue for the processors.
func BenchmarkAgents(b *testing.B) {
	a := newAgents(b)
	for b.Loop() {
		var rest, mcp []time.Duration
		// A connection is there before it is measured.
		a.atOnce(b, a.rest, a.restKey)
		a.atOnce(b, a.mcp, a.mcpKey)
		for range callRounds {
			rest = append(rest, a.atOnce(b, a.rest, a.restKey)...)
			mcp = append(mcp, a.atOnce(b, a.mcp, a.mcpKey)...)
		}
		var restInTurn, mcpInTurn []time.Duration
		for range callsInTurn {
			restInTurn = append(restInTurn, a.timed(b, a.rest, a.restKey))
			mcpInTurn = append(mcpInTurn, a.timed(b, a.mcp, a.mcpKey))
		}
		b.ReportMetric(milliseconds(quantile(restInTurn, .99)), "p99-rest-in-turn-ms")
		b.ReportMetric(milliseconds(quantile(mcpInTurn, .99)), "p99-mcp-in-turn-ms")
		b.ReportMetric(milliseconds(quantile(rest, .5)), "p50-rest-ms")
		b.ReportMetric(milliseconds(quantile(mcp, .5)), "p50-mcp-ms")
		b.ReportMetric(milliseconds(quantile(rest, .99)), "p99-rest-ms")
		b.ReportMetric(milliseconds(quantile(mcp, .99)), "p99-mcp-ms")
		b.ReportMetric(milliseconds(quantile(mcp, .99)-quantile(rest, .99)), "p99-mcp-more-than-rest-ms")
	}
}

// agents ask two replicas for an article.
type agents struct {
	*bench
	http            *http.Client
	url, uid        string
	restKey, mcpKey string
}

func newAgents(b *testing.B) *agents {
	b.Helper()
	w := whole(b)
	at, err := ports.Free(b.Context())
	must(b, err)
	_, err = w.StartReplica(b.Context(), "pressroom-apiserver-agents", at)
	must(b, err)
	proxy := httptest.NewServer(roundRobin(b, w.APIURL(), ports.URL(at.API)))
	b.Cleanup(proxy.Close)
	a := &agents{bench: w, url: proxy.URL, http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: callsAtOnce}}}
	b.Cleanup(a.http.CloseIdleConnections)
	a.restKey, a.mcpKey = a.newKey(b), a.newKey(b)
	await(b, "an article with a text", func() bool {
		var list v1alpha1.ArticleList
		must(b, w.api.List(b.Context(), &list, client.InNamespace(system.Workspace)))
		for i := range list.Items {
			if list.Items[i].Status.Revision != nil {
				a.uid = identity.UID(identity.KindArticle, list.Items[i].Namespace, list.Items[i].Name)
			}
		}
		return a.uid != ""
	})
	for _, key := range []string{a.restKey, a.mcpKey} {
		await(b, "both replicas to know the keys and the article", func() bool {
			return errors.Join(a.rest(b.Context(), key), a.rest(b.Context(), key)) == nil
		})
	}
	return a
}

// newKey returns an API key of its own share of requests.
func (a *agents) newKey(b *testing.B) string {
	b.Helper()
	c, err := credential.New(credential.APIKey, credential.DefaultCell, rand.Reader)
	must(b, err)
	object := &v1alpha1.APIKey{Spec: v1alpha1.APIKeySpec{
		AccountRef: v1alpha1.AccountReference{Name: system.Account}, SecretHash: c.Hash(),
		Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite},
	}}
	object.Name = c.ID
	must(b, a.api.Create(b.Context(), object))
	return c.Reveal()
}

// roundRobin sends each request to the next of some addresses.
func roundRobin(b *testing.B, addresses ...string) http.Handler {
	b.Helper()
	var targets []*url.URL
	for _, address := range addresses {
		target, err := url.Parse(address)
		must(b, err)
		targets = append(targets, target)
	}
	var n atomic.Uint64
	return &httputil.ReverseProxy{
		Transport: &http.Transport{MaxIdleConnsPerHost: callsAtOnce},
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(targets[n.Add(1)%uint64(len(targets))]) },
	}
}

// timed makes a call, and returns how long it took.
func (a *agents) timed(b *testing.B, call func(ctx context.Context, key string) error, key string) time.Duration {
	b.Helper()
	start := time.Now()
	must(b, call(b.Context(), key))
	return time.Since(start)
}

// atOnce makes the calls of a round, and returns how long each took.
func (a *agents) atOnce(b *testing.B, call func(ctx context.Context, key string) error, key string) []time.Duration {
	b.Helper()
	took, errs := make([]time.Duration, callsAtOnce), make([]error, callsAtOnce)
	var all sync.WaitGroup
	for i := range callsAtOnce {
		all.Go(func() {
			start := time.Now()
			errs[i] = call(b.Context(), key)
			took[i] = time.Since(start)
		})
	}
	all.Wait()
	must(b, errors.Join(errs...))
	return took
}

func (a *agents) rest(ctx context.Context, key string) error {
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, a.url+"/v1/api/blogs/"+a.uid, http.NoBody)
	if err != nil {
		return err
	}
	q.Header.Set("x-workspace-id", system.Workspace)
	return a.ask(q, key)
}

func (a *agents) mcp(ctx context.Context, key string) error {
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_article","arguments":{"uid":"` + a.uid +
		`","workspace_id":"` + system.Workspace + `"}}}`
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, a.url+"/mcp", strings.NewReader(body))
	if err != nil {
		return err
	}
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("Accept", "application/json, text/event-stream")
	return a.ask(q, key)
}

// ask sends a request, and returns an error unless its answer has the article.
func (a *agents) ask(q *http.Request, key string) error {
	q.Header.Set("x-api-key", key)
	answer, err := a.http.Do(q)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err == nil && (answer.StatusCode != http.StatusOK || !strings.Contains(string(body), "revision_digest")) {
		err = fmt.Errorf("got %d: %.200s", answer.StatusCode, body)
	}
	return err
}
