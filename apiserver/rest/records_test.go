package rest_test

import (
	"errors"
	"net/http"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

var keyed = map[string]string{"Idempotency-Key": "k"}

// forgetArticles is what DELETE and kubectl delete leave behind.
func (w *world) forgetArticles() {
	clear(w.objects.articles)
}

func TestARepeatGetsTheSameAnswerAfterTheArticleWasDeleted(t *testing.T) {
	w := newWorld(t)
	call := request{method: "POST", path: "/v1/api/generate", body: generateBody(nil), header: keyed}
	first := w.do(call)
	accepted(t, first)
	w.forgetArticles()
	if again := w.do(call); again.Status != first.Status || again.Raw != first.Raw {
		t.Errorf("the repeat got %d %s, want %d %s", again.Status, again.Raw, first.Status, first.Raw)
	}
	call.body = generateBody(map[string]any{"tone": "dry"})
	wantFailure(t, w.do(call), http.StatusConflict, problem.CodeConflict)
	if len(w.objects.articles) != 0 || len(w.ledger.charges) != 1 || w.ledger.returned != 0 {
		t.Errorf("%d articles, %d charges, %d returned; want 0, 1, 0", len(w.objects.articles), len(w.ledger.charges), w.ledger.returned)
	}
}

func TestARepeatOfACreationDoesNotCreateADeletedArticleAgain(t *testing.T) {
	w := newWorld(t)
	call := request{method: "POST", path: "/v1/api/blogs", body: `{"site_uid":"` + siteUID + `","title":"T","content_markdown":"M"}`, header: keyed}
	if got := w.do(call); got.Status != http.StatusCreated {
		t.Fatalf("got %d: %s", got.Status, got.Raw)
	}
	w.forgetArticles()
	wantFailure(t, w.do(call), http.StatusConflict, problem.CodeConflict)
	if len(w.objects.articles) != 0 {
		t.Errorf("%d articles, want 0", len(w.objects.articles))
	}
}

// What a process leaves behind that ends in the middle of a call.
func TestARepeatGoesOnWithAnInterruptedRequest(t *testing.T) {
	call := request{method: "POST", path: "/v1/api/generate", body: generateBody(nil), header: keyed}
	for _, c := range []struct {
		name      string
		interrupt func(*world)
	}{
		{"before the article was created", func(w *world) { w.forgetArticles() }},
		{"before its creation was recorded", func(*world) {}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			first := w.do(call)
			accepted(t, first)
			for _, r := range w.objects.records {
				r.Spec.ObjectUID = ""
			}
			c.interrupt(w)
			if again := w.do(call); again.Raw != first.Raw {
				t.Errorf("the repeat got %d %s, want %s", again.Status, again.Raw, first.Raw)
			}
			if len(w.objects.articles) != 1 {
				t.Errorf("%d articles, want 1", len(w.objects.articles))
			}
		})
	}
}

// The first request ended without an answer, after it had created the article and before that was recorded.
func TestARepeatThatIsAnsweredIsRecorded(t *testing.T) {
	for name, seen := range map[string]bool{"by the replica's memory": true, "by kube-apiserver": false} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			call := request{method: "POST", path: "/v1/api/generate", body: generateBody(nil), header: keyed}
			first := w.do(call)
			accepted(t, first)
			for _, r := range w.objects.records {
				r.Spec.ObjectUID = ""
			}
			for _, a := range w.objects.articles {
				if seen {
					w.index.ArticleHandler().OnAdd(a.DeepCopy(), false)
				}
			}
			accepted(t, w.do(call))
			w.forgetArticles()
			if again := w.do(call); again.Raw != first.Raw || len(w.objects.articles) != 0 {
				t.Errorf("the repeat got %d %s, and there are %d articles; want %s, and none", again.Status, again.Raw, len(w.objects.articles), first.Raw)
			}
		})
	}
}

func TestARefusedCreationMayBeRepeatedUnderItsKey(t *testing.T) {
	w := newWorld(t)
	call := request{method: "POST", path: "/v1/api/generate", body: generateBody(nil), header: keyed}
	w.objects.articleErr = apierrors.NewForbidden(schema.GroupResource{Resource: "articles"}, "x", errors.New("exceeded quota: articles"))
	wantFailure(t, w.do(call), http.StatusConflict, problem.CodeLimitReached)
	if len(w.objects.records) != 0 || w.ledger.returned != 1 {
		t.Errorf("%d records, %d returned; want 0, 1", len(w.objects.records), w.ledger.returned)
	}
	w.objects.articleErr = nil
	call.body = generateBody(map[string]any{"tone": "dry"})
	accepted(t, w.do(call))
}

func TestARequestWithoutAKeyIsNotRecorded(t *testing.T) {
	w := newWorld(t)
	accepted(t, w.do(request{method: "POST", path: "/v1/api/generate", body: generateBody(nil)}))
	if len(w.objects.records) != 0 {
		t.Errorf("%d records, want 0", len(w.objects.records))
	}
}

