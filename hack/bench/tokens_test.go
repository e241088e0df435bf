//go:build e2e

package bench_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/system"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

const (
	// apiReplicas of the REST API hear of it, each by a watch of its own.
	apiReplicas = 3
	// tokensEnded is the size of the sample.
	tokensEnded = 50
	// opensEvery is how often each replica is asked whether it still takes a token.
	opensEvery = 2 * time.Millisecond
	// callback is where the app's codes are sent.
	callback = "https://tool.example/callback"
	// grantor gives the app access. A token of somebody else does not work.
	grantor = "mara@acme.example"
)

// BenchmarkTokenEnds measures how long a token works on, on the last of three replicas, after its grant or its app was deleted:
// from before the request to delete until the answer 401. The baseline is how long a watch of the deleted kind takes to tell.
func BenchmarkTokenEnds(b *testing.B) {
	t := newTokens(b)
	endings := map[string]func(issued) (client.Object, client.ObjectList){
		"grant-deleted": func(i issued) (client.Object, client.ObjectList) { return i.grant, &v1alpha1.OAuthGrantList{} },
		"app-deleted":   func(i issued) (client.Object, client.ObjectList) { return i.app, &v1alpha1.OAuthClientList{} },
	}
	for name, end := range endings {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				var told, ended []time.Duration
				for range tokensEnded {
					i := t.issue(b)
					object, list := end(i)
					tells, ends := t.end(b, i.token, object, list)
					told, ended = append(told, tells), append(ended, ends)
				}
				b.ReportMetric(milliseconds(quantile(told, .5)), "p50-watch-ms")
				b.ReportMetric(milliseconds(quantile(ended, .5)), "p50-ends-ms")
				b.ReportMetric(milliseconds(slices.Max(ended)), "max-ends-ms")
				b.ReportMetric(milliseconds(quantile(ended, .5))/milliseconds(quantile(told, .5)), "p50-ends/watch")
			}
		})
	}
}

// tokens makes and ends tokens, with several replicas of the REST API.
type tokens struct {
	*bench
	replicas []string
	grants   *oauth.Grants
	registry *oauth.Registry
}

// issued is a token, with what it comes from.
type issued struct {
	token string
	grant *v1alpha1.OAuthGrant
	app   *v1alpha1.OAuthClient
}

func newTokens(b *testing.B) *tokens {
	b.Helper()
	w := whole(b)
	store := oauth.Store{Cache: w.api, Client: w.api, Clock: clock.RealClock{}}
	lookup := auth.NewLookup(w.api, w.api, clock.RealClock{})
	t := &tokens{
		bench: w, replicas: []string{w.APIURL()},
		grants: oauth.NewGrants(store, oauth.NewClients(lookup)), registry: oauth.NewRegistry(w.api, credential.DefaultCell, clock.RealClock{}),
	}
	t.join(b)
	for n := range apiReplicas - 1 {
		at, err := ports.Free(b.Context())
		must(b, err)
		_, err = w.StartReplica(b.Context(), fmt.Sprintf("pressroom-apiserver-%d", n+2), at)
		must(b, err)
		t.replicas = append(t.replicas, ports.URL(at.API))
	}
	return t
}

// join makes the grantor a member of the account, unless they are one already.
func (t *tokens) join(b *testing.B) {
	b.Helper()
	account := &v1alpha1.Account{}
	must(b, t.api.Get(b.Context(), client.ObjectKey{Name: system.Account}, account))
	if slices.ContainsFunc(account.Spec.Members, func(m v1alpha1.AccountMember) bool { return m.Name == grantor }) {
		return
	}
	old := account.DeepCopy()
	account.Spec.Members = append(account.Spec.Members, v1alpha1.AccountMember{Kind: v1alpha1.MemberUser, Name: grantor, Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead}})
	must(b, t.api.Patch(b.Context(), account, client.MergeFrom(old)))
}

