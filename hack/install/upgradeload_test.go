//go:build e2e

package install

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// perCustomer is the number of articles of an account: below what may be asked for in a minute.
const perCustomer = 50

// load is articles that are asked for over REST, written by a model and delivered with their events, while versions change.
type load struct {
	*installation
	articles  int
	customers []customer
	// texts, posts and events are what the model, the sites and the subscriber were asked for.
	texts, posts, events *endpointOfLoad
	workers              sync.WaitGroup
	began                time.Time

	mu sync.Mutex
	// written has the keyword of each article by its uid, with its customer.
	written map[string]customer
	refused []error
	// again is how many attempts to deliver had no outcome and were made again.
	again   int
	slowest time.Duration
}

// customer is an account with one workspace and one site.
type customer struct{ name, key string }

func (t customer) keyword(i int) string { return fmt.Sprintf("%s shoes %03d", t.name, i) }

func newLoad(t *testing.T, i *installation, binary string, articles int) *load {
	t.Helper()
	l := &load{
		installation: i, articles: articles, written: map[string]customer{},
		texts: newModel(t), posts: newSite(t), events: newSubscriber(t),
	}
	manifest := &strings.Builder{}
	for n := range max(5, (articles+perCustomer-1)/perCustomer) {
		one := customer{name: fmt.Sprintf("customer%d", n)}
		l.customers = append(l.customers, one)
		fmt.Fprintf(manifest, customerManifest, one.name, l.texts.URL, l.posts.URL, l.events.URL)
	}
	if _, err := l.try(t, strings.NewReader(manifest.String()), "kubectl", "apply", "--server-side", "-f", "-"); err != nil {
		t.Fatal(err)
	}
	for n, one := range l.customers {
		out := l.run(t, binary, "keys", "create", "--account="+one.name, "--scopes=read,write", "--name=test")
		l.customers[n].key = apiKey.FindString(out)
	}
	l.run(t, "kubectl", "wait", "--for=condition=Ready", "--timeout=5m", "-A", "--all", "sites,eventsubscriptions")
	return l
}

const customerManifest = `---
apiVersion: pressroom.dev/v1alpha1
kind: Account
metadata: {name: %[1]s}
spec: {credits: 1000, limits: {articlesPerSitePerDay: 1000}}
---
apiVersion: v1
kind: Namespace
metadata: {name: %[1]s, labels: {pressroom.dev/account: %[1]s}}
---
apiVersion: v1
kind: Secret
metadata: {name: secrets, namespace: %[1]s}
stringData: {signing: a-signing-secret-of-a-test, events: whsec_ZGVtby1zZWNyZXQtZG8tbm90LXVzZS1lbHNld2hlcmU=}
---
apiVersion: pressroom.dev/v1alpha1
kind: Site
metadata: {name: %[1]s, namespace: %[1]s}
spec:
  domain: %[1]s.example
  review: {policy: Automatic}
  publishing: {defaultStage: Published}
  generator: {type: OpenAI, model: small, baseURL: "%[2]s/v1"}
  cms: {type: Headless, headless: {url: "%[3]s/%[1]s", signingSecretRef: {name: secrets, key: signing}}}
---
apiVersion: pressroom.dev/v1alpha1
kind: EventSubscription
metadata: {name: published, namespace: %[1]s}
spec: {url: "%[4]s/events", events: [Published], signingSecretRef: {name: secrets, key: events}}
`

// start has each customer ask for its articles, the next one when the last one is delivered.
func (l *load) start(t *testing.T) {
	t.Helper()
	l.began = time.Now()
	sites := map[string]string{}
	for _, one := range l.customers {
		sites[one.name] = l.siteOf(t, one)
	}
	for n, one := range l.customers {
		l.workers.Go(func() {
			for i := n; i < l.articles; i += len(l.customers) {
				keyword := one.keyword(i)
				if err := l.generate(t.Context(), one, sites[one.name], keyword); err != nil {
					l.mu.Lock()
					l.refused = append(l.refused, err)
					l.mu.Unlock()
					continue
				}
				select {
				case <-l.posts.seen(keyword):
				case <-t.Context().Done():
				case <-time.After(patience):
				}
			}
		})
	}
}

// generate asks once: a client that has to ask again counts as refused.
func (l *load) generate(ctx context.Context, one customer, site, keyword string) error {
	began := time.Now()
	var answer struct {
		UID string `json:"blog_uid"`
	}
	err := l.ask(ctx, one, http.MethodPost, "/v1/api/generate", fmt.Sprintf(`{"site_uid": %q, "keyword": %q}`, site, keyword), &answer)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.slowest = max(l.slowest, time.Since(began))
	l.written[answer.UID] = one
	return err
}

func (l *load) siteOf(t *testing.T, one customer) string {
	t.Helper()
	var answer struct {
		Data []struct {
			UID string `json:"uid"`
		} `json:"data"`
	}
	if err := l.ask(t.Context(), one, http.MethodGet, "/v1/api/sites", "", &answer); err != nil || len(answer.Data) != 1 {
		t.Fatalf("%d sites, %v", len(answer.Data), err)
	}
	return answer.Data[0].UID
}

// ask sends a request to the replica whose turn it is.
func (l *load) ask(ctx context.Context, one customer, method, path, body string, answer any) error {
	return l.service.with(func(url string) error {
		request, err := http.NewRequestWithContext(ctx, method, url+path, strings.NewReader(body))
		if err != nil {
			return fmt.Errorf("making a request: %w", err)
		}
		request.Header.Set("x-api-key", one.key)
		request.Header.Set("x-workspace-id", one.name)
		request.Header.Set("Content-Type", "application/json")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return fmt.Errorf("asking %s: %w", path, err)
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		if err == nil && response.StatusCode >= http.StatusMultipleChoices {
			err = errors.New(response.Status)
		}
		if err == nil {
			err = json.Unmarshal(text, answer)
		}
		if err != nil {
			return fmt.Errorf("%s: %w: %s", path, err, text)
		}
		return nil
	})
}
