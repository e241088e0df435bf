package rest_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/articlelist"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/record"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// withPending is an article whose site has revision 1, and whose revision 2 waits for a reviewer.
func (api *restAPI) withPending() *v1alpha1.Article {
	api.t.Helper()
	a := api.withRevisions(1)
	live := a.Status.Revision
	a.Spec.Stage, a.Spec.Review = v1alpha1.StagePublished, nil
	a.Status.Slug = "text"
	a.Status.Run = &v1alpha1.GenerationRun{State: v1alpha1.RunSucceeded, RequestHash: lifecycle.RequestHash(a.Spec.Generate)}
	a.Status.Publication = &v1alpha1.Publication{Post: v1alpha1.SitePost{
		State: v1alpha1.PostPresent, PublishTime: new(v1alpha1.NewMicroTime(began)),
		Revision: &v1alpha1.PublicationRevision{Name: live.Name, Number: 1, Digest: live.Digest},
	}}
	api.siteWith(func(s *v1alpha1.Site) { s.Spec.Publishing.Updates = v1alpha1.UpdatesReviewed })
	api.addRevision(a, 2)
	return a
}

func TestAPublishedArticleIsItsLiveTextBesideWhatIsPending(t *testing.T) {
	api := newAPI(t)
	a := api.withPending()
	path := "/v1/api/blogs/" + a.Name
	var got restarticle.Article
	api.into(request{path: path}, &got)
	if got.Status != "published" || got.Title != "Text 1" || got.RevisionDigest != textOf(1).Digest() || got.Slug != "text" {
		t.Errorf("got %s %q %s %q, want the live text", got.Status, got.Title, got.RevisionDigest, got.Slug)
	}
	want := fmt.Sprintf("review %s Text 2", textOf(2).Digest())
	if p := got.Pending; p == nil || fmt.Sprint(p.Status, " ", p.RevisionDigest, " ", p.Title) != want || p.SEOScore == nil {
		t.Errorf("pending is %+v, want %s", p, want)
	}
	api.into(request{path: path + "?text=pending"}, &got)
	if got.Status != "published" || got.Title != "Text 2" || got.RevisionDigest != textOf(2).Digest() {
		t.Errorf("got %s %q %s, want the pending text", got.Status, got.Title, got.RevisionDigest)
	}
	var page articlelist.ArticlePage
	api.into(request{path: "/v1/api/blogs"}, &page)
	if one := page.Data[0]; one.Title != "Text 1" || one.RevisionDigest != textOf(1).Digest() || one.Pending == nil || one.Pending.Title != "Text 2" {
		t.Errorf("the list has %q %s %+v, want the live text beside the pending one", one.Title, one.RevisionDigest, one.Pending)
	}
	var list restarticle.ArticleRevisionList
	api.into(request{path: path + "/revisions"}, &list)
	for _, r := range list.Data {
		if r.Live != (r.Number == 1) || r.Current != (r.Number == 2) {
			t.Errorf("revision %d: live %t, current %t", r.Number, r.Live, r.Current)
		}
	}
	wantFields(t, api.do(request{path: path + "?text=both"}), "text")
}

func TestAPublishedArticleHasTheDisclosureOfItsLiveText(t *testing.T) {
	api := newAPI(t)
	a := api.withPending()
	a.Status.Publication.Post.Revision.Disclosure = v1alpha1.DisclosureAIAssisted
	api.indexed(a)
	disclosed := func() string {
		t.Helper()
		var got restarticle.Article
		api.into(request{path: "/v1/api/blogs/" + a.Name + "?text=pending"}, &got)
		var page articlelist.ArticlePage
		api.into(request{path: "/v1/api/blogs"}, &page)
		if got.Disclosure != page.Data[0].Disclosure {
			t.Errorf("the article has %q, and the list %q", got.Disclosure, page.Data[0].Disclosure)
		}
		return got.Disclosure
	}
	if got := disclosed(); got != "ai_assisted" {
		t.Errorf("got %q, want ai_assisted", got)
	}
	a.Status.Publication.Post.State = v1alpha1.PostAbsent
	api.indexed(a)
	if got := disclosed(); got != "" {
		t.Errorf("got %q of an article that the site does not have", got)
	}
}

