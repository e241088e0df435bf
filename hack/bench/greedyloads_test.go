//go:build e2e

package bench_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// What the greedy account does beside its creations.
const (
	// greedyKeys are its API keys, each of which is a person of the pages, with so many streams.
	greedyKeys, greedyStreams = 17, 10
	// greedyPosts are what its lists of records read, and greedyReaders are those who ask for them.
	greedyPosts, greedyReaders = 1000, 4
	// Forms are held back for so long. Those of strangers come in so many connections.
	heldFor, strangers = 20 * time.Second, 500
	// giveEvery is how often each of greedyGivers lets an app in, and takes its access back.
	greedyGivers, giveEvery = 3, 50 * time.Millisecond
)

// ticketField finds the ticket of a form.
var ticketField = regexp.MustCompile(`name="ticket" value="([^"]+)"`)

// load does everything beside the creations of greedyTenant for as long as it runs.
func (g *greedyTenant) load(b *testing.B) {
	b.Helper()
	ctx, cancel := context.WithCancel(b.Context())
	g.endLoad = cancel
	inParallel(b, names("record", greedyPosts), func(name string) error { return g.api.Create(ctx, recordOf(name)) })
	sessions := make([]string, greedyKeys)
	for n := range sessions {
		sessions[n] = g.signIn(b, n)
	}
	app := g.register(b)
	g.repeat(ctx, 2, 100*time.Millisecond, func(n int) { g.bulk(n) })
	g.repeat(ctx, greedyReaders, 50*time.Millisecond, func(n int) {
		path := "/v1/api/records?from=2030-01-01T00:00:00Z&limit=100"
		if n%4 == 0 {
			path = "/v1/api/keys"
		}
		g.ask(http.MethodGet, path, "", nil)
	})
	g.repeat(ctx, greedyGivers, giveEvery, func(n int) { g.give(ctx, sessions[n%greedyKeys], app) })
	for _, session := range sessions {
		for _, bytes := range []int{3 << 20, 1 << 20} {
			g.repeat(ctx, 1, time.Second, func(int) { g.holdForm(ctx, "/app/w/"+greedy+"/articles/new/paste", session, bytes) })
		}
		g.repeat(ctx, greedyStreams, time.Second, func(int) { g.stream(ctx, session) })
		g.repeat(ctx, 1, 50*time.Millisecond, func(int) {
			_, _, _ = g.page(ctx, http.MethodGet, "/app/w/"+greedy+"/articles", session, nil)
		})
	}
	g.repeat(ctx, strangers, time.Second, func(int) { g.holdForm(ctx, "/oauth/sign-in", "", 131_000) })
}

// repeat does something again and again, by so many workers, with a pause after each time.
func (g *greedyTenant) repeat(ctx context.Context, workers int, pause time.Duration, do func(n int)) {
	for worker := range workers {
		g.all.Go(func() {
			for n := worker; ctx.Err() == nil; n += workers {
				do(n)
				select {
				case <-ctx.Done():
				case <-time.After(pause):
				}
			}
		})
	}
}

// ask sends a request, and notes its status.
func (g *greedyTenant) ask(method, path, once string, body any) []byte {
	status, answer, err := g.send(method, path, once, body)
	if err == nil {
		g.note(status, path, answer)
	}
	return answer
}

// recordOf is a Post with a record.
func recordOf(name string) *v1alpha1.Post {
	digest := "sha256:" + strings.Repeat("0", 64)
	return &v1alpha1.Post{ObjectMeta: metav1.ObjectMeta{Namespace: greedy, Name: name}, Spec: v1alpha1.PostSpec{
		SiteRef: v1alpha1.LocalReference{Name: "gone"}, ArticleRef: v1alpha1.LocalReference{Name: name}, Destination: "pull:gone", Slug: name,
		State: v1alpha1.PostPublished, URL: "https://gone.example/" + name,
		Revision: v1alpha1.PostRevision{Name: name + "-1", Number: 1, Digest: digest},
		Records: []v1alpha1.PostRecord{{
			Digest: digest, RevisionNumber: 1, Disclosure: v1alpha1.DisclosureAIAssisted, Decision: v1alpha1.RecordApproved,
			DecisionTime: v1alpha1.NewMicroTime(time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)), By: "mara", Source: v1alpha1.SourceEdited,
		}},
	}}
}

// bulk asks for something with 49 articles that do not exist and one that does.
func (g *greedyTenant) bulk(n int) {
	g.mu.Lock()
	items := []map[string]string{{"uid": g.made["/v1/api/blogs"]}}
	g.mu.Unlock()
	for i := range 49 {
		items = append(items, map[string]string{"uid": fmt.Sprintf("0198f0a1-0000-7000-8000-%012d", i)})
	}
	operation := []string{"archive", "unarchive"}[n%2]
	g.ask(http.MethodPost, "/v1/api/blogs/bulk", fmt.Sprint("bulk-", n), map[string]any{"operation": operation, "items": items})
}

