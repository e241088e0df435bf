package rest_test

import (
	"errors"
	"net/http"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/internalv1alpha1"
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

var keyed = map[string]string{"Idempotency-Key": "k"}

// forgetArticles is what DELETE and kubectl delete leave behind.
func (api *restAPI) forgetArticles() {
	clear(api.objects.articles)
}

func TestAnAnswerNamesWhatItCreatedAndSaysIfItIsARepeat(t *testing.T) {
	api := newAPI(t)
	written := request{
		method: "POST", path: "/v1/api/blogs", header: keyed,
		body: `{"site_uid":"` + siteUID + `","title":"Shoes","content_markdown":"Some text."}`,
	}
	first, again := api.do(written), api.do(written)
	if want := "/v1/api/blogs/" + first.Text("uid"); first.Status != 201 || first.Header.Get("Location") != want || again.Header.Get("Location") != want {
		t.Errorf("Location is %q and %q, want %q: %s", first.Header.Get("Location"), again.Header.Get("Location"), want, first.Raw)
	}
	if first.Header.Get("Idempotent-Replayed") != "" || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("a repeat is marked %q, the first answer %q", again.Header.Get("Idempotent-Replayed"), first.Header.Get("Idempotent-Replayed"))
	}
	generate := request{method: "POST", path: "/v1/api/generate", body: generateBody(nil), header: map[string]string{"Idempotency-Key": "g"}}
	accepted(t, api.do(generate))
	if again := api.do(generate); again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("a repeat of generate is not marked: %s", again.Raw)
	}
}

func TestAKeyIsForOneRequestWhateverItsOperation(t *testing.T) {
	api := newAPI(t)
	accepted(t, api.do(request{method: "POST", path: "/v1/api/generate", body: generateBody(nil), header: keyed}))
	written := `{"site_uid":"` + siteUID + `","title":"Shoes","content_markdown":"Some text."}`
	wantReason(t, api.do(request{method: "POST", path: "/v1/api/blogs", body: written, header: keyed}), problem.ReasonKeyReused)
	if api.objects.made != 1 {
		t.Errorf("%d articles were made", api.objects.made)
	}
}

func TestARepeatGetsTheSameAnswerAfterTheArticleWasDeleted(t *testing.T) {
	api := newAPI(t)
	call := request{method: "POST", path: "/v1/api/generate", body: generateBody(nil), header: keyed}
	first := api.do(call)
	accepted(t, first)
	api.forgetArticles()
	if again := api.do(call); again.Status != first.Status || again.Raw != first.Raw {
		t.Errorf("the repeat got %d %s, want %d %s", again.Status, again.Raw, first.Status, first.Raw)
	}
	call.body = generateBody(map[string]any{"tone": "dry"})
	wantFailure(t, api.do(call), http.StatusConflict, problem.CodeConflict)
	if len(api.objects.articles) != 0 || len(api.ledger.charges) != 1 || api.ledger.returned != 0 {
		t.Errorf("%d articles, %d charges, %d returned; want 0, 1, 0", len(api.objects.articles), len(api.ledger.charges), api.ledger.returned)
	}
}

func TestARepeatOfACreationDoesNotCreateADeletedArticleAgain(t *testing.T) {
	api := newAPI(t)
	call := request{method: "POST", path: "/v1/api/blogs", body: `{"site_uid":"` + siteUID + `","title":"T","content_markdown":"M"}`, header: keyed}
	if got := api.do(call); got.Status != http.StatusCreated {
		t.Fatalf("got %d: %s", got.Status, got.Raw)
	}
	api.forgetArticles()
	wantFailure(t, api.do(call), http.StatusConflict, problem.CodeConflict)
	if len(api.objects.articles) != 0 {
		t.Errorf("%d articles, want 0", len(api.objects.articles))
	}
}

