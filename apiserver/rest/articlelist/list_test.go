package articlelist_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/articlelist"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

// removed adds a Post with the state Removed to the index, as the deletion of its article does.
func removed(api *operationtest.API, slug string, at time.Time) *v1alpha1.Post {
	post := &v1alpha1.Post{ObjectMeta: metav1.ObjectMeta{Namespace: operationtest.Workspace, Name: "post-" + slug}, Spec: v1alpha1.PostSpec{
		SiteRef: v1alpha1.LocalReference{Name: operationtest.SiteUID}, ArticleRef: v1alpha1.LocalReference{Name: slug}, Slug: slug,
		State: v1alpha1.PostRemoved, RemovalTime: new(v1alpha1.NewMicroTime(at)),
	}}
	api.Index.Handlers().Posts.OnAdd(post, false)
	return post
}

func TestChangesComeByTheirTime(t *testing.T) {
	api := operationtest.New(t)
	for i, updated := range []time.Duration{0, 90 * time.Minute, 0} {
		api.Article(func(a *v1alpha1.Article) {
			a.Name = fmt.Sprint("a-", i)
			a.Status.Publication = &v1alpha1.Publication{Post: v1alpha1.SitePost{
				State: v1alpha1.PostPresent, Revision: &v1alpha1.PublicationRevision{},
				PublishTime: new(v1alpha1.NewMicroTime(operationtest.Began.Add(time.Duration(i) * time.Hour))),
			}}
			if updated > 0 {
				a.Status.Publication.Post.UpdateTime = new(v1alpha1.NewMicroTime(operationtest.Began.Add(time.Hour + updated)))
			}
			a.Status.Revision = &v1alpha1.CurrentRevision{Title: a.Name}
		})
	}
	gone := removed(api, "g", operationtest.Began.Add(150*time.Minute))
	api.Clock.SetTime(operationtest.Began.Add(5 * time.Hour))
	list := func(query string) string {
		t.Helper()
		var all []string
		var since string
		for cursor := ""; ; {
			var page articlelist.ArticlePage
			api.Into(operationtest.Request{Path: "/v1/api/blogs?limit=2&changed_since=2026-11-20T" + query + cursor}, &page)
			for _, a := range page.Data {
				all = append(all, a.Title)
			}
			for _, g := range page.Gone {
				all = append(all, "-"+g.Slug)
			}
			since = *page.NextChangedSince
			if !page.HasMore {
				break
			}
			cursor = "&cursor=" + *page.NextCursor
		}
		return strings.Join(all, " ") + " " + strings.TrimPrefix(since, "2026-11-20T")
	}
	// a-0 at 9:00, a-2 at 11:00, a-1 was published at 10:00 and updated at 11:30, as was g deleted.
	for query, want := range map[string]string{
		"09:00:00Z":     "a-0 a-2 a-1 -g 11:20:00.000Z",
		"09:00:00.001Z": "a-2 a-1 -g 11:20:00.000Z",
		"11:15:00Z&site_uid=" + operationtest.SiteUID:      "a-1 -g 11:20:00.000Z",
		"09:00:00Z&site_uid=" + operationtest.OtherSiteUID: " 09:00:00.000Z",
		"12:00:00Z": " 12:00:00.000Z",
	} {
		if got := list(query); got != want {
			t.Errorf("%s: got %q, want %q", query, got, want)
		}
	}
	gone.Spec.State = v1alpha1.PostPublished
	api.Index.Handlers().Posts.OnDelete(gone)
	if got := list("11:15:00Z"); got != "a-1 11:20:00.000Z" {
		t.Errorf("got %q after the slug was published again", got)
	}
	for _, beside := range []string{"published_since=2026-11-20T00:00:00Z", "status=published", "q=x"} {
		name, _, _ := strings.Cut(beside, "=")
		operationtest.WantFields(t, api.Do(operationtest.Request{Path: "/v1/api/blogs?changed_since=2026-11-20T00:00:00Z&" + beside}), name)
	}
}

func TestListParametersThatAreWrongAreNamed(t *testing.T) {
	api := operationtest.New(t)
	for query, want := range map[string]string{
		"limit=0": "limit", "limit=101": "limit", "limit=abc": "limit", "limit=-1": "limit", "limit=1.5": "limit",
		"limit=99999999999999999999": "limit", "cursor=junk": "cursor", "cursor=0198F0A1B2C3D4E5F6A7B8C9": "cursor",
		"cursor=0198f0a1b2c3d4e5f6a7b8c9x": "cursor", "status=Published": "status", "site_uid=acme": "site_uid",
		"status=review,publishd": "status", "status=review,": "status", "publication=nope": "publication",
	} {
		operationtest.WantFields(t, api.Do(operationtest.Request{Path: "/v1/api/blogs?" + query}), want)
	}
}

func TestAnEmptyListHasAllItsKeys(t *testing.T) {
	operationtest.WantBody(t, operationtest.New(t).Do(operationtest.Request{Path: "/v1/api/blogs"}), `{"success":true,"data":[],"nextCursor":null,"hasMore":false,"gone":[],"next_changed_since":null,"next_published_since":null}`)
}

func TestPagesAreNewestFirstAndAnInsertMovesNothing(t *testing.T) {
	api := operationtest.New(t)
	for i := range 45 {
		api.Article(func(a *v1alpha1.Article) {
			a.Name = fmt.Sprintf("0198f0a1-%04x-7000-8000-00000000beef", i)
		})
	}
	var seen []string
	cursor, pages := "", 0
	for {
		got := api.Do(operationtest.Request{Path: "/v1/api/blogs" + cursor})
		var page articlelist.ArticlePage
		if err := json.Unmarshal([]byte(got.Raw), &page); err != nil {
			t.Fatal(err)
		}
		pages++
		for _, a := range page.Data {
			seen = append(seen, a.UID)
		}
		api.Article(func(a *v1alpha1.Article) { a.Name = fmt.Sprintf("0198f0a2-%04x-7000-8000-00000000beef", pages) })
		if !page.HasMore {
			if page.NextCursor != nil {
				t.Errorf("the last page has a nextCursor")
			}
			break
		}
		if len(page.Data) != 20 {
			t.Errorf("page %d has %d articles, want the default of 20", pages, len(page.Data))
		}
		if last := page.Data[len(page.Data)-1].ID; *page.NextCursor != last {
			t.Errorf("the cursor is %s, want the last _id %s", *page.NextCursor, last)
		}
		cursor = "?cursor=" + url.QueryEscape(*page.NextCursor)
	}
	if len(seen) != 45 || pages != 3 {
		t.Fatalf("saw %d articles on %d pages, want 45 on 3", len(seen), pages)
	}
	for i, uid := range seen {
		if want := fmt.Sprintf("0198f0a1-%04x-7000-8000-00000000beef", 44-i); uid != want {
			t.Fatalf("place %d is %s, want %s", i, uid, want)
		}
	}
}