// An approval of the live text would say nothing about the pending one.
func TestDecisionsAreAboutThePendingText(t *testing.T) {
	api := newAPI(t)
	a := api.withPending()
	path := "/v1/api/blogs/" + a.Name
	live := api.do(request{method: http.MethodPost, path: path + "/approve", body: `{"digest":"` + textOf(1).Digest() + `"}`})
	wantFailure(t, live, http.StatusConflict, problem.CodeConflict)
	if f := failureOf(t, live); f.Problem.CurrentDigest != textOf(2).Digest() {
		t.Errorf("current_digest is %s, want the pending text's", f.Problem.CurrentDigest)
	}
	var got restarticle.Article
	api.into(request{method: http.MethodPost, path: path + "/approve", body: `{"digest":"` + textOf(2).Digest() + `"}`}, &got)
	if got.Pending == nil || got.Pending.Status != "approved" || api.stored(a).Spec.Review.Digest != textOf(2).Digest() {
		t.Errorf("pending is %+v after its approval", got.Pending)
	}
}

func TestAPublishedArticleIsEditedOnlyWhereUpdatesAreAllowed(t *testing.T) {
	api := newAPI(t)
	a := api.withPending()
	path := "/v1/api/blogs/" + a.Name
	api.into(request{method: http.MethodPatch, path: path, body: `{"title":"Third"}`}, nil)
	if c := api.stored(a).Spec.Content; c == nil || c.Title != "Third" {
		t.Errorf("the content is %+v after an edit", c)
	}
	generated := api.withPending()
	generated.Spec.Content = nil
	api.indexed(generated)
	api.into(request{method: http.MethodPost, path: "/v1/api/blogs/" + generated.Name + "/regenerate"}, nil)

	frozen := api.withPending()
	api.siteWith(func(s *v1alpha1.Site) { s.Spec.Publishing.Updates = v1alpha1.UpdatesFrozen })
	for _, r := range []request{
		{method: http.MethodPatch, path: "/v1/api/blogs/" + frozen.Name, body: `{"title":"Third"}`},
		{method: http.MethodPost, path: "/v1/api/blogs/" + frozen.Name + "/regenerate"},
		{method: http.MethodPost, path: "/v1/api/blogs/" + frozen.Name + "/revisions/1/restore"},
	} {
		got := api.do(r)
		wantFailure(t, got, http.StatusConflict, problem.CodeConflict)
		if f := failureOf(t, got); f.Problem.Reason != problem.ReasonUpdatesFrozen {
			t.Errorf("%s %s: the reason is %s", r.method, r.path, f.Problem.Reason)
		}
	}
}

func TestRestoringARevisionWritesItsTextIntoTheManifest(t *testing.T) {
	api := newAPI(t)
	a := api.withPending()
	path := "/v1/api/blogs/" + a.Name + "/revisions/"
	api.into(request{method: http.MethodPost, path: path + "2/restore"}, nil)
	c := api.stored(a).Spec.Content
	if c == nil || c.Title != "Text 2" || c.Slug != "proposed" || c.Markdown != textOf(2).Markdown || c.FAQPolicy != v1alpha1.FAQNone {
		t.Fatalf("the content is %+v, want revision 2", c)
	}
	api.into(request{method: http.MethodPost, path: path + "1/restore"}, nil)
	if c := api.stored(a).Spec.Content; c != nil {
		t.Errorf("the content is %+v, want none over the generated text", c)
	}
	wantFailure(t, api.do(request{method: http.MethodPost, path: path + "9/restore"}), http.StatusNotFound, problem.CodeNotFound)
}

