package rest_test

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// wantLimit checks that a limit of the account is reached, and which.
func wantLimit(t *testing.T, got testkit.Answer, limit string, most int) {
	t.Helper()
	wantFailure(t, got, http.StatusConflict, problem.CodeLimitReached)
	f := failureOf(t, got)
	if d := f.Problem.Details; len(d) != 1 || d[0].Field != limit || !strings.Contains(f.Problem.Message, strconv.Itoa(most)) {
		t.Errorf("got %s, want the limit %s of %d", got.Raw, limit, most)
	}
}

func written(text string) string {
	return `{"site_uid":"` + siteUID + `","title":"T","content_markdown":"` + text + `"}`
}

func TestAnAccountHasALimitOfArticlesThatAreNotPublished(t *testing.T) {
	api := newAPI(t)
	api.account.Spec.Limits.UnpublishedArticles = new(int32(2))
	api.article(nil)
	api.published()
	if got := api.do(request{method: "POST", path: "/v1/api/blogs", body: written("a")}); got.Status != http.StatusCreated {
		t.Fatalf("below the limit: got %d: %s", got.Status, got.Raw)
	}
	api.article(nil)
	wantLimit(t, api.do(request{method: "POST", path: "/v1/api/blogs", body: written("b")}), "unpublishedArticles", 2)
	wantLimit(t, api.do(request{method: "POST", path: "/v1/api/generate", body: generateBody(nil)}), "unpublishedArticles", 2)
	if len(api.ledger.charges) > 0 {
		t.Error("something was charged")
	}
}

func TestAnAccountHasALimitOfArticles(t *testing.T) {
	const defaultArticles = 100_000
	api := newAPI(t)
	create := request{method: "POST", path: "/v1/api/blogs", body: written("a")}
	api.deps.Index = full{api.index, index.Usage{Articles: defaultArticles - 1}}
	if got := api.do(create); got.Status != http.StatusCreated {
		t.Fatalf("below the limit: got %d: %s", got.Status, got.Raw)
	}
	other := newAPI(t)
	other.deps.Index = full{other.index, index.Usage{Articles: defaultArticles}}
	wantLimit(t, other.do(create), "articles", defaultArticles)
	wantLimit(t, other.do(request{method: "POST", path: "/v1/api/generate", body: generateBody(nil)}), "articles", defaultArticles)
	if len(other.ledger.charges) > 0 {
		t.Error("something was charged")
	}
	other.account.Spec.Limits.Articles = new(int32(defaultArticles + 1))
	if got := other.do(create); got.Status != http.StatusCreated {
		t.Errorf("with another limit: got %d: %s", got.Status, got.Raw)
	}
}

func TestARepeatedRequestNeedsNoRoom(t *testing.T) {
	api := newAPI(t)
	api.account.Spec.Limits.UnpublishedArticles = new(int32(1))
	for path, body := range map[string]string{"/v1/api/generate": generateBody(nil), "/v1/api/blogs": written("a")} {
		r := request{method: "POST", path: path, body: body, header: map[string]string{"Idempotency-Key": "k" + path}}
		first := api.do(r)
		if first.Status >= 300 {
			t.Fatalf("%s: got %d: %s", path, first.Status, first.Raw)
		}
	}
	api.article(nil)
	for path, body := range map[string]string{"/v1/api/generate": generateBody(nil), "/v1/api/blogs": written("a")} {
		r := request{method: "POST", path: path, body: body, header: map[string]string{"Idempotency-Key": "k" + path}}
		if again := api.do(r); again.Status >= 300 {
			t.Errorf("%s again: got %d: %s", path, again.Status, again.Raw)
		}
		r.header["Idempotency-Key"] = "another"
		wantLimit(t, api.do(r), "unpublishedArticles", 1)
	}
}

