package operation_test

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/articlelist"
	"github.com/pressroom-dev/pressroom/apiserver/rest/brief"
	"github.com/pressroom-dev/pressroom/apiserver/rest/document"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

// unlisted are the operations that only pages call, by their paths.
func unlisted(uid string) map[string]func(context.Context, *operation.Local, auth.Principal, operation.InWorkspace) error {
	return map[string]func(context.Context, *operation.Local, auth.Principal, operation.InWorkspace) error{
		"/v1/api/blogs/" + uid + "/history": func(ctx context.Context, l *operation.Local, p auth.Principal, in operation.InWorkspace) error {
			_, err := restarticle.GetHistory.Call(ctx, l, p, restarticle.HistoryInput{OnArticle: restarticle.OnArticle{InWorkspace: in, UID: uid}})
			return err
		},
		"/v1/api/brief-names": func(ctx context.Context, l *operation.Local, p auth.Principal, in operation.InWorkspace) error {
			_, err := brief.ListNames.Call(ctx, l, p, in)
			return err
		},
		"/v1/api/surroundings": func(ctx context.Context, l *operation.Local, p auth.Principal, in operation.InWorkspace) error {
			_, err := articlelist.GetSurroundings.Call(ctx, l, p, articlelist.ListInput{InWorkspace: in})
			return err
		},
	}
}

func TestAnUnlistedOperationIsForPagesAlone(t *testing.T) {
	api := operationtest.New(t)
	pages := local(api)
	uid := api.Article(nil).Name
	elsewhere := operation.InWorkspace{Workspace: operationtest.OtherWorkspace}
	for path, call := range unlisted(uid) {
		operationtest.WantFailure(t, api.Do(operationtest.Request{Path: path}), http.StatusNotFound, problem.CodeNotFound)
		if strings.Contains(string(document.JSON), strings.Replace(path, uid, "{uid}", 1)+`"`) {
			t.Errorf("the OpenAPI document has %s", path)
		}
		if err := call(t.Context(), pages, signedIn(v1alpha1.ScopeRead), here); err != nil {
			t.Errorf("%s as a reader: %v", path, err)
		}
		// A page may do what the person may, and no more.
		var refused *problem.APIError
		if err := call(t.Context(), pages, signedIn(v1alpha1.ScopeWrite, v1alpha1.ScopeApprove), here); !errors.As(err, &refused) || refused.GetStatus() != 403 {
			t.Errorf("%s without the scope: got %v, want 403", path, err)
		}
		if err := call(t.Context(), pages, signedIn(v1alpha1.ScopeRead), elsewhere); !errors.As(err, &refused) || refused.GetStatus() != 404 {
			t.Errorf("%s in another account's workspace: got %v, want 404", path, err)
		}
	}
}

func TestTheHistoryOfAnArticleIsWhatTwoOperationsAnswer(t *testing.T) {
	api := operationtest.New(t)
	ctx, pages, reader := t.Context(), local(api), signedIn(v1alpha1.ScopeRead)
	a := api.Published()
	on := restarticle.OnArticle{InWorkspace: here, UID: a.Name}
	got, err := restarticle.GetHistory.Call(ctx, pages, reader, restarticle.HistoryInput{OnArticle: on})
	if err != nil {
		t.Fatal(err)
	}
	revisions, err := restarticle.ListRevisions.Call(ctx, pages, reader, on)
	if err != nil || len(revisions.Body.Data) == 0 || !reflect.DeepEqual(got.Body.Revisions, revisions.Body.Data) {
		t.Errorf("the revisions are %v, want %v, %v", got.Body.Revisions, revisions.Body.Data, err)
	}
	transitions, err := restarticle.ListTransitions.Call(ctx, pages, reader, on)
	if err != nil || !reflect.DeepEqual(got.Body.Transitions, transitions.Body.Data) {
		t.Errorf("the transitions are %v, want %v, %v", got.Body.Transitions, transitions.Body.Data, err)
	}
}

func TestWhatIsAroundAnArticleIsWhatListsAndCountsAnswer(t *testing.T) {
	api := operationtest.New(t)
	ctx, pages, reader := t.Context(), local(api), signedIn(v1alpha1.ScopeRead)
	for n := range 4 {
		api.Article(func(a *v1alpha1.Article) { operationtest.Aged(a, n) })
	}
	list, err := articlelist.List.Call(ctx, pages, reader, articlelist.ListInput{InWorkspace: here})
	if err != nil || len(list.Body.Data) != 4 {
		t.Fatalf("list-articles = %d articles, %v", len(list.Body.Data), err)
	}
	newest := list.Body.Data
	for _, c := range []struct {
		name                 string
		of                   int
		order, site          string
		next, previous, from string
	}{
		{name: "in the middle", of: 1, next: newest[2].UID, previous: newest[0].UID},
		{name: "in the other order", of: 1, order: "oldest", next: newest[0].UID, previous: newest[2].UID},
		{name: "the first", of: 0, next: newest[1].UID},
		{name: "the last leads to the first", of: 3, previous: newest[2].UID, from: newest[0].UID},
		{name: "of a site without articles", of: 1, site: operationtest.OtherSiteUID},
	} {
		in := articlelist.ListInput{
			InWorkspace: here, OfSite: articlelist.OfSite{SiteUID: operation.SiteUID(c.site)}, Cursor: articlelist.Cursor(newest[c.of].ID), Order: c.order,
		}
		got, err := articlelist.GetSurroundings.Call(ctx, pages, reader, in)
		if err != nil || got.Body.Next != c.next || got.Body.Previous != c.previous || got.Body.First != c.from {
			t.Errorf("%s: got %+v, %v", c.name, got.Body, err)
		}
		all, err := articlelist.Count.Call(ctx, pages, reader, articlelist.CountInput{InWorkspace: here})
		if err != nil || got.Body.Counts.All != 4 || got.Body.Counts.ByStatus != all.Body.ByStatus {
			t.Errorf("%s: the counts are %+v, want %+v, %v", c.name, got.Body.Counts, all.Body, err)
		}
		if want := map[bool]int{true: 4, false: 0}[c.site == ""]; got.Body.OfSite.All != want {
			t.Errorf("%s: %d articles of the site, want %d", c.name, got.Body.OfSite.All, want)
		}
	}
}
