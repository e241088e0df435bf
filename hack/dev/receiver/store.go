package receiver

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

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
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("reading a post: %w", err)
		}
		var p Post
		if err := json.Unmarshal(data, &p); err != nil {
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
		post = Post{ID: s.nextID(), FirstAt: at}
	}
	post.Payload = p
	post.LastAt = at
	post.Signature = "verified"
	post.Deliveries++
	if err := s.write(post); err != nil {
		return Post{}, err
	}
	s.posts[p.Slug] = post
	return post, nil
}

func (s *Store) nextID() string {
	last := 0
	for _, p := range s.posts {
		if n, err := strconv.Atoi(strings.TrimPrefix(p.ID, "post-")); err == nil {
			last = max(last, n)
		}
	}
	return "post-" + strconv.Itoa(last+1)
}

// write replaces a post's file in one step.
func (s *Store) write(p Post) error {
	data, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return fmt.Errorf("keeping a post: %w", err)
	}
	path := filepath.Join(s.folder, p.Payload.Slug+".json")
	if err := os.WriteFile(path+".new", data, 0o600); err != nil {
		return fmt.Errorf("keeping a post: %w", err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		return fmt.Errorf("keeping a post: %w", errors.Join(err, os.Remove(path+".new")))
	}
	return nil
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
	all := make([]Post, 0, len(s.posts))
	for _, p := range s.posts {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b Post) int { return b.LastAt.Compare(a.LastAt) })
	return all
}
