// Package fakegithub answers as GitHub's operation "Create a repository dispatch event" does, with its limits.
package fakegithub

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Path is the path of the operation for the repository, which is the only one.
const Path = "/repos/acme/blog-content/dispatches"

// Token is the only one that may write the contents of the repository.
const Token = "github_pat_of_the_blog"

// The limits of GitHub: the bytes of client_payload, its members, and the characters of event_type.
const (
	maxPayload   = 64 << 10
	maxMembers   = 10
	maxEventType = 100
)

// Dispatch is an event that has started workflows.
type Dispatch struct {
	EventType     string          `json:"event_type"`
	ClientPayload json.RawMessage `json:"client_payload"`
}

// Repository takes dispatches.
type Repository struct {
	mu         sync.Mutex
	dispatches []Dispatch
	// refusal answers in place of the repository, if it is set.
	refusal func(http.ResponseWriter)
}

// Dispatches returns what has started workflows.
func (r *Repository) Dispatches() []Dispatch {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.dispatches)
}

// LimitSecondary has GitHub refuse because of a secondary rate limit, and ask to wait.
func (r *Repository) LimitSecondary(seconds string) {
	r.refuse(http.StatusForbidden, "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
		http.Header{"Retry-After": {seconds}})
}

// UseUp has GitHub refuse because the requests of the hour are used up.
func (r *Repository) UseUp(status int, reset time.Time) {
	r.refuse(status, "API rate limit exceeded for user ID 1.",
		http.Header{"X-Ratelimit-Remaining": {"0"}, "X-Ratelimit-Reset": {strconv.FormatInt(reset.Unix(), 10)}})
}

// Forbid takes the permission to write from the token.
func (r *Repository) Forbid() {
	r.refuse(http.StatusForbidden, "Resource not accessible by personal access token", http.Header{"X-Ratelimit-Remaining": {"4999"}})
}

// Allow ends what refuses dispatches.
func (r *Repository) Allow() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refusal = nil
}

func (r *Repository) refuse(status int, message string, header http.Header) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refusal = func(w http.ResponseWriter) {
		maps.Copy(w.Header(), header)
		answer(w, status, message)
	}
}

// answer writes an error as GitHub does.
func answer(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{ //nolint:errchkjson // the client may be gone
		"message": message, "status": strconv.Itoa(status),
		"documentation_url": "https://docs.github.com/rest/repos/repos#create-a-repository-dispatch-event",
	})
}

// ServeHTTP implements http.Handler.
func (r *Repository) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	body, err := io.ReadAll(request.Body)
	switch {
	case err != nil || request.UserAgent() == "":
		answer(w, http.StatusForbidden, "Request forbidden by administrative rules. Please make sure your request has a User-Agent header")
	case request.Header.Get("Authorization") != "Bearer "+Token:
		answer(w, http.StatusUnauthorized, "Bad credentials")
	case request.Method != http.MethodPost || request.URL.RequestURI() != Path:
		answer(w, http.StatusNotFound, "Not Found")
	case r.refusal != nil:
		r.refusal(w)
	default:
		r.dispatch(w, body)
	}
}

// dispatch takes a body that GitHub takes.
func (r *Repository) dispatch(w http.ResponseWriter, body []byte) {
	var d Dispatch
	if err := json.Unmarshal(body, &d); err != nil {
		answer(w, http.StatusBadRequest, "Problems parsing JSON")
		return
	}
	var members map[string]json.RawMessage
	switch err := json.Unmarshal(d.ClientPayload, &members); {
	case err != nil:
		answer(w, http.StatusUnprocessableEntity, "Invalid request.\n\nFor 'properties/client_payload', the value is not an object.")
	case d.EventType == "" || len(d.EventType) > maxEventType:
		answer(w, http.StatusUnprocessableEntity, "Invalid request.\n\n\"event_type\" must be 1 to 100 characters long.")
	case len(members) > maxMembers:
		answer(w, http.StatusUnprocessableEntity,
			fmt.Sprintf("Invalid request.\n\nNo more than %d properties are allowed; %d were supplied.", maxMembers, len(members)))
	case len(d.ClientPayload) >= maxPayload:
		answer(w, http.StatusUnprocessableEntity, "client_payload is too large.")
	default:
		r.dispatches = append(r.dispatches, d)
		w.WriteHeader(http.StatusNoContent)
	}
}
