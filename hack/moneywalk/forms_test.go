package moneywalk_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/go-logr/logr"
	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/pages"
	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// form is a form of a page that somebody has sent. They may send it again: by a reload, by Back, or by a double click.
type form struct {
	path   string
	fields url.Values
}

// mara is signed in on every replica.
type mara struct{}

var session = login.Person{
	ID: "mara@acme.example", By: "mara@acme.example", Account: account, Opens: []string{workspace}, SessionID: "s",
	Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove},
}

func (mara) Person(*gin.Context) (login.Person, error)     { return session, nil }
func (mara) Background(*gin.Context) (login.Person, error) { return session, nil }
func (mara) Whose(*http.Request) string                    { return session.ID }
func (mara) Require(*gin.Context, string, login.Prompt) (login.Person, bool) {
	return session, true
}

// newPages returns the pages of a replica over its REST API. All replicas seal with the same keys.
func newPages(t *testing.T, keys seal.Sealer, api *operation.Local) (http.Handler, *pages.Frame) {
	t.Helper()
	frame := pages.New(pages.Options{Keys: keys, Clock: clock.RealClock{}, Log: logr.Discard()})
	board, err := dashboard.New(dashboard.Options{Frame: frame, Login: mara{}, API: api, Clock: clock.RealClock{}, Log: logr.Discard()})
	if err != nil {
		t.Fatal(err)
	}
	router := gin.New()
	board.Mount(router)
	return router, frame
}

func newSealer(t *testing.T) seal.Sealer {
	t.Helper()
	keys, err := seal.ParseKeys([]byte(testkit.SessionKey()))
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// fill returns a form of a page that was just shown.
func (w *walk) fill(path string, fields url.Values) {
	ticket, err := w.fleet.frame.SealTicket("app form", session.SessionID, "")
	w.must(err)
	fields.Set("ticket", ticket)
	w.forms = append(w.forms, form{page.WorkspacePath(workspace, path), fields})
	w.submit(len(w.forms) - 1)
}

// generateByForm asks on a page for an article for each of two keywords, which no other form has.
func (w *walk) generateByForm() {
	n := len(w.forms)
	w.fill("articles/new/generate", url.Values{"site": {siteKey.Name}, "keywords": {fmt.Sprintf("boots of form %d\nshoes of form %d", n, n)}})
}

// regenerateByForm asks on a page for other texts of up to two articles.
func (w *walk) regenerateByForm() {
	items := []string{}
	for range 2 {
		if item := identity.UID(identity.KindArticle, workspace, w.someName()) + " "; !slices.Contains(items, item) {
			items = append(items, item)
		}
	}
	w.fill("articles/bulk", url.Values{"do": {"regenerate"}, "sure": {"yes"}, "item": items})
}

// sendAgain sends a form that was sent before.
func (w *walk) sendAgain() {
	if n := len(w.forms); n > 0 {
		w.submit(n - 1 - min(w.random.IntN(n), w.random.IntN(n)))
	}
}

// submit sends a form to a replica.
func (w *walk) submit(n int) {
	i, f := w.random.IntN(replicas), w.forms[n]
	v := w.views[i]
	w.spawn(fmt.Sprintf("replica %d", i), func() {
		ctx, cancel := context.WithCancel(w.t.Context())
		defer cancel()
		q := httptest.NewRequestWithContext(ctx, http.MethodPost, strings.ReplaceAll(f.path, "%2F", "/"), strings.NewReader(f.fields.Encode()))
		q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		q.Header.Set("Sec-Fetch-Site", "same-origin")
		w.mu.Lock()
		v.form = fmt.Sprintf("form %d", n)
		w.mu.Unlock()
		answer := httptest.NewRecorder()
		w.fleet.pages[i].ServeHTTP(answer, q)
		w.mu.Lock()
		defer w.mu.Unlock()
		v.form = ""
		w.notef("replica %d answered form %d with %d", i, n, answer.Code)
		w.counts[fmt.Sprintf("form answered %d", answer.Code)]++
		if answer.Code == http.StatusInternalServerError && !v.dead {
			w.failf("an internal error of a page")
		}
	})
}

// byForm checks what a form writes, however often it is sent: one article for each line, and one run more for each article.
func (b *books) byForm(was, is *v1alpha1.Article) {
	v := b.w.writer
	if v == nil || v.form == "" {
		return
	}
	what, made := v.form+" generates again "+string(is.UID), is.Annotations[v1alpha1.RegenerateAnnotation]
	switch {
	case was == nil && is.Spec.Generate != nil:
		what, made = v.form+" makes an article of "+is.Spec.Generate.Keyword, is.Name
	case was == nil || was.Annotations[v1alpha1.RegenerateAnnotation] == made:
		return
	}
	b.w.counts["effects of forms"]++
	if first, known := b.formed[what]; known && first != made {
		b.w.failf("%s twice: %s, and then %s", what, first, made)
	}
	b.formed[what] = made
}

// changeLimits has the account reach its limits, or gives it room again. Whatever was answered before stays answered.
func (w *walk) changeLimits() {
	most := new(int32(w.random.IntN(2) * 1000))
	w.editAccount(func(a *v1alpha1.Account) {
		switch w.random.IntN(3) {
		case 0:
			a.Spec.Limits.IdempotencyRecords = most
		case 1:
			a.Spec.Limits.Posts = most
		default:
			a.Spec.Limits.UnpublishedArticles = most
		}
	})
}