// removed adds a Post with the state Removed to the index, as the deletion of its article does.
func (api *restAPI) removed(slug string, at time.Time) *v1alpha1.Post {
	post := &v1alpha1.Post{ObjectMeta: metav1.ObjectMeta{Namespace: workspace, Name: "post-" + slug}, Spec: v1alpha1.PostSpec{
		SiteRef: v1alpha1.LocalReference{Name: siteUID}, ArticleRef: v1alpha1.LocalReference{Name: slug}, Slug: slug,
		State: v1alpha1.PostRemoved, RemovalTime: new(v1alpha1.NewMicroTime(at)),
	}}
	api.index.Handlers().Posts.OnAdd(post, false)
	return post
}

func TestChangesComeByTheirTime(t *testing.T) {
	api := newAPI(t)
	for i, updated := range []time.Duration{0, 90 * time.Minute, 0} {
		api.article(func(a *v1alpha1.Article) {
			a.Name = fmt.Sprint("a-", i)
			a.Status.Publication = &v1alpha1.Publication{Post: v1alpha1.SitePost{
				State: v1alpha1.PostPresent, Revision: &v1alpha1.PublicationRevision{},
				PublishTime: new(v1alpha1.NewMicroTime(began.Add(time.Duration(i) * time.Hour))),
			}}
			if updated > 0 {
				a.Status.Publication.Post.UpdateTime = new(v1alpha1.NewMicroTime(began.Add(time.Hour + updated)))
			}
			a.Status.Revision = &v1alpha1.CurrentRevision{Title: a.Name}
		})
	}
	gone := api.removed("g", began.Add(150*time.Minute))
	api.clock.SetTime(began.Add(5 * time.Hour))
	list := func(query string) string {
		t.Helper()
		var all []string
		var since string
		for cursor := ""; ; {
			var page articlelist.ArticlePage
			api.into(request{path: "/v1/api/blogs?limit=2&changed_since=2026-11-20T" + query + cursor}, &page)
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
		"09:00:00Z":                          "a-0 a-2 a-1 -g 11:20:00.000Z",
		"09:00:00.001Z":                      "a-2 a-1 -g 11:20:00.000Z",
		"11:15:00Z&site_uid=" + siteUID:      "a-1 -g 11:20:00.000Z",
		"09:00:00Z&site_uid=" + otherSiteUID: " 09:00:00.000Z",
		"12:00:00Z":                          " 12:00:00.000Z",
	} {
		if got := list(query); got != want {
			t.Errorf("%s: got %q, want %q", query, got, want)
		}
	}
	gone.Spec.State = v1alpha1.PostPublished
	api.index.Handlers().Posts.OnDelete(gone)
	if got := list("11:15:00Z"); got != "a-1 11:20:00.000Z" {
		t.Errorf("got %q after the slug was published again", got)
	}
	for _, beside := range []string{"published_since=2026-11-20T00:00:00Z", "status=published", "q=x"} {
		name, _, _ := strings.Cut(beside, "=")
		wantFields(t, api.do(request{path: "/v1/api/blogs?changed_since=2026-11-20T00:00:00Z&" + beside}), name)
	}
}

// addRevision makes a written revision of a number current.
func (api *restAPI) addRevision(a *v1alpha1.Article, number int32) {
	api.t.Helper()
	rev := revision.New(a, textOf(int64(number)), revision.Origin{
		Name: identity.RevisionName(a.Name, a.Name, number), Number: number, Source: v1alpha1.SourceWritten,
	})
	api.objects.revisions[client.ObjectKeyFromObject(rev)] = rev
	a.Spec.Content = &v1alpha1.ArticleContent{Title: rev.Spec.Title, Markdown: rev.Spec.Markdown, Slug: rev.Spec.Slug}
	record.MakeCurrent(a, v1alpha1.CurrentRevision{
		Name: rev.Name, Number: number, Digest: rev.Spec.Digest, Title: rev.Spec.Title, Source: v1alpha1.SourceWritten,
		ContentHash: lifecycle.ContentHash(a.Spec.Content),
	})
	a.ResourceVersion = strconv.Itoa(int(number))
	api.indexed(a)
}

// stored is an article as kube-apiserver has it.
func (api *restAPI) stored(a *v1alpha1.Article) *v1alpha1.Article {
	return api.objects.articles[client.ObjectKeyFromObject(a)]
}
