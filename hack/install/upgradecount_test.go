//go:build e2e

package install

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// awaitEnd waits until every article and every event is delivered, and recorded as such.
func (l *load) awaitEnd(t *testing.T) {
	t.Helper()
	l.workers.Wait()
	for _, err := range l.refused {
		t.Errorf("refused: %v", err)
	}
	if t.Failed() {
		t.FailNow()
	}
	l.posts.await(t, l.articles)
	l.events.await(t, l.articles)
	l.run(t, "kubectl", "wait", "--for=condition=Published", "--timeout=5m", "-A", "--all", "articles.pressroom.dev")
	l.run(t, "kubectl", "wait", "--for=condition=Delivered", "--timeout=5m", "-A", "--all", "eventdeliveries.pressroom.dev")
}

// check counts what must be there once for each article.
func (l *load) check(t *testing.T) {
	t.Helper()
	for what, e := range map[string]*endpointOfLoad{"post": l.posts, "event": l.events} {
		if total, more := e.total(), e.more(); total != l.articles || len(more) > 0 {
			t.Errorf("of %d articles, each %s was received once, but %d were, and these more than once: %v", l.articles, what, total, more)
		}
	}
	var articles v1alpha1.ArticleList
	l.list(t, "articles.pressroom.dev", &articles)
	var revisions v1alpha1.ArticleRevisionList
	l.list(t, "articlerevisions.pressroom.dev", &revisions)
	var ledgers v1alpha1.AccountLedgerList
	l.list(t, "accountledgers.pressroom.dev", &ledgers)
	if len(articles.Items) != l.articles || len(revisions.Items) != l.articles {
		t.Errorf("there are %d articles and %d revisions, want %d of both", len(articles.Items), len(revisions.Items), l.articles)
	}
	for _, a := range articles.Items {
		// What one version has written and approved is neither written again nor approved otherwise by the other.
		approved := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionApproved)
		if approved == nil || approved.Reason != v1alpha1.ReasonAutomatic || a.Status.LastRevisionNumber != 1 {
			t.Errorf("%s has the revision %d and the approval %+v, want one run and the approval of the policy", a.Name, a.Status.LastRevisionNumber, approved)
		}
		if p := a.Status.Publication; a.Status.Phase != v1alpha1.PhasePublished || p == nil || len(p.Attempts) == 0 {
			t.Errorf("%s is %s, with %+v", a.Name, a.Status.Phase, p)
		} else {
			// A process that is stopped between the write of an attempt and its request leaves an attempt without an outcome.
			l.again += len(p.Attempts) - 1
		}
	}
	used := int64(0)
	for _, of := range ledgers.Items {
		used += of.Spec.CreditsUsed
	}
	if used != int64(l.articles) {
		t.Errorf("%d credits were used for %d articles", used, l.articles)
	}
}

// checkTokens compares the tokens in the ledgers with those of all runs, once the controller that made the last ones has stopped. A version
// whose ledgers have no months loses those of its last runs.
func (l *load) checkTokens(t *testing.T, older version) {
	t.Helper()
	if crd, err := os.ReadFile(filepath.Join(older.folder, "config", "crd", "bases", "pressroom.dev_accountledgers.yaml")); err != nil {
		t.Fatal(err)
	} else if !strings.Contains(string(crd), "months:") {
		t.Log("THE TOKENS ARE NOT COMPARED: the ledgers of the older version have no months")
		return
	}
	counted, taken := int64(0), int64(0)
	var ledgers v1alpha1.AccountLedgerList
	l.list(t, "accountledgers.pressroom.dev", &ledgers)
	for _, of := range ledgers.Items {
		for _, m := range of.Spec.Months {
			counted += m.Tokens
		}
	}
	var revisions v1alpha1.ArticleRevisionList
	l.list(t, "articlerevisions.pressroom.dev", &revisions)
	for i := range revisions.Items {
		if g := revisions.Items[i].Spec.Generator; g != nil {
			taken += g.InputTokens + g.OutputTokens
		}
	}
	if taken == 0 || counted != taken {
		t.Errorf("the ledgers have %d tokens, want the %d of all runs", counted, taken)
	}
}

func (l *load) list(t *testing.T, resource string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(l.run(t, "kubectl", "get", resource, "-A", "-o", "json")), into); err != nil {
		t.Fatal(err)
	}
}

// article is the answer of GET /v1/api/blogs/{uid}.
type article map[string]any

// readAll reads every article over REST.
func (l *load) readAll(t *testing.T) map[string]article {
	t.Helper()
	all := map[string]article{}
	for uid, one := range l.written {
		var a article
		if err := l.ask(t.Context(), one, http.MethodGet, "/v1/api/blogs/"+uid, "", &a); err != nil {
			t.Fatal(err)
		}
		all[uid] = a
	}
	return all
}

// compare holds the newer version to what the older one answers: the REST API only ever grows.
func compare(t *testing.T, older, newer map[string]article) {
	t.Helper()
	for uid, a := range older {
		for field, want := range a {
			if got := newer[uid][field]; !reflect.DeepEqual(got, want) {
				t.Errorf("%s of %s is %v for the older version, and %v for the newer one", field, uid, want, got)
			}
		}
	}
}

func (l *load) figures(took time.Duration) string {
	return fmt.Sprintf("%d articles of %d accounts through 4 changes of the version: 0 refused, 0 lost, 0 doubled; load for %s, "+
		"slowest generate call %s, longest time without a delivery %s, %d attempts at the model, %d attempts to deliver that were made again",
		l.articles, len(l.customers), took.Round(time.Second), l.slowest.Round(time.Millisecond), l.posts.gap.Round(time.Millisecond), l.texts.asked(), l.again)
}

// asked is how often it was asked for anything that it counts.
func (e *endpointOfLoad) asked() (sum int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, count := range e.counts {
		sum += count
	}
	return sum
}
