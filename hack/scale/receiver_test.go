//go:build e2e

package scale_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

// receiver stands for all Sites. It accepts what comes, but for the Sites whose names say that they refuse it, and notes when the first
// byte of an article came.
type receiver struct {
	servers []*httptest.Server

	mu sync.Mutex
	at map[string]time.Time
}

// refusing is in the names of Sites that are gone: 410 ends a delivery at once.
const refusing = "refusing"

// hosts are as many as the Sites of the publisher: a host has a number of slots.
const hosts = publisherSites

func newReceiver() *receiver {
	r := &receiver{at: map[string]time.Time{}}
	for range hosts {
		r.servers = append(r.servers, httptest.NewServer(r))
	}
	return r
}

func (r *receiver) close() {
	for _, s := range r.servers {
		s.Close()
	}
}

// url is the address of a Site: on one of the hosts, by its name.
func (r *receiver) url(site string) string {
	sum := 0
	for _, c := range site {
		sum += int(c)
	}
	return fmt.Sprintf("%s/%s", r.servers[sum%len(r.servers)].URL, site)
}

// ServeHTTP notes an article.
func (r *receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	now := time.Now()
	if strings.Contains(q.URL.Path, refusing) {
		w.WriteHeader(http.StatusGone)
		return
	}
	body, err := io.ReadAll(q.Body)
	var article struct {
		Slug string `json:"slug"`
	}
	if err != nil || json.Unmarshal(body, &article) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, again := r.at[article.Slug]; !again {
		r.at[article.Slug] = now
	}
}

// came returns when an article came first.
func (r *receiver) came(slug string) (time.Time, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at, ok := r.at[slug]
	return at, ok
}

// all reports whether all of these articles have come.
func (r *receiver) all(slugs []string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, slug := range slugs {
		if _, ok := r.at[slug]; !ok {
			return false
		}
	}
	return true
}
