package article_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/articlelist"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/internalv1alpha1"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

// forgetArticles is what DELETE and kubectl delete leave behind.
func forgetArticles(api *operationtest.API) {
	clear(api.Objects.Articles)
}

func TestAnAnswerNamesWhatItCreatedAndSaysIfItIsARepeat(t *testing.T) {
	api := operationtest.New(t)
	written := operationtest.Request{
		Method: "POST", Path: "/v1/api/blogs", Header: operationtest.Keyed,
		Body: `{"site_uid":"` + operationtest.SiteUID + `","title":"Shoes","content_markdown":"Some text."}`,
	}
	first, again := api.Do(written), api.Do(written)
	if want := "/v1/api/blogs/" + first.Text("uid"); first.Status != 201 || first.Header.Get("Location") != want || again.Header.Get("Location") != want {
		t.Errorf("Location is %q and %q, want %q: %s", first.Header.Get("Location"), again.Header.Get("Location"), want, first.Raw)
	}
	if first.Header.Get("Idempotent-Replayed") != "" || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("a repeat is marked %q, the first answer %q", again.Header.Get("Idempotent-Replayed"), first.Header.Get("Idempotent-Replayed"))
	}
	generate := operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil), Header: map[string]string{"Idempotency-Key": "g"}}
	operationtest.Accepted(t, api.Do(generate))
	if again := api.Do(generate); again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("a repeat of generate is not marked: %s", again.Raw)
	}
}

func TestAKeyIsForOneRequestWhateverItsOperation(t *testing.T) {
	api := operationtest.New(t)
	operationtest.Accepted(t, api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil), Header: operationtest.Keyed}))
	written := `{"site_uid":"` + operationtest.SiteUID + `","title":"Shoes","content_markdown":"Some text."}`
	operationtest.WantReason(t, api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/blogs", Body: written, Header: operationtest.Keyed}), problem.ReasonKeyReused)
	if api.Objects.Made != 1 {
		t.Errorf("%d articles were made", api.Objects.Made)
	}
}

func TestARepeatOfACreationDoesNotCreateADeletedArticleAgain(t *testing.T) {
	api := operationtest.New(t)
	call := operationtest.Request{Method: "POST", Path: "/v1/api/blogs", Body: `{"site_uid":"` + operationtest.SiteUID + `","title":"T","content_markdown":"M"}`, Header: operationtest.Keyed}
	if got := api.Do(call); got.Status != http.StatusCreated {
		t.Fatalf("got %d: %s", got.Status, got.Raw)
	}
	forgetArticles(api)
	operationtest.WantFailure(t, api.Do(call), http.StatusConflict, problem.CodeConflict)
	if len(api.Objects.Articles) != 0 {
		t.Errorf("%d articles, want 0", len(api.Objects.Articles))
	}
}

// What a process leaves behind that ends in the middle of a call.
func TestARepeatGoesOnWithAnInterruptedRequest(t *testing.T) {
	call := operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil), Header: operationtest.Keyed}
	for _, c := range []struct {
		name      string
		interrupt func(*operationtest.API)
	}{
		{"before the article was created", func(api *operationtest.API) { forgetArticles(api) }},
		{"before its creation was recorded", func(*operationtest.API) {}},
	} {
		t.Run(c.name, func(t *testing.T) {
			api := operationtest.New(t)
			first := api.Do(call)
			operationtest.Accepted(t, first)
			for _, r := range api.Objects.Records {
				r.Spec.ObjectUID = ""
			}
			c.interrupt(api)
			if again := api.Do(call); again.Raw != first.Raw {
				t.Errorf("the repeat got %d %s, want %s", again.Status, again.Raw, first.Raw)
			}
			if len(api.Objects.Articles) != 1 {
				t.Errorf("%d articles, want 1", len(api.Objects.Articles))
			}
		})
	}
}

// The first request ended without an answer, after it had created the article and before that was recorded.
func TestARepeatThatIsAnsweredIsRecorded(t *testing.T) {
	for name, seen := range map[string]bool{"by the replica's memory": true, "by kube-apiserver": false} {
		t.Run(name, func(t *testing.T) {
			api := operationtest.New(t)
			call := operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil), Header: operationtest.Keyed}
			first := api.Do(call)
			operationtest.Accepted(t, first)
			for _, r := range api.Objects.Records {
				r.Spec.ObjectUID = ""
			}
			for _, a := range api.Objects.Articles {
				if seen {
					api.Index.Handlers().Articles.OnAdd(a.DeepCopy(), false)
				}
			}
			operationtest.Accepted(t, api.Do(call))
			forgetArticles(api)
			if again := api.Do(call); again.Raw != first.Raw || len(api.Objects.Articles) != 0 {
				t.Errorf("the repeat got %d %s, and there are %d articles; want %s, and none", again.Status, again.Raw, len(api.Objects.Articles), first.Raw)
			}
		})
	}
}

