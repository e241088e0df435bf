package sharepage_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/pages"
	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/apiserver/rest/share"
	"github.com/pressroom-dev/pressroom/apiserver/sharepage"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func newKey() string {
	key := make([]byte, 32)
	rand.Read(key)
	return base64.StdEncoding.EncodeToString(key)
}

// keyRing are session keys that can be replaced.
type keyRing struct {
	t *testing.T
	seal.Keys
}

func (k *keyRing) replace(lines ...string) {
	k.t.Helper()
	keys, err := seal.ParseKeys([]byte(strings.Join(lines, "\n")))
	if err != nil {
		k.t.Fatal(err)
	}
	k.Keys = keys
}

// world is a REST API with the page.
type world struct {
	*operationtest.API

	keys *keyRing
	key  string
	log  bytes.Buffer
	// article has revision 1, which its site has, and revision 2, the newest.
	article *v1alpha1.Article
	// nobody is an account that does not exist.
	gone bool
}

func (w *world) Account(ctx context.Context, name string) (*v1alpha1.Account, error) {
	if w.gone {
		return nil, nil
	}
	return w.API.Account.Account(ctx, name)
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{API: operationtest.NewAlone(t), keys: &keyRing{t: t}, key: newKey()}
	w.keys.replace(w.key)
	log := logr.New(funcr.NewJSON(func(line string) { w.log.WriteString(line + "\n") }, funcr.Options{}).GetSink())
	w.Deps.Local, w.Deps.Accounts = &operation.Local{}, w
	w.Deps.Share = share.Deps{Keys: w.keys, Address: func() string { return "https://pressroom.example" }}
	page := sharepage.New(sharepage.Options{
		Frame: pages.New(pages.Options{Keys: w.keys, Clock: w.Clock, Log: log}), Keys: w.keys, API: w.Deps.Local,
		Client: func(q *http.Request) string { return q.RemoteAddr }, Clock: w.Clock, Log: log,
	})
	w.Deps.Mounts = append(w.Deps.Mounts, page.Mount)
	w.article = w.WithPending()
	return w
}

// link makes a link, and returns its path.
func (w *world) link(body string) string {
	w.T.Helper()
	var got share.LinkAnswer
	w.Into(operationtest.Request{Method: http.MethodPost, Path: "/v1/api/blogs/" + w.article.Name + "/share", Body: body}, &got)
	return strings.TrimPrefix(got.URL, "https://pressroom.example")
}

func (w *world) ask(method, path, from string) *httptest.ResponseRecorder {
	q := httptest.NewRequestWithContext(w.T.Context(), method, path, nil)
	q.RemoteAddr = from
	rw := httptest.NewRecorder()
	w.ServeHTTP(rw, q)
	return rw
}

func (w *world) open(path string) *httptest.ResponseRecorder {
	w.Clock.Step(time.Second)
	return w.ask(http.MethodGet, path, "198.51.100.7:1")
}

const pinned = `{"revision_digest":"%"}`

// pin asks for a link to the text of a revision.
func pin(number int64) string {
	return strings.Replace(pinned, "%", operationtest.TextOf(number).Digest(), 1)
}

func TestALinkOpensTheTextThatItNames(t *testing.T) {
	w := newWorld(t)
	newest, first, second := w.link(""), w.link(pin(1)), w.link(pin(2))
	want := func(when string, texts map[string]string) {
		t.Helper()
		for path, text := range texts {
			if got := w.open(path); got.Code != http.StatusOK || !strings.Contains(got.Body.String(), "<h1>"+text+"</h1>") {
				t.Errorf("%s: got %d, want %s: %s", when, got.Code, text, got.Body)
			}
		}
	}
	want("at first", map[string]string{newest: "Text 2", first: "Text 1", second: "Text 2"})
	w.Edited(w.article, &v1alpha1.ArticleContent{Title: "Text 3", Markdown: "Other words."})
	want("after an edit", map[string]string{newest: "Text 3", first: "Text 1", second: "Text 2"})
}