// signIn makes an API key and signs in with it. It returns the cookie, which a client would not send without TLS.
func (g *greedyTenant) signIn(b *testing.B, n int) string {
	b.Helper()
	var made struct {
		Secret string `json:"secret"`
	}
	scopes := []string{"read", "write"}
	must(b, json.Unmarshal(g.ask(http.MethodPost, "/v1/api/keys", "", map[string]any{"name": fmt.Sprint("person ", n), "scopes": scopes}), &made))
	_, header, err := g.page(b.Context(), http.MethodPost, "/oauth/sign-in", "", url.Values{"key": {made.Secret}})
	must(b, err)
	cookie, _, _ := strings.Cut(header.Get("Set-Cookie"), ";")
	if cookie == "" {
		b.Fatalf("the person %d is not signed in", n)
	}
	return cookie
}

// page asks for a page, or sends a form if it has fields.
func (g *greedyTenant) page(ctx context.Context, method, path, session string, fields url.Values) (string, http.Header, error) {
	request, err := http.NewRequestWithContext(ctx, method, g.url+path, strings.NewReader(fields.Encode()))
	if err != nil {
		return "", nil, err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Cookie", session)
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return "", nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	g.note(answer.StatusCode, "", nil)
	return string(text), answer.Header, err
}

// greedyApp is an app of the greedy account.
type greedyApp struct {
	ID     string `json:"client_id"`
	Secret string `json:"client_secret"`
}

func (g *greedyTenant) register(b *testing.B) greedyApp {
	b.Helper()
	var app greedyApp
	body := map[string]any{"name": "giver", "redirect_uris": []string{callback}}
	must(b, json.Unmarshal(g.ask(http.MethodPost, "/v1/api/oauth/clients", "", body), &app))
	return app
}

// give lets an app in, exchanges its code, and has the app give its token back.
func (g *greedyTenant) give(ctx context.Context, session string, app greedyApp) {
	form, _, err := g.page(ctx, http.MethodGet, "/oauth/consent?"+url.Values{
		"client_id": {app.ID}, "redirect_uri": {callback}, "scope": {"read"},
	}.Encode(), session, nil)
	ticket := ticketField.FindStringSubmatch(form)
	if err != nil || ticket == nil {
		return
	}
	_, header, err := g.page(ctx, http.MethodPost, "/oauth/consent", session, url.Values{
		"ticket": {ticket[1]}, "decision": {"approve"}, "scope": {"read"}, "reach": {"all"},
	})
	if err != nil {
		return
	}
	to, err := url.Parse(header.Get("Location"))
	if err != nil || to.Query().Get("code") == "" {
		return
	}
	var token struct {
		Text string `json:"access_token"`
	}
	exchange := map[string]string{
		"grant_type": "authorization_code", "code": to.Query().Get("code"), "redirect_uri": callback, "client_id": app.ID, "client_secret": app.Secret,
	}
	if json.Unmarshal(g.ask(http.MethodPost, "/v1/public/oauth/token", "", exchange), &token) == nil && token.Text != "" {
		g.ask(http.MethodPost, "/v1/public/oauth/revoke", "", map[string]string{"token": token.Text, "client_id": app.ID, "client_secret": app.Secret})
	}
}

// holdForm sends a form but for its last bytes, and waits.
func (g *greedyTenant) holdForm(ctx context.Context, path, session string, bytes int) {
	var dialer net.Dialer
	connection, err := dialer.DialContext(ctx, "tcp", strings.TrimPrefix(g.url, "http://"))
	if err != nil {
		return
	}
	defer func() { _ = connection.Close() }()
	held, cancel := context.WithTimeout(ctx, heldFor)
	defer cancel()
	stop := context.AfterFunc(held, func() { _ = connection.Close() })
	defer stop()
	if _, err := fmt.Fprintf(connection, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"+
		"Cookie: %s\r\nContent-Length: %d\r\n\r\nhtml=", path, session, bytes); err != nil {
		return
	}
	const part = 16 << 10
	text := strings.Repeat("x", part)
	for sent := len("html="); sent < bytes-50; sent += part {
		if _, err := io.WriteString(connection, text[:min(part, bytes-50-sent)]); err != nil {
			break
		}
	}
	if answer, err := http.ReadResponse(bufio.NewReader(connection), nil); err == nil {
		g.note(answer.StatusCode, "", nil)
		_ = answer.Body.Close()
	}
}

// stream reads a stream of live updates for as long as it lasts.
func (g *greedyTenant) stream(ctx context.Context, session string) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, g.url+"/app/w/"+greedy+"/live", http.NoBody)
	if err != nil {
		return
	}
	request.Header.Set("Cookie", session)
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return
	}
	g.note(answer.StatusCode, "", nil)
	_, _ = io.Copy(io.Discard, answer.Body)
	_ = answer.Body.Close()
}