// issue makes an app, has a person let it in, exchanges its code, and returns when every replica takes the token.
func (t *tokens) issue(b *testing.B) issued {
	b.Helper()
	scopes := []v1alpha1.Scope{v1alpha1.ScopeRead}
	app, secret, err := t.registry.Prepare("", v1alpha1.OAuthClientSpec{
		DisplayName: "Newsletter tool", RedirectURIs: []string{callback}, Type: v1alpha1.OAuthClientConfidential, Scopes: scopes,
	})
	must(b, err)
	must(b, t.registry.Store(b.Context(), app))
	code, err := t.grants.Create(b.Context(), oauth.GrantRequest{ClientID: app.ClientID(), OAuthGrantSpec: v1alpha1.OAuthGrantSpec{
		AccountRef: v1alpha1.AccountReference{Name: system.Account}, Workspaces: []string{system.Workspace}, Person: grantor,
		Scopes: scopes, RedirectURI: callback,
	}})
	must(b, err)
	i := issued{token: t.exchange(b, app, secret, code), app: app}
	var list v1alpha1.OAuthGrantList
	must(b, t.api.List(b.Context(), &list, client.MatchingFields{"spec.clientRef.name": app.Name}))
	i.grant = &list.Items[0]
	for _, replica := range t.replicas {
		await(b, "a token to work", func() bool {
			status, err := statusWith(b.Context(), replica, i.token)
			must(b, err)
			return status == http.StatusOK
		})
	}
	return i
}

func (t *tokens) exchange(b *testing.B, app *v1alpha1.OAuthClient, secret, code string) (token string) {
	b.Helper()
	body, err := json.Marshal(map[string]string{
		"grant_type": "authorization_code", "code": code, "redirect_uri": callback, "client_id": app.ClientID(), "client_secret": secret,
	})
	must(b, err)
	request, err := http.NewRequestWithContext(b.Context(), http.MethodPost, t.replicas[0]+oauth.TokenPath, bytes.NewReader(body))
	must(b, err)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	must(b, err)
	defer func() { _ = response.Body.Close() }()
	var got struct {
		AccessToken string `json:"access_token"`
		Error       string `json:"error"`
	}
	must(b, json.NewDecoder(response.Body).Decode(&got))
	if got.AccessToken == "" {
		b.Fatalf("no token: %s", got.Error)
	}
	return got.AccessToken
}

// statusWith returns the status with which a replica answers to a token.
func statusWith(ctx context.Context, replica, token string) (int, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, replica+"/v1/api/workspaces", http.NoBody)
	if err != nil {
		return 0, err
	}
	request.Header.Set("x-api-key", token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	return response.StatusCode, response.Body.Close()
}

// end deletes an object, and returns when a watch shows it and when the last replica refuses the token.
func (t *tokens) end(b *testing.B, token string, object client.Object, kind client.ObjectList) (told, ended time.Duration) {
	b.Helper()
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	watching, err := t.api.Watch(ctx, kind, client.InNamespace(object.GetNamespace()), &client.ListOptions{
		FieldSelector: fields.OneTermEqualSelector("metadata.name", object.GetName()),
		Raw:           &metav1.ListOptions{ResourceVersion: object.GetResourceVersion()},
	})
	must(b, err)
	defer watching.Stop()
	tells, refuses := make(chan time.Time, 1), make(chan refusal, len(t.replicas))
	go func() {
		for event := range watching.ResultChan() {
			if event.Type == watch.Deleted {
				tells <- time.Now()
				return
			}
		}
	}()
	began := time.Now()
	for _, replica := range t.replicas {
		go func() { refuses <- awaitRefusal(ctx, replica, token) }()
	}
	must(b, t.api.Delete(ctx, object))
	for range t.replicas {
		refused := <-refuses
		must(b, refused.err)
		ended = max(ended, refused.at.Sub(began))
	}
	return (<-tells).Sub(began), ended
}

type refusal struct {
	at  time.Time
	err error
}

// awaitRefusal asks a replica until it refuses a token.
func awaitRefusal(ctx context.Context, replica, token string) refusal {
	tick := time.NewTicker(opensEvery)
	defer tick.Stop()
	for {
		status, err := statusWith(ctx, replica, token)
		if err != nil || status == http.StatusUnauthorized {
			return refusal{time.Now(), err}
		}
		<-tick.C
	}
}
