package fakewordpress

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"
)

func terms(w http.ResponseWriter, r *http.Request, known map[string]int64) {
	found := []map[string]any{}
	for _, slug := range r.URL.Query()["slug[]"] {
		if id, ok := known[slug]; ok {
			found = append(found, map[string]any{"id": id, "slug": slug})
		}
	}
	answer(w, http.StatusOK, found)
}

// createTag creates a tag, which those may who may edit posts.
func (b *Blog) createTag(w http.ResponseWriter, r *http.Request) {
	var term struct {
		Name string `json:"name"`
		Slug string `json:"slug"`
	}
	if err := json.NewDecoder(r.Body).Decode(&term); err != nil || term.Name == "" {
		refuse(w, http.StatusBadRequest, "rest_missing_callback_param")
		return
	}
	if b.Tags[term.Slug] > 0 {
		refuse(w, http.StatusBadRequest, "term_exists")
		return
	}
	b.last++
	b.Tags[term.Slug], b.TagNames = b.last, append(b.TagNames, term.Name)
	answer(w, http.StatusCreated, map[string]any{"id": b.last, "slug": term.Slug, "name": term.Name})
}

func (b *Blog) options(w http.ResponseWriter) {
	var properties any = []string{} // PHP's empty array
	if len(b.MetaKeys) > 0 {
		keys := map[string]any{}
		for _, key := range b.MetaKeys {
			keys[key] = map[string]string{"type": "string"}
		}
		properties = keys
	}
	meta := map[string]any{"meta": map[string]any{"properties": properties}}
	answer(w, http.StatusOK, map[string]any{"schema": map[string]any{"properties": meta}})
}

func (b *Blog) list(w http.ResponseWriter, r *http.Request) {
	query, found := r.URL.Query(), []*Post{}
	statuses := query["status[]"]
	if len(statuses) == 0 {
		statuses = []string{"publish"}
	}
	for _, p := range b.posts {
		if slices.Contains(query["slug[]"], p.Slug) && slices.Contains(statuses, p.Status) {
			found = append(found, p)
		}
	}
	answer(w, http.StatusOK, found)
}

func (b *Blog) onePost(w http.ResponseWriter, r *http.Request, id int64) {
	i := slices.IndexFunc(b.posts, func(p *Post) bool { return p.ID == id })
	switch {
	case i < 0:
		refuse(w, http.StatusNotFound, "rest_post_invalid_id")
	case r.Method == http.MethodGet:
		answer(w, http.StatusOK, b.posts[i])
	case r.Method == http.MethodPost:
		b.save(w, r, b.posts[i], http.StatusOK)
	case r.Method == http.MethodDelete:
		answer(w, http.StatusOK, map[string]any{"deleted": true})
		b.posts = slices.Delete(b.posts, i, i+1)
	}
}

func (b *Blog) create(w http.ResponseWriter, r *http.Request) {
	b.last++
	p := &Post{ID: b.last, Author: 2, Categories: []int64{1}}
	if b.save(w, r, p, http.StatusCreated) {
		b.posts = append(b.posts, p)
	}
}

// save writes a post and reports whether it could.
func (b *Blog) save(w http.ResponseWriter, r *http.Request, p *Post, status int) bool {
	// A field that is not sent stays as it is.
	fields := struct {
		Title      string            `json:"title"`
		Slug       string            `json:"slug"`
		Content    string            `json:"content"`
		Excerpt    string            `json:"excerpt"`
		Status     string            `json:"status"`
		Meta       map[string]string `json:"meta"`
		Author     int64             `json:"author"`
		Categories []int64           `json:"categories"`
		Tags       []int64           `json:"tags"`
		Image      int64             `json:"featured_media"`
	}{p.Title, p.Slug, p.Content, p.Excerpt, p.Status, nil, p.Author, p.Categories, p.Tags, p.FeaturedMedia}
	if err := json.NewDecoder(r.Body).Decode(&fields); err != nil {
		refuse(w, http.StatusBadRequest, "rest_invalid_json")
		return false
	}
	if fields.Author > 2 && !b.Capabilities["edit_others_posts"] {
		refuse(w, http.StatusForbidden, "rest_cannot_edit_others")
		return false
	}
	p.Title, p.Content, p.Excerpt, p.Status = fields.Title, fields.Content, fields.Excerpt, fields.Status
	p.Author, p.Categories, p.Tags = fields.Author, fields.Categories, fields.Tags
	// WordPress leaves a file out that it does not have.
	if b.file(fields.Image) != nil && !b.WithoutThumbnails {
		p.FeaturedMedia = fields.Image
	}
	p.Slug = b.freeSlug(fields.Slug, p.ID)
	if p.Meta == nil {
		p.Meta = map[string]string{}
	}
	maps.DeleteFunc(p.Meta, func(key, _ string) bool { return !slices.Contains(b.MetaKeys, key) })
	for key, value := range fields.Meta {
		if slices.Contains(b.MetaKeys, key) {
			p.Meta[key] = value
		}
	}
	p.Link, p.Modified = b.URL+"/"+p.Slug+"/", time.Now()
	if status == http.StatusCreated {
		p.Date = p.Modified
	}
	answer(w, status, p)
	return true
}

// freeSlug adds a number to a slug that another post has.
func (b *Blog) freeSlug(slug string, id int64) string {
	for n, candidate := 2, slug; ; n++ {
		taken := slices.ContainsFunc(b.posts, func(p *Post) bool { return p.Slug == candidate && p.ID != id })
		if !taken && !slices.Contains(b.Hidden, candidate) {
			return candidate
		}
		candidate = slug + "-" + strconv.Itoa(n)
	}
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(status)
	// A client that has gone reads nothing.
	_ = json.NewEncoder(w).Encode(body) //nolint:errchkjson // all bodies have a JSON form
}

func refuse(w http.ResponseWriter, status int, code string) {
	answer(w, status, map[string]any{"code": code, "message": "Sorry.", "data": map[string]any{"status": status}})
}