// chargeOf is the charge of the article that the key makes, as the article with the uid has taken it over.
func chargeOf(uid string) v1alpha1.PendingCharge {
	name := identity.IdempotentName(workspace, "generate", keyed["Idempotency-Key"])
	return v1alpha1.PendingCharge{
		Run: identity.RevisionName(name, name, 1), Workspace: workspace, Article: name, ArticleUID: uid, Site: siteUID, At: metav1.NewMicroTime(began),
	}
}

// A request that was held up between its record and its article, while another one with its key ended and its article was deleted.
func TestASecondArticleUnderOneKeyIsRemovedAtOnce(t *testing.T) {
	w := newWorld(t)
	call := request{method: "POST", path: "/v1/api/generate", body: generateBody(nil), header: keyed}
	w.objects.beforeArticle = func(key client.ObjectKey) {
		r := w.objects.records[key].DeepCopy()
		r.Spec.ObjectUID, r.ResourceVersion = "of-another-replica", "2"
		w.objects.records[key] = r
	}
	w.ledger.usage = v1alpha1.AccountUsage{CreditsUsed: 1, Pending: []v1alpha1.PendingCharge{chargeOf("")}}
	accepted(t, w.do(call))
	if len(w.objects.articles) != 0 {
		t.Errorf("%d articles, want 0", len(w.objects.articles))
	}
	if u := w.ledger.usage; u.CreditsUsed != 0 || len(u.Pending) != 0 || len(u.Refunded) != 0 {
		t.Errorf("the charge of the second article was not returned: %+v", u)
	}

	// Somebody has deleted it, and created another one of its name.
	w = newWorld(t)
	w.objects.beforeArticle = func(key client.ObjectKey) {
		r := w.objects.records[key].DeepCopy()
		r.Spec.ObjectUID, r.ResourceVersion = "of-another-replica", "2"
		w.objects.records[key] = r
	}
	w.objects.deleteErr = apierrors.NewConflict(schema.GroupResource{Resource: "articles"}, "x", errors.New("the UID in the precondition"))
	accepted(t, w.do(call))
}

// Since the request looked for an earlier one, that has ended, its article was deleted with kubectl, and another one was created under
// the name.
func TestARepeatIsAnsweredWhileAnotherArticleHasTheName(t *testing.T) {
	call := request{method: "POST", path: "/v1/api/generate", body: generateBody(nil), header: keyed}
	reference := newWorld(t)
	first := reference.do(call)
	name := accepted(t, first).BlogUID
	key := client.ObjectKey{Namespace: workspace, Name: name}
	completed := reference.objects.records[key]
	for _, c := range []struct {
		name string
		hold func(w *world, replace func())
	}{
		{"before its own record", func(w *world, replace func()) { w.ledger.before = replace }},
		{"before its own article", func(w *world, replace func()) {
			w.objects.beforeArticle = func(client.ObjectKey) { replace() }
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			c.hold(w, func() {
				w.objects.records[key] = completed.DeepCopy()
				w.objects.articles[key] = &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{Namespace: workspace, Name: name, UID: "of-kubectl"}}
			})
			if again := w.do(call); again.Status != first.Status || again.Raw != first.Raw {
				t.Errorf("the repeat got %d %s, want %d %s", again.Status, again.Raw, first.Status, first.Raw)
			}
			if a := w.objects.articles[key]; len(w.objects.articles) != 1 || a == nil || a.UID != "of-kubectl" {
				t.Errorf("the articles are %v, want that of kubectl alone", w.objects.articles)
			}
		})
	}
}

// Somebody's article has the name, and no request with the key has ended.
func TestAnotherArticleOfTheNameIsAConflict(t *testing.T) {
	call := request{method: "POST", path: "/v1/api/generate", body: generateBody(nil), header: keyed}
	key := client.ObjectKey{Namespace: workspace, Name: accepted(t, newWorld(t).do(call)).BlogUID}
	w := newWorld(t)
	w.objects.articles[key] = &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{Namespace: workspace, Name: key.Name}}
	wantFailure(t, w.do(call), http.StatusConflict, problem.CodeConflict)
	if len(w.ledger.charges) != 0 || len(w.objects.records) != 0 {
		t.Errorf("%d charges, %d records; want none", len(w.ledger.charges), len(w.objects.records))
	}
}

func TestARecordNamesItsRequest(t *testing.T) {
	w := newWorld(t)
	out := accepted(t, w.do(request{method: "POST", path: "/v1/api/generate", body: generateBody(nil), header: keyed}))
	r := w.objects.records[client.ObjectKey{Namespace: workspace, Name: out.BlogUID}]
	if r == nil {
		t.Fatal("there is no record")
	}
	want := v1alpha1.IdempotencyRecordSpec{Operation: "generate", RequestHash: r.Spec.RequestHash, Object: out.BlogUID, ObjectUID: "1"}
	if r.Spec != want || len(r.Spec.RequestHash) != 64 {
		t.Errorf("the record is %+v, want %+v", r.Spec, want)
	}
}