func TestThePageLeadsNowhereAndRunsNothing(t *testing.T) {
	w := newWorld(t)
	w.SiteWith(func(s *v1alpha1.Site) {
		s.Spec.BrandVoice.Language, s.Spec.Publishing.Updates = "ar", v1alpha1.UpdatesReviewed
	})
	w.Edited(w.article, &v1alpha1.ArticleContent{
		Title: "Text 3", Markdown: "Some *text*. ![A hut](https://images.example/hut.png)",
		FAQ: []v1alpha1.FAQ{{Question: "How far?", Answer: "Far."}},
	})
	path := w.link("")
	got := w.open(path)
	body := got.Body.String()
	for header, want := range map[string]string{
		"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff",
		"X-Robots-Tag": "noindex, nofollow, noarchive",
	} {
		if got.Header().Get(header) != want {
			t.Errorf("%s is %q, want %q", header, got.Header().Get(header), want)
		}
	}
	policy := got.Header().Get("Content-Security-Policy")
	for _, want := range []string{"sandbox;", "default-src 'none'", "form-action 'none'", "frame-ancestors 'none'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("the policy has no %s: %s", want, policy)
		}
	}
	if strings.Contains(policy, "script-src") || strings.Contains(policy, "allow-") || strings.Contains(policy, "https:") {
		t.Errorf("the policy allows too much: %s", policy)
	}
	for _, want := range []string{
		`<html lang="ar" dir="rtl">`, `<meta name="robots" content="noindex`, "shared by <bdi>Mara</bdi>", "until <time datetime=\"2026-11-27T09:00:00Z\">27 November 2026, 09:00 UTC</time>",
		"Images of other hosts are not loaded", "How far?", `lang="en" dir="ltr"`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the page has no %s: %s", want, body)
		}
	}
	for _, bad := range []string{"/app", "<script", "<form", "Pressroom", operationtest.Workspace, w.article.Name} {
		if strings.Contains(body, bad) {
			t.Errorf("the page has %s: %s", bad, body)
		}
	}
	with := w.open(path + "?images=1")
	if policy := with.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "img-src 'self' data: https: http:;") {
		t.Errorf("images that are asked for are not loaded: %s", policy)
	}
}

// What ends a link, and what does not.
func TestWhatEndsALink(t *testing.T) {
	stored := func(w *world, change func(*v1alpha1.Article)) {
		a := w.Stored(w.article).DeepCopy()
		change(a)
		w.Objects.Articles[client.ObjectKeyFromObject(a)] = a
	}
	for name, tt := range map[string]struct {
		body   string
		change func(*world)
		want   int
	}{
		"nothing":                 {change: func(*world) {}, want: 200},
		"shortly before its time": {change: func(w *world) { w.Clock.Step(7*24*time.Hour - 2*time.Second) }, want: 200},
		"its time":                {change: func(w *world) { w.Clock.Step(7 * 24 * time.Hour) }, want: 404},
		"its own time":            {body: `{"expires_in_days":1}`, change: func(w *world) { w.Clock.Step(24 * time.Hour) }, want: 404},
		"another key before it":   {change: func(w *world) { w.keys.replace(newKey(), w.key) }, want: 200},
		"another key":             {change: func(w *world) { w.keys.replace(newKey()) }, want: 404},
		"the end of all links":    {change: func(w *world) { w.end() }, want: 404},
		"an annotation": {change: func(w *world) {
			stored(w, func(a *v1alpha1.Article) {
				metav1.SetMetaDataAnnotation(&a.ObjectMeta, v1alpha1.ShareEpochAnnotation, "1")
			})
		}, want: 404},
		"an empty annotation": {change: func(w *world) {
			stored(w, func(a *v1alpha1.Article) {
				metav1.SetMetaDataAnnotation(&a.ObjectMeta, v1alpha1.ShareEpochAnnotation, "")
			})
		}, want: 404},
		"the article's end": {change: func(w *world) { delete(w.Objects.Articles, client.ObjectKeyFromObject(w.article)) }, want: 404},
		"the article being deleted": {change: func(w *world) {
			stored(w, func(a *v1alpha1.Article) { a.DeletionTimestamp = &metav1.Time{Time: operationtest.Began} })
		}, want: 404},
		"another article":           {change: func(w *world) { stored(w, func(a *v1alpha1.Article) { a.UID = "other" }) }, want: 404},
		"another account":           {change: func(w *world) { w.Namespace(operationtest.Workspace, "rival") }, want: 404},
		"the account's end":         {change: func(w *world) { w.gone = true }, want: 404},
		"a suspended account":       {change: func(w *world) { w.API.Account.Spec.Suspend = true }, want: 410},
		"an account that forbids":   {change: func(w *world) { w.API.Account.Spec.Sharing = v1alpha1.SharingForbidden }, want: 403},
		"a revision that is kept":   {body: pin(1), change: func(*world) {}, want: 200},
		"a revision that is pruned": {body: pin(1), change: func(w *world) { stored(w, func(a *v1alpha1.Article) { a.Status.History = nil }) }, want: 404},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			path := w.link(tt.body)
			tt.change(w)
			got := w.open(path)
			if got.Code != tt.want {
				t.Fatalf("got %d, want %d: %s", got.Code, tt.want, got.Body)
			}
			if shown := strings.Contains(got.Body.String(), "Text "); shown != (tt.want == 200) {
				t.Errorf("the text is shown: %v: %s", shown, got.Body)
			}
			for header, want := range map[string]string{"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"} {
				if got.Header().Get(header) != want {
					t.Errorf("%s is %q", header, got.Header().Get(header))
				}
			}
		})
	}
}

