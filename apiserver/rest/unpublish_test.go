package rest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/articlelist"
)

// withPost is an article that a CMS has.
func (api *restAPI) withPost(changes ...func(*v1alpha1.Article)) *v1alpha1.Article {
	api.t.Helper()
	a := api.withPending()
	p := a.Status.Publication
	p.Post.ContentHash, p.Post.URL = "0123456789abcdef", "https://blog.example.com/text"
	p.Cycle = &v1alpha1.DeliveryCycle{Number: 1, State: v1alpha1.CycleAccepted, Purpose: v1alpha1.PurposePut, Revision: p.Post.Revision.DeepCopy()}
	for _, change := range changes {
		change(a)
	}
	api.indexed(a)
	return a
}

// takenBack is unpublished, while its stage asks for publication.
func takenBack(a *v1alpha1.Article) {
	p := a.Status.Publication
	p.Post.State, p.Post.UnpublishTime = v1alpha1.PostAbsent, new(v1alpha1.NewMicroTime(began.Add(time.Hour)))
	p.Hold = v1alpha1.HoldRequested
	p.Cycle = &v1alpha1.DeliveryCycle{Number: 2, State: v1alpha1.CycleAccepted, Purpose: v1alpha1.PurposeRemove, RequestNonce: "1"}
}

// siteWith changes the site.
func (api *restAPI) siteWith(change func(*v1alpha1.Site)) {
	s := api.site(workspace, siteUID).DeepCopy()
	change(s)
	api.index.Handlers().Sites.OnAdd(s, false)
}

func wordPress(s *v1alpha1.Site) {
	s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSWordPress, WordPress: &v1alpha1.WordPressConnection{URL: "https://blog.example.com"}}
}

func TestUnpublishAsksTheController(t *testing.T) {
	api := newAPI(t)
	a := api.withPost()
	path := "/v1/api/blogs/" + a.Name + "/unpublish"
	api.into(request{method: http.MethodPost, path: path}, nil)
	stored := api.stored(a)
	if stored.Annotations[v1alpha1.UnpublishAnnotation] == "" || stored.Annotations[v1alpha1.OverwriteAnnotation] != "" || stored.Spec.Stage != v1alpha1.StagePublished {
		t.Errorf("annotations are %v, and the stage is %s", stored.Annotations, stored.Spec.Stage)
	}
	b := api.withPost()
	api.into(request{method: http.MethodPost, path: "/v1/api/blogs/" + b.Name + "/unpublish", body: `{"overwrite":true}`}, nil)
	if got := api.stored(b).Annotations; got[v1alpha1.UnpublishAnnotation] == "" || got[v1alpha1.OverwriteAnnotation] == "" {
		t.Errorf("annotations are %v", got)
	}
}

func TestUnpublishIsRefused(t *testing.T) {
	api := newAPI(t)
	for name, change := range map[string]func(*v1alpha1.Article){
		"sent by a webhook": func(a *v1alpha1.Article) { a.Status.Publication.Post.ContentHash = "" },
		"not published":     func(a *v1alpha1.Article) { a.Status.Publication = nil },
		"unpublished":       takenBack,
	} {
		got := api.do(request{method: http.MethodPost, path: "/v1/api/blogs/" + api.withPost(change).Name + "/unpublish"})
		wantFailure(t, got, http.StatusConflict, problem.CodeConflict)
		if f := failureOf(t, got); f.Problem.Reason != problem.ReasonWrongState {
			t.Errorf("%s: %+v", name, f.Problem)
		}
	}
}

