package moneywalk_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/articlelist"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/test/fakewordpress"
)

// TestNoSiteKeepsAPostThatWasTakenBack runs 40 histories in which posts of a WordPress are published, updated and taken back;
// PRESSROOM_UNPUBLISH_WALKS sets another number.
func TestNoSiteKeepsAPostThatWasTakenBack(t *testing.T) {
	walkAll(t, "PRESSROOM_UNPUBLISH_WALKS", 40, ofWordPress)
}

// blog is the WordPress of a walk.
type blog struct {
	*fakewordpress.Blog
	w *walk
	// asked are the articles, by uid, whose publication was asked for since somebody asked to take their post back.
	asked map[string]bool
}

func newBlog(w *walk, password string) *blog {
	b := &blog{w: w, asked: map[string]bool{}, Blog: &fakewordpress.Blog{
		Server: &httptest.Server{URL: "https://acme.example"}, Username: blogUser, Password: password,
		Capabilities: map[string]bool{"edit_posts": true, "publish_posts": true},
	}}
	w.must(w.store.create(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: workspace, Name: "wordpress"}, Data: map[string][]byte{
		"username": []byte(b.Username), "password": []byte(b.Password),
	}}))
	return b
}

// connection has a Site publish to the blog.
func (b *blog) connection(site *v1alpha1.Site) {
	site.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSWordPress, WordPress: &v1alpha1.WordPressConnection{
		URL: b.URL, CredentialsSecretRef: v1alpha1.LocalReference{Name: "wordpress"},
	}}
}

// unpublishActions are the actions on posts of a WordPress.
func unpublishActions() []action[*walk] {
	chosen := updateActions()
	for i := range chosen {
		if often := map[string]int{"reconcile": 150, "receiver accepts": 50, "redeliver": 15, "bring back": 6, "another own text": 6}[chosen[i].name]; often > 0 {
			chosen[i].weight = often
		}
	}
	return append(chosen,
		action[*walk]{"unpublish", 8, func(w *walk) {
			w.edit(func(a *v1alpha1.Article) {
				metav1.SetMetaDataAnnotation(&a.ObjectMeta, v1alpha1.UnpublishAnnotation, strconv.Itoa(w.random.IntN(1000)))
			}, false)
		}},
		action[*walk]{"POST unpublish", 4, func(w *walk) { w.change("POST", "/unpublish", "") }},
		action[*walk]{"POST publish", 4, func(w *walk) { w.change("POST", "/publish", "") }},
		action[*walk]{"POST archive", 2, func(w *walk) { w.change("POST", "/archive", "") }},
		action[*walk]{"posts of archived articles kept or unpublished", 1, (*walk).changeRemoval},
	)
}

// changeRemoval has the site begin or stop to unpublish archived articles.
func (w *walk) changeRemoval() {
	w.editSite(func(site *v1alpha1.Site) {
		if site.UnpublishesArchived() {
			site.Spec.Publishing.Removal = v1alpha1.RemovalKeep
		} else {
			site.Spec.Publishing.Removal = v1alpha1.RemovalUnpublish
		}
	})
}

// wrote checks that nobody publishes again what was taken back, unless somebody has asked for it since.
func (b *blog) wrote(was, is *v1alpha1.Article) {
	uid := string(is.UID)
	changed := func(annotation string) bool { return was.Annotations[annotation] != is.Annotations[annotation] }
	switch {
	case changed(v1alpha1.UnpublishAnnotation):
		b.asked[uid] = false
	case changed(v1alpha1.RedeliverAnnotation), was.Spec.Stage != is.Spec.Stage:
		b.asked[uid] = true
	}
	before := was.Status.Publication
	if lifecycle.Unpublished(is) && !lifecycle.Unpublished(was) {
		b.w.counts["posts taken back"]++
	}
	if lifecycle.Unpublished(was) && lifecycle.Published(is) {
		b.w.counts["posts that came back"]++
	}
	id := attemptInProgress(is)
	if id == "" || id == attemptInProgress(was) || lifecycle.CycleOf(is).Purpose == v1alpha1.PurposeRemove || !lifecycle.Unpublished(was) {
		return
	}
	if before.Cycle != nil && before.Cycle.Purpose == v1alpha1.PurposeRemove && !b.asked[uid] {
		b.w.failf("%s is published again, and nobody has asked for it", is.Name)
	}
}

// blogOf is the blog as one controller process reaches it.
type blogOf struct {
	w *walk
	v *view
}

