package receiver

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Payload is the body of a publish webhook (docs/reference/contract.md, Payload). Other members are ignored: there may be more.
type Payload struct {
	Title           string     `json:"title"`
	Slug            string     `json:"slug"`
	MetaTitle       string     `json:"meta_title,omitempty"`
	MetaDescription string     `json:"meta_description,omitempty"`
	Excerpt         string     `json:"excerpt,omitempty"`
	FAQ             []Question `json:"faq,omitempty"`
	Status          string     `json:"status"`
	ContentFormat   string     `json:"content_format"`
	ContentMarkdown string     `json:"content_markdown,omitempty"`
	ContentHTML     string     `json:"content_html,omitempty"`
	Content         string     `json:"content,omitempty"`
}

// Question is one of the FAQ, which the receiver renders itself.
type Question struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

// slugs are URL-safe, and become names of files here.
var slugs = regexp.MustCompile(`^[a-z0-9]+(?:-[a-z0-9]+)*$`)

// parse reads a payload and refuses one without the members that are always present.
func parse(body []byte) (p Payload, err error) {
	const maxSlug = 200
	if err := json.Unmarshal(body, &p); err != nil {
		return p, fmt.Errorf("the body is not the JSON of a publish webhook: %w", err)
	}
	hasContent := map[string]bool{
		"json": p.ContentMarkdown != "" && p.ContentHTML != "", "markdown": p.Content != "", "html": p.Content != "",
	}[p.ContentFormat]
	switch {
	case p.Title == "":
		err = errors.New("title is missing")
	case len(p.Slug) > maxSlug || !slugs.MatchString(p.Slug):
		err = fmt.Errorf("slug %.50q is not URL-safe", p.Slug)
	case p.Status != "publish":
		err = fmt.Errorf("status is %.50q, not publish", p.Status)
	case !hasContent:
		err = fmt.Errorf("there is no content of the content_format %.50q", p.ContentFormat)
	}
	return p, err
}

// Post is the state of one slug after its deliveries.
type Post struct {
	// ID is the receiver's own id of the post.
	ID string `json:"id"`
	// URL of the live post.
	URL string `json:"url"`
	// Signature is always "verified": other deliveries are refused.
	Signature string `json:"signature"`
	// Deliveries counts the requests that carried this slug.
	Deliveries int       `json:"deliveries"`
	FirstAt    time.Time `json:"first_at"`
	LastAt     time.Time `json:"last_at"`
	Payload    Payload   `json:"payload"`
}

// Store keeps posts by slug, in a folder, so that yesterday's live URLs stay live.
type Store struct {
	folder string

	mu    sync.Mutex
	posts map[string]Post
}

// OpenStore reads the posts of a folder, which it makes if it is missing.
func OpenStore(folder string) (*Store, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("making the receiver's folder: %w", err)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, fmt.Errorf("looking for posts: %w", err)
	}
	s := &Store{folder: folder, posts: map[string]Post{}}
	for _, file := range files {
		var p Post
		data, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(data, &p)
		}
		if err != nil {
			return nil, fmt.Errorf("reading the post %s: %w", filepath.Base(file), err)
		}
		s.posts[p.Payload.Slug] = p
	}
	return s, nil
}

// Upsert stores a verified delivery. That of a known slug changes its post, and makes no second one.
func (s *Store) Upsert(p Payload, at time.Time) (Post, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	post, known := s.posts[p.Slug]
	if !known {
		// No post is ever removed.
		post = Post{ID: "post-" + strconv.Itoa(len(s.posts)+1), Signature: "verified", FirstAt: at}
	}
	post.Payload, post.LastAt = p, at
	post.Deliveries++
	if err := s.write(post); err != nil {
		return Post{}, fmt.Errorf("keeping a post: %w", err)
	}
	s.posts[p.Slug] = post
	return post, nil
}

// write replaces a post's file in one step.
func (s *Store) write(p Post) error {
	data, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	path := filepath.Join(s.folder, p.Payload.Slug+".json")
	if err := os.WriteFile(path+".new", data, 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// Get returns the post of a slug.
func (s *Store) Get(slug string) (Post, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, ok := s.posts[slug]
	return p, ok
}

// All returns the posts, the one delivered last first.
func (s *Store) All() []Post {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.SortedFunc(maps.Values(s.posts), func(a, b Post) int { return b.LastAt.Compare(a.LastAt) })
}