// What a process leaves behind that ends in the middle of a call.
func TestARepeatGoesOnWithAnInterruptedRequest(t *testing.T) {
	call := request{method: "POST", path: "/v1/api/generate", body: generateBody(nil), header: keyed}
	for _, c := range []struct {
		name      string
		interrupt func(*restAPI)
	}{
		{"before the article was created", func(api *restAPI) { api.forgetArticles() }},
		{"before its creation was recorded", func(*restAPI) {}},
	} {
		t.Run(c.name, func(t *testing.T) {
			api := newAPI(t)
			first := api.do(call)
			accepted(t, first)
			for _, r := range api.objects.records {
				r.Spec.ObjectUID = ""
			}
			c.interrupt(api)
			if again := api.do(call); again.Raw != first.Raw {
				t.Errorf("the repeat got %d %s, want %s", again.Status, again.Raw, first.Raw)
			}
			if len(api.objects.articles) != 1 {
				t.Errorf("%d articles, want 1", len(api.objects.articles))
			}
		})
	}
}

// The first request ended without an answer, after it had created the article and before that was recorded.
func TestARepeatThatIsAnsweredIsRecorded(t *testing.T) {
	for name, seen := range map[string]bool{"by the replica's memory": true, "by kube-apiserver": false} {
		t.Run(name, func(t *testing.T) {
			api := newAPI(t)
			call := request{method: "POST", path: "/v1/api/generate", body: generateBody(nil), header: keyed}
			first := api.do(call)
			accepted(t, first)
			for _, r := range api.objects.records {
				r.Spec.ObjectUID = ""
			}
			for _, a := range api.objects.articles {
				if seen {
					api.index.Handlers().Articles.OnAdd(a.DeepCopy(), false)
				}
			}
			accepted(t, api.do(call))
			api.forgetArticles()
			if again := api.do(call); again.Raw != first.Raw || len(api.objects.articles) != 0 {
				t.Errorf("the repeat got %d %s, and there are %d articles; want %s, and none", again.Status, again.Raw, len(api.objects.articles), first.Raw)
			}
		})
	}
}

func TestARefusedCreationMayBeRepeatedUnderItsKey(t *testing.T) {
	api := newAPI(t)
	call := request{method: "POST", path: "/v1/api/generate", body: generateBody(nil), header: keyed}
	api.objects.articleErr = apierrors.NewForbidden(schema.GroupResource{Resource: "articles"}, "x", errors.New("exceeded quota: articles"))
	wantFailure(t, api.do(call), http.StatusConflict, problem.CodeLimitReached)
	if len(api.objects.records) != 0 || api.ledger.returned != 1 {
		t.Errorf("%d records, %d returned; want 0, 1", len(api.objects.records), api.ledger.returned)
	}
	api.objects.articleErr = nil
	call.body = generateBody(map[string]any{"tone": "dry"})
	accepted(t, api.do(call))
}

func TestARequestWithoutAKeyIsNotRecorded(t *testing.T) {
	api := newAPI(t)
	accepted(t, api.do(request{method: "POST", path: "/v1/api/generate", body: generateBody(nil)}))
	if len(api.objects.records) != 0 {
		t.Errorf("%d records, want 0", len(api.objects.records))
	}
}

// chargeOf is the charge of the article that the key makes, as the article with the uid has taken it over.
func chargeOf(uid string) v1alpha1.PendingCharge {
	name := identity.IdempotentName(workspace, keyed["Idempotency-Key"])
	return v1alpha1.PendingCharge{
		Run: identity.RevisionName(name, name, 1), Workspace: workspace, Article: name, ArticleUID: uid, Site: siteUID, Time: v1alpha1.NewMicroTime(began),
	}
}