// RoundTrip implements http.RoundTripper. What is read is answered at once. A write of which the answer is lost may have been made.
func (r blogOf) RoundTrip(q *http.Request) (*http.Response, error) {
	var body []byte
	if q.Body != nil {
		var err error
		if body, err = io.ReadAll(q.Body); err != nil {
			return nil, err
		}
	}
	if q.Method != http.MethodPost && q.Method != http.MethodDelete {
		return r.serve(q, body), nil
	}
	r.w.mu.Lock()
	r.w.blog.sent(q, body)
	r.w.mu.Unlock()
	err := r.w.await(q.Context(), r.v, &r.w.requests)
	if errors.Is(err, errRefused) {
		return &http.Response{StatusCode: http.StatusServiceUnavailable, Header: http.Header{}, Body: http.NoBody, Request: q}, nil
	}
	r.w.mu.Lock()
	made := err == nil || r.w.random.IntN(2) == 0
	r.w.mu.Unlock()
	if made {
		answer := r.serve(q, body)
		if err == nil {
			return answer, nil
		}
	}
	return nil, err
}

func (r blogOf) serve(q *http.Request, body []byte) *http.Response {
	answer, again := httptest.NewRecorder(), q.Clone(q.Context())
	again.Body = io.NopCloser(bytes.NewReader(body))
	r.w.blog.Serve(answer, again)
	result := answer.Result()
	result.Request = q
	return result
}

// blogPost has the fields of a write.
type blogPost struct {
	Slug    string `json:"slug"`
	Title   string `json:"title"`
	Content string `json:"content"`
	Status  string `json:"status"`
}

// sent checks that a write is written ahead, and that its text is approved.
func (b *blog) sent(q *http.Request, body []byte) {
	var of blogPost
	if q.Method == http.MethodPost {
		b.w.must(json.Unmarshal(body, &of))
	}
	b.w.counts["writes to the blog"]++
	if digest := b.digest(of); of.Status == "publish" && digest != "" && !b.w.posts.approved[digest] {
		b.w.failf("%s was sent with a text that nobody approved: %+v", of.Slug, of)
	}
	for _, a := range b.w.store.articles() {
		if attemptInProgress(a) != "" && (a.Status.Publication.Cycle.Purpose == v1alpha1.PurposeRemove) == (of.Status == "draft") {
			return
		}
	}
	for _, cycle := range b.w.cut {
		if (cycle.Purpose == v1alpha1.PurposeRemove) == (of.Status == "draft") {
			return
		}
	}
	b.w.failf("%+v was sent, and no attempt is in status", of)
}

// digest returns that of the revision with a text; empty if it was deleted.
func (b *blog) digest(of blogPost) string {
	var list v1alpha1.ArticleRevisionList
	b.w.must(b.w.store.list(&list))
	for i := range list.Items {
		if r := &list.Items[i].Spec; r.Title == of.Title && strings.Contains(of.Content, r.Markdown) {
			return r.Digest
		}
	}
	return ""
}

// check compares the posts, and a mirror that follows changed_since, with what status says once nothing is in progress.
func (b *blog) check() {
	var claims v1alpha1.PostList
	b.w.must(b.w.store.list(&claims))
	posts := map[string]fakewordpress.Post{}
	for _, p := range b.Posts() {
		posts[strconv.FormatInt(p.ID, 10)] = p
	}
	if len(posts) > len(claims.Items) {
		b.w.failf("there are %d posts of %d slugs: %+v", len(posts), len(claims.Items), posts)
	}
	b.w.refresh(0)
	var page articlelist.ArticlePage
	b.w.readFrom(0, "/v1/api/blogs?limit=100&changed_since=1970-01-01T00:00:00Z", &page)
	mirrored, gone := map[string]bool{}, map[string]bool{}
	for _, a := range page.Data {
		mirrored[a.Slug] = true
	}
	for _, a := range page.Gone {
		gone[a.Slug] = true
	}
	for _, a := range b.w.store.articles() {
		p := a.Status.Publication
		if p == nil || p.Post.ExternalID == "" || p.Cycle == nil || p.Cycle.State != v1alpha1.CycleAccepted {
			continue
		}
		post, there := posts[p.Post.ExternalID]
		live := there && post.Status == "publish"
		slug := a.Status.Slug
		switch {
		case lifecycle.Published(a):
			b.w.counts["posts at the end"]++
			text := b.digest(blogPost{Title: post.Title, Content: post.Content})
			// As in checkMirror; that the post was being taken back is not lost.
			lost := b.w.cut[slug] != nil && b.w.cut[slug].Purpose != v1alpha1.PurposeRemove
			if !live || text != "" && text != p.Post.Revision.Digest && !lost || !mirrored[slug] || gone[slug] {
				b.w.failf("%s is published, the blog has %+v, mirrored %t, gone %t", a.Name, post, mirrored[slug], gone[slug])
			}
		case lifecycle.Unpublished(a):
			b.w.counts["taken back at the end"]++
			if live || mirrored[slug] || !gone[slug] {
				b.w.failf("%s is unpublished, the blog has %+v, mirrored %t, gone %t", a.Name, post, mirrored[slug], gone[slug])
			}
		}
	}
}
