// Package fakewordpress is a small WordPress in memory: of its REST API, what publishing a post needs. It was written from WordPress's
// documentation and from what a real one answers (hack/dev/wordpress), not from the connector.
package fakewordpress

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Post is a post of the blog.
type Post struct {
	ID                                          int64
	Slug, Status, Link, Title, Content, Excerpt string
	Meta                                        map[string]string
	Author, FeaturedMedia                       int64
	Categories, Tags                            []int64
	// Date and Modified are an hour ago for a post that is added without them.
	Date, Modified time.Time
}

// MarshalJSON returns a post as the API answers it with context=edit.
func (p *Post) MarshalJSON() ([]byte, error) {
	const gmt = "2006-01-02T15:04:05"
	raw := func(text string) any { return map[string]string{"raw": text, "rendered": "<p>" + text + "</p>"} }
	var meta any = p.Meta
	if len(p.Meta) == 0 {
		meta = []string{} // PHP's empty array
	}
	return json.Marshal(map[string]any{
		"id": p.ID, "slug": p.Slug, "status": p.Status, "link": p.Link, "title": raw(p.Title), "content": raw(p.Content),
		"excerpt": raw(p.Excerpt), "meta": meta, "author": p.Author, "categories": list(p.Categories), "tags": list(p.Tags),
		"featured_media": p.FeaturedMedia,
		"date_gmt":       p.Date.UTC().Format(gmt), "modified_gmt": p.Modified.UTC().Format(gmt),
	})
}

// list is a list of ids as the API answers it: never null.
func list(ids []int64) []int64 { return append([]int64{}, ids...) }

// Blog is a WordPress with one user. Its fields are changed by Change once it has had a request.
type Blog struct {
	*httptest.Server

	// Username and Password of the user, and the permissions that it has.
	Username, Password string
	Capabilities       map[string]bool
	// Plain has addresses with rest_route instead of paths.
	Plain bool
	// Categories and Tags by slug. TagNames are those of tags that requests have created.
	Categories, Tags map[string]int64
	TagNames         []string
	// Media are the files of the media library, oldest first.
	Media []Media
	// WithoutThumbnails means that posts have no featured images.
	WithoutThumbnails bool
	// MetaKeys that plugins have registered.
	MetaKeys []string
	// Hidden are slugs of posts that the user cannot see.
	Hidden []string

	mu        sync.Mutex
	posts     []*Post
	last      int64
	intercept func(w http.ResponseWriter, r *http.Request) bool
}

// New starts a blog whose user is an author.
func New() *Blog {
	b := &Blog{
		Username: "author", Password: "abcd efgh ijkl mnop",
		Categories: map[string]int64{"news": 7, "shoes": 8}, Tags: map[string]int64{"trail": 21},
		Capabilities: map[string]bool{"edit_posts": true, "publish_posts": true, "upload_files": true},
	}
	b.Server = httptest.NewServer(b)
	return b
}

// Posts returns the posts, oldest first.
func (b *Blog) Posts() []Post {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := make([]Post, 0, len(b.posts))
	for _, p := range b.posts {
		all = append(all, *p)
	}
	return all
}

// Add puts a post into the blog, and returns its id.
func (b *Blog) Add(p Post) int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last++
	p.ID = b.last
	if p.Date.IsZero() {
		p.Date = time.Now().Add(-time.Hour)
		p.Modified = p.Date
	}
	if p.Link == "" {
		p.Link = b.URL + "/" + p.Slug + "/"
	}
	b.posts = append(b.posts, &p)
	return p.ID
}

// Edit changes a post as an editor does in wp-admin.
func (b *Blog) Edit(id int64, change func(*Post)) {
	b.Change(func() {
		for _, p := range b.posts {
			if p.ID == id {
				change(p)
				p.Modified, p.Link = p.Modified.Add(time.Minute), b.URL+"/"+p.Slug+"/"
			}
		}
	})
}

// Trash moves a post to the trash.
func (b *Blog) Trash(id int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.posts {
		if p.ID == id {
			p.Status, p.Slug = "trash", p.Slug+"__trashed"
		}
	}
}

// Change changes fields of the blog between two requests.
func (b *Blog) Change(change func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change()
}

// Intercept has f answer instead of the blog from now on, if it reports that it has; nil ends that.
func (b *Blog) Intercept(f func(w http.ResponseWriter, r *http.Request) bool) {
	b.Change(func() { b.intercept = f })
}

// ServeHTTP implements http.Handler.
func (b *Blog) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	intercept := b.intercept
	b.mu.Unlock()
	if intercept == nil || !intercept(w, r) {
		b.Serve(w, r)
	}
}

// Serve answers a request, which nobody intercepts.
func (b *Blog) Serve(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	route, isAPI := b.route(r)
	if !isAPI {
		b.home(w)
		return
	}
	username, password, sent := r.BasicAuth()
	known := sent && username == b.Username && password == b.Password
	if sent && !known {
		refuse(w, http.StatusUnauthorized, "incorrect_password")
		return
	}
	b.serveRoute(w, r, route, known)
}

// route returns the route that a request is for. Like a web server with WordPress's rewrite rule it serves the home page for all that
// is no route.
func (b *Blog) route(r *http.Request) (string, bool) {
	if b.Plain {
		route := r.URL.Query().Get("rest_route")
		return strings.Trim(route, "/"), route != ""
	}
	rest, ok := strings.CutPrefix(r.URL.Path, "/wp-json")
	return strings.Trim(rest, "/"), ok
}

func (b *Blog) home(w http.ResponseWriter) {
	api := b.URL + "/wp-json/"
	if b.Plain {
		api = b.URL + "/index.php?rest_route=/"
	}
	w.Header().Set("Link", fmt.Sprintf("<%s>; rel=\"https://api.w.org/\"", api))
	w.Header().Set("Content-Type", "text/html; charset=UTF-8")
	fmt.Fprint(w, "<!DOCTYPE html><html><body>Acme News</body></html>")
}

// serveCollection answers requests for the collection of posts.
func (b *Blog) serveCollection(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodOptions:
		b.options(w)
	case http.MethodGet:
		b.list(w, r)
	case http.MethodPost:
		b.create(w, r)
	default:
		refuse(w, http.StatusNotFound, "rest_no_route")
	}
}

func (b *Blog) serveRoute(w http.ResponseWriter, r *http.Request, route string, known bool) {
	id, _ := strconv.ParseInt(strings.TrimPrefix(route, "wp/v2/posts/"), 10, 64)
	switch {
	case route == "":
		answer(w, http.StatusOK, map[string]any{"authentication": map[string]any{"application-passwords": map[string]any{}}})
	case !known:
		refuse(w, http.StatusUnauthorized, "rest_not_logged_in")
	case route == "wp/v2/users/me":
		answer(w, http.StatusOK, map[string]any{"id": 2, "capabilities": b.Capabilities})
	case route == "wp/v2/categories":
		terms(w, r, b.Categories)
	case route == "wp/v2/tags" && r.Method == http.MethodPost:
		b.createTag(w, r)
	case route == "wp/v2/tags":
		terms(w, r, b.Tags)
	case strings.HasPrefix(route, "wp/v2/media"):
		b.serveMedia(w, r, strings.TrimPrefix(route, "wp/v2/media"))
	case route == "wp/v2/posts":
		b.serveCollection(w, r)
	case id > 0:
		b.onePost(w, r, id)
	default:
		refuse(w, http.StatusNotFound, "rest_no_route")
	}
}
