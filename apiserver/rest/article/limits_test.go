package article_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/test/operationtest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

func TestAnAccountHasALimitOfArticlesThatAreNotPublished(t *testing.T) {
	api := operationtest.New(t)
	api.Account.Spec.Limits.UnpublishedArticles = new(int32(2))
	api.Article(nil)
	api.Published()
	if got := api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/blogs", Body: operationtest.Written("a")}); got.Status != http.StatusCreated {
		t.Fatalf("below the limit: got %d: %s", got.Status, got.Raw)
	}
	api.Article(nil)
	operationtest.WantLimit(t, api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/blogs", Body: operationtest.Written("b")}), "unpublishedArticles", 2)
	operationtest.WantLimit(t, api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil)}), "unpublishedArticles", 2)
	if len(api.Ledger.Charges) > 0 {
		t.Error("something was charged")
	}
}

func TestAnAccountHasALimitOfArticles(t *testing.T) {
	const defaultArticles = 100_000
	api := operationtest.New(t)
	create := operationtest.Request{Method: "POST", Path: "/v1/api/blogs", Body: operationtest.Written("a")}
	api.Deps.Index = operationtest.Full{Index: api.Index, Has: index.Usage{Articles: defaultArticles - 1}}
	if got := api.Do(create); got.Status != http.StatusCreated {
		t.Fatalf("below the limit: got %d: %s", got.Status, got.Raw)
	}
	other := operationtest.New(t)
	other.Deps.Index = operationtest.Full{Index: other.Index, Has: index.Usage{Articles: defaultArticles}}
	operationtest.WantLimit(t, other.Do(create), "articles", defaultArticles)
	operationtest.WantLimit(t, other.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil)}), "articles", defaultArticles)
	if len(other.Ledger.Charges) > 0 {
		t.Error("something was charged")
	}
	other.Account.Spec.Limits.Articles = new(int32(defaultArticles + 1))
	if got := other.Do(create); got.Status != http.StatusCreated {
		t.Errorf("with another limit: got %d: %s", got.Status, got.Raw)
	}
}

func TestARepeatedRequestNeedsNoRoom(t *testing.T) {
	api := operationtest.New(t)
	api.Account.Spec.Limits.UnpublishedArticles = new(int32(1))
	for path, body := range map[string]string{"/v1/api/generate": operationtest.GenerateBody(nil), "/v1/api/blogs": operationtest.Written("a")} {
		r := operationtest.Request{Method: "POST", Path: path, Body: body, Header: map[string]string{"Idempotency-Key": "k" + path}}
		first := api.Do(r)
		if first.Status >= 300 {
			t.Fatalf("%s: got %d: %s", path, first.Status, first.Raw)
		}
	}
	api.Article(nil)
	for path, body := range map[string]string{"/v1/api/generate": operationtest.GenerateBody(nil), "/v1/api/blogs": operationtest.Written("a")} {
		r := operationtest.Request{Method: "POST", Path: path, Body: body, Header: map[string]string{"Idempotency-Key": "k" + path}}
		if again := api.Do(r); again.Status >= 300 {
			t.Errorf("%s again: got %d: %s", path, again.Status, again.Raw)
		}
		r.Header["Idempotency-Key"] = "another"
		operationtest.WantLimit(t, api.Do(r), "unpublishedArticles", 1)
	}
}

func TestAnAccountHasALimitOfText(t *testing.T) {
	api := operationtest.New(t)
	api.Account.Spec.Limits.TextBytes = new(int64(10 << 10))
	// The content of an article of so many bytes as JSON.
	content := func(size int) *v1alpha1.ArticleContent {
		return &v1alpha1.ArticleContent{Title: "T", Markdown: strings.Repeat("x", size-len(`{"title":"T","markdown":""}`))}
	}
	api.Article(func(a *v1alpha1.Article) {
		a.Spec.Content = content(1 << 10)
		a.Status.Revision, a.Status.History, a.Status.RevisionKiB = &v1alpha1.CurrentRevision{Number: 2}, []int32{1}, []int32{3, 2}
	})
	// Publishing does not take a text out of etcd.
	api.Article(func(a *v1alpha1.Article) {
		a.Spec.Content = content(1 << 10)
		a.Status.Revision, a.Status.RevisionKiB = &v1alpha1.CurrentRevision{Number: 1}, []int32{1}
		a.Status.Publication = &v1alpha1.Publication{Post: v1alpha1.SitePost{State: v1alpha1.PostPresent, Revision: &v1alpha1.PublicationRevision{}}}
	})
	// 2 KiB are left: for a text of 1 KiB, and its revision.
	operationtest.WantLimit(t, api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/blogs", Body: operationtest.Written(content(1025).Markdown)}), "textBytes", 10<<10)
	if got := api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/blogs", Body: operationtest.Written(content(1024).Markdown)}); got.Status != http.StatusCreated {
		t.Errorf("exactly the limit: got %d: %s", got.Status, got.Raw)
	}
	// A generated text is bounded by credits.
	if got := api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil)}); got.Status != http.StatusAccepted {
		t.Errorf("generate: got %d: %s", got.Status, got.Raw)
	}
	edited := api.Article(func(a *v1alpha1.Article) {
		a.Spec.Content = content(400)
		a.Status.Revision, a.Status.RevisionKiB = &v1alpha1.CurrentRevision{Number: 1}, []int32{2}
	})
	edit := func(body string) testkit.Answer {
		return api.Do(operationtest.Request{Method: "PATCH", Path: "/v1/api/blogs/" + edited.Name, Body: body})
	}
	shorter := strings.Repeat("<", (200-len(`{"title":"T","markdown":""}`))/len(`\u003c`))
	operationtest.WantLimit(t, edit(`{"content_markdown":"`+shorter+`<"}`), "textBytes", 10<<10)
	for _, body := range []string{`{"author":null}`, `{"content_markdown":"` + shorter + `"}`} {
		if got := edit(body); got.Status != http.StatusOK {
			t.Errorf("an edit that leaves no more: got %d: %s", got.Status, got.Raw)
		}
	}
}

func TestAnAccountHasALimitOfPosts(t *testing.T) {
	api := operationtest.New(t)
	api.Account.Spec.Limits.Posts = new(int32(3))
	api.Account.Status.Objects.Posts = 2
	create := operationtest.Request{Method: "POST", Path: "/v1/api/blogs", Body: operationtest.Written("a")}
	if got := api.Do(create); got.Status != http.StatusCreated {
		t.Fatalf("below the limit: got %d: %s", got.Status, got.Raw)
	}
	api.Account.Status.Objects.Posts = 3
	operationtest.WantLimit(t, api.Do(create), "posts", 3)
	operationtest.WantLimit(t, api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil)}), "posts", 3)
}