func TestARefusedCreationMayBeRepeatedUnderItsKey(t *testing.T) {
	api := operationtest.New(t)
	call := operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil), Header: operationtest.Keyed}
	api.Objects.ArticleErr = apierrors.NewForbidden(schema.GroupResource{Resource: "articles"}, "x", errors.New("exceeded quota: articles"))
	operationtest.WantFailure(t, api.Do(call), http.StatusConflict, problem.CodeLimitReached)
	if len(api.Objects.Records) != 0 || api.Ledger.Returned != 1 {
		t.Errorf("%d records, %d returned; want 0, 1", len(api.Objects.Records), api.Ledger.Returned)
	}
	api.Objects.ArticleErr = nil
	call.Body = operationtest.GenerateBody(map[string]any{"tone": "dry"})
	operationtest.Accepted(t, api.Do(call))
}

func TestARequestWithoutAKeyIsNotRecorded(t *testing.T) {
	api := operationtest.New(t)
	operationtest.Accepted(t, api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil)}))
	if len(api.Objects.Records) != 0 {
		t.Errorf("%d records, want 0", len(api.Objects.Records))
	}
}

// chargeOf is the charge of the article that the key makes, as the article with the uid has taken it over.
func chargeOf(uid string) v1alpha1.PendingCharge {
	name := identity.IdempotentName(operationtest.Workspace, operationtest.Keyed["Idempotency-Key"])
	return v1alpha1.PendingCharge{
		Run: identity.RevisionName(name, name, 1), Workspace: operationtest.Workspace, Article: name, ArticleUID: uid, Site: operationtest.SiteUID, Time: v1alpha1.NewMicroTime(operationtest.Began),
	}
}

// A request that was held up between its record and its article, while another one with its key ended and its article was deleted.
// In a burst, the controller completes each fourth record before the facade: a creation of the record that could only fail came first then.
func TestARecordThatTheControllerHasCompletedIsRead(t *testing.T) {
	api := operationtest.New(t)
	api.Objects.BeforeArticle = func(key client.ObjectKey) {
		r := api.Objects.Records[key].DeepCopy()
		r.Spec.ObjectUID, r.ResourceVersion = "1", "2"
		api.Objects.Records[key] = r
	}
	written := `{"site_uid":"` + operationtest.SiteUID + `","title":"Shoes","content_markdown":"Some text."}`
	got := api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/blogs", Body: written, Header: operationtest.Keyed})
	if got.Status != http.StatusCreated || len(api.Objects.Articles) != 1 {
		t.Errorf("got %d with %d articles, want the one that was created: %s", got.Status, len(api.Objects.Articles), got.Raw)
	}
	if api.Objects.RecordsBegun != 1 {
		t.Errorf("%d requests to create the record, want 1", api.Objects.RecordsBegun)
	}
}

func TestASecondArticleUnderOneKeyIsRemovedAtOnce(t *testing.T) {
	api := operationtest.New(t)
	call := operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil), Header: operationtest.Keyed}
	api.Objects.BeforeArticle = func(key client.ObjectKey) {
		r := api.Objects.Records[key].DeepCopy()
		r.Spec.ObjectUID, r.ResourceVersion = "of-another-replica", "2"
		api.Objects.Records[key] = r
	}
	api.Ledger.Usage = v1alpha1.AccountLedgerSpec{CreditsUsed: 1, Pending: []v1alpha1.PendingCharge{chargeOf("")}}
	operationtest.Accepted(t, api.Do(call))
	if len(api.Objects.Articles) != 0 {
		t.Errorf("%d articles, want 0", len(api.Objects.Articles))
	}
	if u := api.Ledger.Usage; u.CreditsUsed != 0 || len(u.Pending) != 0 || len(u.Refunded) != 0 {
		t.Errorf("the charge of the second article was not returned: %+v", u)
	}

	// Somebody has deleted it, and created another one of its name.
	api = operationtest.New(t)
	api.Objects.BeforeArticle = func(key client.ObjectKey) {
		r := api.Objects.Records[key].DeepCopy()
		r.Spec.ObjectUID, r.ResourceVersion = "of-another-replica", "2"
		api.Objects.Records[key] = r
	}
	api.Objects.DeleteErr = apierrors.NewConflict(schema.GroupResource{Resource: "articles"}, "x", errors.New("the UID in the precondition"))
	operationtest.Accepted(t, api.Do(call))
}