func TestAnAccountHasALimitOfText(t *testing.T) {
	api := newAPI(t)
	api.account.Spec.Limits.TextBytes = new(int64(10 << 10))
	// The content of an article of so many bytes as JSON.
	content := func(size int) *v1alpha1.ArticleContent {
		return &v1alpha1.ArticleContent{Title: "T", Markdown: strings.Repeat("x", size-len(`{"title":"T","markdown":""}`))}
	}
	api.article(func(a *v1alpha1.Article) {
		a.Spec.Content = content(1 << 10)
		a.Status.Revision, a.Status.History, a.Status.RevisionKiB = &v1alpha1.CurrentRevision{Number: 2}, []int32{1}, []int32{3, 2}
	})
	// Publishing does not take a text out of etcd.
	api.article(func(a *v1alpha1.Article) {
		a.Spec.Content = content(1 << 10)
		a.Status.Revision, a.Status.RevisionKiB = &v1alpha1.CurrentRevision{Number: 1}, []int32{1}
		a.Status.Publication = &v1alpha1.Publication{Post: v1alpha1.SitePost{State: v1alpha1.PostPresent, Revision: &v1alpha1.PublicationRevision{}}}
	})
	// 2 KiB are left: for a text of 1 KiB, and its revision.
	wantLimit(t, api.do(request{method: "POST", path: "/v1/api/blogs", body: written(content(1025).Markdown)}), "textBytes", 10<<10)
	if got := api.do(request{method: "POST", path: "/v1/api/blogs", body: written(content(1024).Markdown)}); got.Status != http.StatusCreated {
		t.Errorf("exactly the limit: got %d: %s", got.Status, got.Raw)
	}
	// A generated text is bounded by credits.
	if got := api.do(request{method: "POST", path: "/v1/api/generate", body: generateBody(nil)}); got.Status != http.StatusAccepted {
		t.Errorf("generate: got %d: %s", got.Status, got.Raw)
	}
	edited := api.article(func(a *v1alpha1.Article) {
		a.Spec.Content = content(400)
		a.Status.Revision, a.Status.RevisionKiB = &v1alpha1.CurrentRevision{Number: 1}, []int32{2}
	})
	edit := func(body string) testkit.Answer {
		return api.do(request{method: "PATCH", path: "/v1/api/blogs/" + edited.Name, body: body})
	}
	shorter := strings.Repeat("<", (200-len(`{"title":"T","markdown":""}`))/len(`\u003c`))
	wantLimit(t, edit(`{"content_markdown":"`+shorter+`<"}`), "textBytes", 10<<10)
	for _, body := range []string{`{"author":null}`, `{"content_markdown":"` + shorter + `"}`} {
		if got := edit(body); got.Status != http.StatusOK {
			t.Errorf("an edit that leaves no more: got %d: %s", got.Status, got.Raw)
		}
	}
}

// full is an index of an account that has what it says.
type full struct {
	*index.Index

	usage index.Usage
}

func (f full) Usage(string) index.Usage { return f.usage }

func TestSubscriptionsAndClientsHaveALimitByDefault(t *testing.T) {
	api := newAPI(t)
	api.deps.Index = full{api.index, index.Usage{Subscriptions: v1alpha1.AccountLimits{}.MostEventSubscriptions()}}
	api.clients = v1alpha1.AccountLimits{}.MostOAuthClients()
	wantLimit(t, api.do(request{method: "POST", path: "/v1/api/event-subscriptions", body: `{"url":"https://example.com/","events":["*"]}`}),
		"eventSubscriptions", 100)
	client := request{method: "POST", path: "/v1/api/oauth/clients", body: `{"name":"n","redirect_uris":["https://example.com/"]}`}
	wantLimit(t, api.do(client), "oauthClients", 50)
	api.account.Spec.Limits.OAuthClients = new(int32(51))
	if got := api.do(client); got.Status != http.StatusCreated {
		t.Errorf("with another limit: got %d: %s", got.Status, got.Raw)
	}
}

func TestNothingIsCreatedWhileTheLimitsAreUnknown(t *testing.T) {
	api := newAPI(t)
	api.account.err = errors.New("no route to host")
	wantFailure(t, api.do(request{method: "POST", path: "/v1/api/generate", body: generateBody(nil)}), http.StatusServiceUnavailable, problem.CodeUnavailable)
	if len(api.ledger.charges) > 0 || len(api.objects.articles) > 0 {
		t.Error("something was charged or created")
	}
}
