// Package receiver is a demonstration of a customer's own site: it accepts publish webhooks as the contract describes, and
// shows them as pages.
package receiver

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"k8s.io/utils/clock"
)

// maxBody bounds a request. Both forms of the largest article, escaped, are smaller.
const maxBody = 4 << 20

// Options say how to receive.
type Options struct {
	// Secret is the signing secret.
	Secret []byte
	// BaseURL is where people reach the receiver, without a slash at the end.
	BaseURL string
	Store   *Store
	Clock   clock.PassiveClock
	// Say tells a person about each delivery.
	Say func(format string, args ...any)
}

// Receiver is the http.Handler.
type Receiver struct {
	Options

	journal journal
	mux     *http.ServeMux
}

// New makes a receiver.
func New(o Options) *Receiver {
	r := &Receiver{Options: o, mux: http.NewServeMux()}
	r.mux.HandleFunc("POST /webhook", r.webhook)
	r.mux.HandleFunc("GET /posts", r.listPosts)
	r.mux.HandleFunc("GET /posts/{slug}", r.getPost)
	r.mux.HandleFunc("GET /deliveries", r.listDeliveries)
	r.mux.HandleFunc("GET /blog/{slug}", r.page)
	r.mux.HandleFunc("GET /{$}", r.index)
	return r
}

// ServeHTTP implements http.Handler.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	r.mux.ServeHTTP(w, request)
}

// refusal is an answer other than 2xx.
type refusal struct {
	status  int
	message string
}

func (e *refusal) Error() string { return e.message }

// webhook handles one delivery and records it, accepted or not.
func (r *Receiver) webhook(w http.ResponseWriter, request *http.Request) {
	d := Delivery{At: r.Clock.Now(), Event: request.Header.Get(EventHeader), Signature: "not looked at", Status: http.StatusOK}
	answer, err := r.receive(request, &d)
	if err != nil {
		d.Status, d.Message = http.StatusInternalServerError, err.Error()
		if no, ok := errors.AsType[*refusal](err); ok {
			d.Status = no.status
		}
		answer = map[string]string{"error": d.Message}
	}
	r.journal.add(d)
	r.Say("receiver: %s: signature %s, answered %d: %s", strings.TrimSpace(d.Event+" "+d.Slug), d.Signature, d.Status, d.Message)
	writeJSON(w, d.Status, answer)
}

// receive follows the order of the contract's section 5: raw bytes first, then the signature, and only then the content.
func (r *Receiver) receive(request *http.Request, d *Delivery) (any, error) {
	body, err := io.ReadAll(http.MaxBytesReader(nil, request.Body, maxBody))
	if err != nil {
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return nil, &refusal{http.StatusRequestEntityTooLarge, "the body is too large"}
		}
		return nil, &refusal{http.StatusBadRequest, "the body broke off"}
	}
	if !Verify(r.Secret, body, request.Header.Get(SignatureHeader)) {
		d.Signature = "wrong"
		return nil, &refusal{http.StatusUnauthorized, "the signature does not match"}
	}
	d.Signature = "verified"
	if d.Event == TestEvent {
		d.Message = "the connection works: a test, and no article"
		return map[string]string{"message": d.Message}, nil
	}
	if d.Event != PublishEvent {
		d.Message = "ignored: another event"
		return map[string]string{"message": d.Message}, nil
	}
	payload, err := parse(body)
	if err != nil {
		return nil, &refusal{http.StatusBadRequest, err.Error()}
	}
	d.Slug = payload.Slug
	return r.keep(payload, d)
}

func (r *Receiver) keep(payload Payload, d *Delivery) (any, error) {
	post, err := r.Store.Upsert(payload, d.At)
	if err != nil {
		return nil, err
	}
	post = r.located(post)
	d.Message = "kept as " + post.ID
	return map[string]string{"id": post.ID, "url": post.URL}, nil
}

// located fills in a post's URL, which depends on the port of this run.
func (r *Receiver) located(p Post) Post {
	p.URL = r.BaseURL + "/blog/" + p.Payload.Slug
	return p
}

func (r *Receiver) posts() []Post {
	all := r.Store.All()
	for i := range all {
		all[i] = r.located(all[i])
	}
	return all
}

func (r *Receiver) listPosts(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, r.posts())
}

func (r *Receiver) getPost(w http.ResponseWriter, request *http.Request) {
	post, ok := r.Store.Get(request.PathValue("slug"))
	if !ok {
		writeJSON(w, http.StatusNotFound, map[string]string{"error": "no such post"})
		return
	}
	writeJSON(w, http.StatusOK, r.located(post))
}

func (r *Receiver) listDeliveries(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, r.journal.newestFirst())
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	data, err := json.MarshalIndent(body, "", "  ")
	if err != nil {
		http.Error(w, fmt.Sprintf("encoding the answer: %v", err), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// The caller may have closed the connection.
	_, _ = w.Write(append(data, '\n'))
}