// Since the request looked for an earlier one, that has ended, its article was deleted with kubectl, and another one was created under
// the name.
func TestARepeatIsAnsweredWhileAnotherArticleHasTheName(t *testing.T) {
	call := operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil), Header: operationtest.Keyed}
	reference := operationtest.New(t)
	first := reference.Do(call)
	name := operationtest.Accepted(t, first).BlogUID
	key := client.ObjectKey{Namespace: operationtest.Workspace, Name: name}
	completed := reference.Objects.Records[key]
	for _, c := range []struct {
		name string
		hold func(api *operationtest.API, replace func())
	}{
		{"before its own record", func(api *operationtest.API, replace func()) { api.Ledger.Before = replace }},
		{"before its own article", func(api *operationtest.API, replace func()) {
			api.Objects.BeforeArticle = func(client.ObjectKey) { replace() }
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			api := operationtest.New(t)
			c.hold(api, func() {
				api.Objects.Records[key] = completed.DeepCopy()
				api.Objects.Articles[key] = &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{Namespace: operationtest.Workspace, Name: name, UID: "of-kubectl"}}
			})
			if again := api.Do(call); again.Status != first.Status || again.Raw != first.Raw {
				t.Errorf("the repeat got %d %s, want %d %s", again.Status, again.Raw, first.Status, first.Raw)
			}
			if a := api.Objects.Articles[key]; len(api.Objects.Articles) != 1 || a == nil || a.UID != "of-kubectl" {
				t.Errorf("the articles are %v, want that of kubectl alone", api.Objects.Articles)
			}
		})
	}
}

// Somebody's article has the name, and no request with the key has ended.
func TestAnotherArticleOfTheNameIsAConflict(t *testing.T) {
	call := operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil), Header: operationtest.Keyed}
	key := client.ObjectKey{Namespace: operationtest.Workspace, Name: operationtest.Accepted(t, operationtest.New(t).Do(call)).BlogUID}
	api := operationtest.New(t)
	api.Objects.Articles[key] = &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{Namespace: operationtest.Workspace, Name: key.Name}}
	operationtest.WantFailure(t, api.Do(call), http.StatusConflict, problem.CodeConflict)
	if len(api.Ledger.Charges) != 0 || len(api.Objects.Records) != 0 {
		t.Errorf("%d charges, %d records; want none", len(api.Ledger.Charges), len(api.Objects.Records))
	}
}

func TestARecordNamesItsRequest(t *testing.T) {
	api := operationtest.New(t)
	out := operationtest.Accepted(t, api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil), Header: operationtest.Keyed}))
	r := api.Objects.Records[client.ObjectKey{Namespace: operationtest.Workspace, Name: out.BlogUID}]
	if r == nil {
		t.Fatal("there is no record")
	}
	want := internalv1alpha1.IdempotencyRecordSpec{Operation: "generate", RequestHash: r.Spec.RequestHash, Object: out.BlogUID, ObjectUID: "1"}
	if r.Spec != want || len(r.Spec.RequestHash) != 64 {
		t.Errorf("the record is %+v, want %+v", r.Spec, want)
	}
}

// What kubectl creates has whole seconds, so the time of what the API creates under an Idempotency-Key is noted.
func TestArticlesOfOneSecondAreInTheOrderOfTheirRequests(t *testing.T) {
	api := operationtest.New(t)
	var want []string
	for i := range 20 {
		header := map[string]string{}
		if i%2 == 0 {
			header["Idempotency-Key"] = fmt.Sprint("k", i)
		}
		api.Clock.Step(time.Millisecond)
		got := api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil), Header: header})
		uid := got.Text("blog_uid")
		made := api.Objects.Articles[client.ObjectKey{Namespace: operationtest.Workspace, Name: uid}]
		if at := made.CreatedAt(); header["Idempotency-Key"] != "" && !at.Equal(api.Clock.Now()) {
			t.Errorf("created at %s, want %s", at, api.Clock.Now())
		}
		if header["Idempotency-Key"] == "" {
			// A UUIDv7 has the time of the machine.
			continue
		}
		want = append(want, uid)
		api.Index.Handlers().Articles.OnAdd(made.DeepCopy(), false)
	}
	slices.Reverse(want)
	var page articlelist.ArticlePage
	api.Into(operationtest.Request{Path: "/v1/api/blogs"}, &page)
	var got []string
	for _, a := range page.Data {
		got = append(got, a.UID)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the list is %v, want %v", got, want)
	}
}