func (w *world) end() {
	w.Into(operationtest.Request{Method: http.MethodDelete, Path: "/v1/api/blogs/" + w.article.Name + "/share"}, nil)
}

func TestALinkMadeAfterAllWereEndedOpens(t *testing.T) {
	w := newWorld(t)
	before := w.link("")
	w.end()
	after := w.link("")
	if got := [2]int{w.open(before).Code, w.open(after).Code}; got != [2]int{404, 200} {
		t.Errorf("the links of before and after answer %v", got)
	}
}

func TestWhatWasNotSealedForALinkOpensNothing(t *testing.T) {
	w := newWorld(t)
	path := w.link("")
	cookie, err := w.keys.Seal("session", []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	garbage, err := w.keys.Seal("share", []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"x", cookie, garbage, strings.TrimPrefix(path, share.Path) + "A", strings.Repeat("A", 70_000), path[len(share.Path)+1:]} {
		if got := w.open(share.Path + bad); got.Code != http.StatusNotFound {
			t.Errorf("%.60s: got %d", bad, got.Code)
		}
	}
}

func TestAnOpeningIsLoggedWithoutTheLink(t *testing.T) {
	w := newWorld(t)
	path := w.link(pin(2))
	head := w.ask(http.MethodHead, path, "198.51.100.7:1")
	if head.Code != http.StatusOK || w.log.Len() != 0 {
		t.Errorf("HEAD answers %d and logs %s", head.Code, w.log.String())
	}
	w.open(path)
	var line map[string]any
	if err := json.Unmarshal(w.log.Bytes(), &line); err != nil {
		t.Fatalf("%v: %s", err, w.log.String())
	}
	for name, want := range map[string]any{
		"by": "nobody known", "account": "acme", "operation": "read-shared-text", "result": "done", "workspace": operationtest.Workspace,
		"article": w.article.Name, "digest": operationtest.TextOf(2).Digest(),
	} {
		if line[name] != want {
			t.Errorf("%s is %v, want %v", name, line[name], want)
		}
	}
	w.open(path + "A")
	w.Objects.Err = context.DeadlineExceeded
	if got := w.open(path); got.Code != http.StatusServiceUnavailable {
		t.Errorf("without kube-apiserver: got %d: %s", got.Code, got.Body)
	}
	if sealed := strings.TrimPrefix(path, share.Path); strings.Contains(w.log.String(), sealed[:40]) {
		t.Errorf("the log has the link: %s", w.log.String())
	}
}

func TestOpeningsAreBounded(t *testing.T) {
	w := newWorld(t)
	path := w.link("")
	opened := func(from string, times int) (ok int) {
		for range times {
			got := w.ask(http.MethodGet, path, from)
			if got.Code == http.StatusOK {
				ok++
			} else if got.Code != http.StatusTooManyRequests || got.Header().Get("Retry-After") == "" {
				t.Fatalf("got %d: %s", got.Code, got.Body)
			}
		}
		return ok
	}
	if got := opened("198.51.100.7:1", 8); got != 5 {
		t.Errorf("an address opens %d at once, want 5", got)
	}
	w.Clock.Step(time.Second)
	if got := opened("198.51.100.7:1", 8); got != 5 {
		t.Errorf("an address opens %d a second later, want 5", got)
	}
	w.Clock.Step(time.Minute)
	all := 0
	for _, from := range []string{"a", "b", "c", "d", "e", "f"} {
		all += opened(from, 5)
	}
	if all != 20 {
		t.Errorf("6 addresses open %d texts of an article, want 20", all)
	}
}

func TestNothingButReadingIsPossible(t *testing.T) {
	w := newWorld(t)
	path := w.link("")
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		if got := w.ask(method, path, "198.51.100.7:1"); got.Code != http.StatusMethodNotAllowed {
			t.Errorf("%s: got %d", method, got.Code)
		}
	}
	// The operation behind the page is no operation of the REST API.
	got := w.Do(operationtest.Request{Path: "/v1/api/blogs/" + w.article.Name + "/shared?object=u"})
	if got.Status != http.StatusNotFound {
		t.Errorf("the operation behind the page answers %d", got.Status)
	}
}