// Where reviewers approve, the right to write is not enough.
func TestUnpublishNeedsTheScopeApproveWhereReviewersApprove(t *testing.T) {
	api := newAPI(t)
	const writer = writerKey
	a := api.withPost()
	path := "/v1/api/blogs/" + a.Name
	wantFailure(t, api.do(request{method: http.MethodPost, path: path + "/unpublish", key: writer}), http.StatusForbidden, problem.CodeInsufficientScope)
	var got restarticle.Article
	api.into(request{path: path, key: writer}, &got)
	for _, action := range got.Actions {
		if action.Name == "unpublish" {
			t.Errorf("%+v is offered to who may not", action)
		}
	}
	api.siteWith(func(s *v1alpha1.Site) { s.Spec.Review.Policy = v1alpha1.ReviewAutomatic })
	api.into(request{path: path, key: writer}, &got)
	offered := false
	for _, action := range got.Actions {
		offered = offered || action.Name == "unpublish" && action.Allowed
	}
	if !offered {
		t.Errorf("unpublish is not among %+v", got.Actions)
	}
	wantFailure(t, api.do(request{method: http.MethodPost, path: path + "/unpublish", key: writer, body: `{"overwrite":true}`}), http.StatusForbidden, problem.CodeInsufficientScope)
	api.into(request{method: http.MethodPost, path: path + "/unpublish", key: writer}, nil)
}

func TestAnUnpublishedArticleIsNoLongerPublishedAndComesBack(t *testing.T) {
	api := newAPI(t)
	a := api.withPost(takenBack)
	api.siteWith(wordPress)
	path := "/v1/api/blogs/" + a.Name
	var got restarticle.Article
	api.into(request{path: path}, &got)
	if got.Status == "published" || got.PublishedURL != "" || got.PublishedAt != nil || got.UnpublishedAt == nil || !strings.HasPrefix(*got.UnpublishedAt, "2026-11-20T10:00:00") {
		t.Errorf("got %s %q %v %v", got.Status, got.PublishedURL, got.PublishedAt, got.UnpublishedAt)
	}
	for query, want := range map[string]int{"published_since=2026-11-20T00:00:00Z": 0, "status=published": 0, "changed_since=2026-11-20T00:00:00Z": 0, "limit=5": 1} {
		var page articlelist.ArticlePage
		api.into(request{path: "/v1/api/blogs?" + query}, &page)
		if len(page.Data) != want {
			t.Errorf("%s: %d articles, want %d", query, len(page.Data), want)
		}
		if gone := strings.HasPrefix(query, "changed_since"); gone != (len(page.Gone) == 1) || gone && page.Gone[0].UID != got.UID {
			t.Errorf("%s: gone are %+v", query, page.Gone)
		}
	}
	api.into(request{method: http.MethodPost, path: path + "/publish"}, nil)
	if stored := api.stored(a); stored.Annotations[v1alpha1.RedeliverAnnotation] == "" || stored.Spec.Stage != v1alpha1.StagePublished {
		t.Errorf("annotations are %v", stored.Annotations)
	}
}

// A site that pulls gets 410 Gone. Editors still read the text with text=pending.
func TestAnUnpublishedArticleOfASiteThatPullsIsGone(t *testing.T) {
	api := newAPI(t)
	a := api.withPost(takenBack)
	path := "/v1/api/blogs/" + a.Name
	wantFailure(t, api.do(request{path: path}), http.StatusGone, problem.CodeGone)
	var got restarticle.Article
	api.into(request{path: path + "?text=pending"}, &got)
	if got.UID != a.Name || got.UnpublishedAt == nil {
		t.Errorf("got %+v", got)
	}
}

func TestAnArticleWhosePostIsStillThereIsNotDeletedWhereTheSiteUnpublishes(t *testing.T) {
	api := newAPI(t)
	a := api.withPost()
	api.siteWith(func(s *v1alpha1.Site) {
		s.Spec.Publishing.Removal = v1alpha1.RemovalUnpublish
		wordPress(s)
	})
	path := "/v1/api/blogs/" + a.Name
	wantFailure(t, api.do(request{method: http.MethodDelete, path: path}), http.StatusConflict, problem.CodeConflict)
	takenBack(a)
	api.indexed(a)
	if got := api.do(request{method: http.MethodDelete, path: path}); got.Status != http.StatusNoContent {
		t.Errorf("DELETE was answered %d %s", got.Status, got.Raw)
	}
}
