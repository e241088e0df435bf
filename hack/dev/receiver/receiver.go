// Package receiver is a demonstration of a customer's own site: it accepts publish webhooks, and shows them as pages
// (docs/reference/contract.md, Publish webhook).
package receiver

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/hack/dev/ports"
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
	*http.ServeMux

	mu sync.Mutex
	// deliveries are the last 50, the newest first.
	deliveries []Delivery
}

// Delivery is one request to the webhook, accepted or not.
type Delivery struct {
	At        time.Time `json:"at"`
	Event     string    `json:"event"`
	Slug      string    `json:"slug,omitempty"`
	Signature string    `json:"signature"`
	Status    int       `json:"status"`
	Message   string    `json:"message"`
}

// New makes a receiver.
func New(o Options) *Receiver {
	r := &Receiver{Options: o, ServeMux: http.NewServeMux()}
	r.HandleFunc("POST /webhook", r.webhook)
	r.HandleFunc("GET /posts", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, http.StatusOK, r.posts()) })
	r.HandleFunc("GET /posts/{slug}", r.getPost)
	r.HandleFunc("GET /deliveries", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, http.StatusOK, r.lastDeliveries()) })
	r.HandleFunc("GET /blog/{slug}", r.page)
	r.HandleFunc("GET /{$}", r.index)
	return r
}

// Serve serves a receiver on a loopback port, with its posts in a folder.
func Serve(ctx context.Context, port int, secret []byte, folder string, say func(string, ...any)) (*http.Server, error) {
	store, err := OpenStore(folder)
	if err != nil {
		return nil, err
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", ports.Address(port))
	if err != nil {
		return nil, fmt.Errorf("starting the receiver: %w", err)
	}
	server := &http.Server{
		Handler:           New(Options{Secret: secret, BaseURL: ports.URL(port), Store: store, Clock: clock.RealClock{}, Say: say}),
		ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: 30 * time.Second,
	}
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			say("the receiver has stopped: %v", err)
		}
	}()
	return server, nil
}

// webhook handles one delivery and records it, accepted or not.
func (r *Receiver) webhook(w http.ResponseWriter, request *http.Request) {
	const shown = 50
	d := Delivery{At: r.Clock.Now(), Event: request.Header.Get("X-SERVICE-Event"), Signature: "not looked at", Status: http.StatusOK}
	answer := map[string]string{}
	if err := r.receive(request, &d, answer); err != nil {
		d.Message, answer = err.Error(), map[string]string{"error": err.Error()}
	}
	r.mu.Lock()
	r.deliveries = slices.Insert(r.deliveries, 0, d)
	r.deliveries = r.deliveries[:min(shown, len(r.deliveries))]
	r.mu.Unlock()
	r.Say("receiver: %s: signature %s, answered %d: %s", strings.TrimSpace(d.Event+" "+d.Slug), d.Signature, d.Status, d.Message)
	writeJSON(w, d.Status, answer)
}

// receive takes the raw bytes first, then the signature, and only then the content (docs/reference/contract.md, Signature). It fills in the
// status of the answer and the answer.
func (r *Receiver) receive(request *http.Request, d *Delivery, answer map[string]string) error {
	body, err := io.ReadAll(http.MaxBytesReader(nil, request.Body, maxBody))
	if err != nil {
		d.Status = http.StatusBadRequest
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			d.Status = http.StatusRequestEntityTooLarge
		}
		return err
	}
	if !verify(r.Secret, body, request.Header.Get("X-SERVICE-Signature")) {
		d.Signature, d.Status = "wrong", http.StatusUnauthorized
		return errors.New("the signature does not match")
	}
	d.Signature = "verified"
	switch d.Event {
	case "post.publish":
	case "connection.test":
		d.Message = "the connection works: a test, and no article"
	default:
		d.Message = "ignored: another event"
	}
	if d.Message != "" {
		answer["message"] = d.Message
		return nil
	}
	payload, err := parse(body)
	if err != nil {
		d.Status = http.StatusBadRequest
		return err
	}
	post, err := r.Store.Upsert(payload, d.At)
	if err != nil {
		d.Status = http.StatusInternalServerError
		return err
	}
	d.Slug, d.Message = payload.Slug, "kept as "+post.ID
	answer["id"], answer["url"] = post.ID, r.located(post).URL
	return nil
}

// verify reports whether a signature is the lower-case hex HMAC-SHA256 of the exact bytes of a body, in constant time. Requests carry no
// time, so none is too old (docs/reference/contract.md, Signature).
func verify(secret, body []byte, signature string) bool {
	mac := hmac.New(sha256.New, secret)
	mac.Write(body)
	return hmac.Equal([]byte(hex.EncodeToString(mac.Sum(nil))), []byte(signature))
}

// located fills in a post's URL, which depends on the port of this run.
func (r *Receiver) located(p Post) Post {
	p.URL = r.BaseURL + "/blog/" + p.Payload.Slug
	return p
}

func (r *Receiver) posts() []Post {
	stored := r.Store.All()
	all := make([]Post, 0, len(stored))
	for _, p := range stored {
		all = append(all, r.located(p))
	}
	return all
}

func (r *Receiver) getPost(w http.ResponseWriter, request *http.Request) {
	post, ok := r.Store.Get(request.PathValue("slug"))
	if !ok {
		writeJSON(w, http.StatusNotFound, map[string]string{"error": "no such post"})
		return
	}
	writeJSON(w, http.StatusOK, r.located(post))
}

func (r *Receiver) lastDeliveries() []Delivery {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Delivery{}, r.deliveries...)
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	text, err := json.MarshalIndent(body, "", "  ")
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// The caller may have closed the connection.
	_, _ = w.Write(append(text, '\n'))
}