// A request that was held up between its record and its article, while another one with its key ended and its article was deleted.
func TestASecondArticleUnderOneKeyIsRemovedAtOnce(t *testing.T) {
	api := newAPI(t)
	call := request{method: "POST", path: "/v1/api/generate", body: generateBody(nil), header: keyed}
	api.objects.beforeArticle = func(key client.ObjectKey) {
		r := api.objects.records[key].DeepCopy()
		r.Spec.ObjectUID, r.ResourceVersion = "of-another-replica", "2"
		api.objects.records[key] = r
	}
	api.ledger.usage = v1alpha1.AccountLedgerSpec{CreditsUsed: 1, Pending: []v1alpha1.PendingCharge{chargeOf("")}}
	accepted(t, api.do(call))
	if len(api.objects.articles) != 0 {
		t.Errorf("%d articles, want 0", len(api.objects.articles))
	}
	if u := api.ledger.usage; u.CreditsUsed != 0 || len(u.Pending) != 0 || len(u.Refunded) != 0 {
		t.Errorf("the charge of the second article was not returned: %+v", u)
	}

	// Somebody has deleted it, and created another one of its name.
	api = newAPI(t)
	api.objects.beforeArticle = func(key client.ObjectKey) {
		r := api.objects.records[key].DeepCopy()
		r.Spec.ObjectUID, r.ResourceVersion = "of-another-replica", "2"
		api.objects.records[key] = r
	}
	api.objects.deleteErr = apierrors.NewConflict(schema.GroupResource{Resource: "articles"}, "x", errors.New("the UID in the precondition"))
	accepted(t, api.do(call))
}

// Since the request looked for an earlier one, that has ended, its article was deleted with kubectl, and another one was created under
// the name.
func TestARepeatIsAnsweredWhileAnotherArticleHasTheName(t *testing.T) {
	call := request{method: "POST", path: "/v1/api/generate", body: generateBody(nil), header: keyed}
	reference := newAPI(t)
	first := reference.do(call)
	name := accepted(t, first).BlogUID
	key := client.ObjectKey{Namespace: workspace, Name: name}
	completed := reference.objects.records[key]
	for _, c := range []struct {
		name string
		hold func(api *restAPI, replace func())
	}{
		{"before its own record", func(api *restAPI, replace func()) { api.ledger.before = replace }},
		{"before its own article", func(api *restAPI, replace func()) {
			api.objects.beforeArticle = func(client.ObjectKey) { replace() }
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			api := newAPI(t)
			c.hold(api, func() {
				api.objects.records[key] = completed.DeepCopy()
				api.objects.articles[key] = &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{Namespace: workspace, Name: name, UID: "of-kubectl"}}
			})
			if again := api.do(call); again.Status != first.Status || again.Raw != first.Raw {
				t.Errorf("the repeat got %d %s, want %d %s", again.Status, again.Raw, first.Status, first.Raw)
			}
			if a := api.objects.articles[key]; len(api.objects.articles) != 1 || a == nil || a.UID != "of-kubectl" {
				t.Errorf("the articles are %v, want that of kubectl alone", api.objects.articles)
			}
		})
	}
}

// Somebody's article has the name, and no request with the key has ended.
func TestAnotherArticleOfTheNameIsAConflict(t *testing.T) {
	call := request{method: "POST", path: "/v1/api/generate", body: generateBody(nil), header: keyed}
	key := client.ObjectKey{Namespace: workspace, Name: accepted(t, newAPI(t).do(call)).BlogUID}
	api := newAPI(t)
	api.objects.articles[key] = &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{Namespace: workspace, Name: key.Name}}
	wantFailure(t, api.do(call), http.StatusConflict, problem.CodeConflict)
	if len(api.ledger.charges) != 0 || len(api.objects.records) != 0 {
		t.Errorf("%d charges, %d records; want none", len(api.ledger.charges), len(api.objects.records))
	}
}

func TestARecordNamesItsRequest(t *testing.T) {
	api := newAPI(t)
	out := accepted(t, api.do(request{method: "POST", path: "/v1/api/generate", body: generateBody(nil), header: keyed}))
	r := api.objects.records[client.ObjectKey{Namespace: workspace, Name: out.BlogUID}]
	if r == nil {
		t.Fatal("there is no record")
	}
	want := internalv1alpha1.IdempotencyRecordSpec{Operation: "generate", RequestHash: r.Spec.RequestHash, Object: out.BlogUID, ObjectUID: "1"}
	if r.Spec != want || len(r.Spec.RequestHash) != 64 {
		t.Errorf("the record is %+v, want %+v", r.Spec, want)
	}
}
