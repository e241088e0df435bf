package evaluate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"sync"
)

// Tape records the answers of an endpoint, or plays them back. An answer belongs to the body of its request; headers, which have the
// key, are not recorded. The nth time that the same is asked has the nth answer.
type Tape struct {
	record, replay string

	mu    sync.Mutex
	asked map[string]int
	next  http.RoundTripper
	// missed is whether a question had no answer.
	missed bool
}

// recorded is one answer in a file.
type recorded struct {
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body,omitempty"`
	// Text is a body that is no JSON.
	Text string `json:"text,omitempty"`
}

var errNotRecorded = errors.New("the folder of --replay has no answer to this question: the suite, the prompts or the model have changed")

// NewTape returns a tape that records into a folder, plays back from one, or, if both are empty, only passes on.
func NewTape(record, replay string) (*Tape, error) {
	if record != "" && replay != "" {
		return nil, errors.New("--record and --replay may not be used together")
	}
	if record != "" {
		const folderMode = 0o750
		if err := os.MkdirAll(record, folderMode); err != nil {
			return nil, fmt.Errorf("--record: %w", err)
		}
	}
	return &Tape{record: record, replay: replay, asked: map[string]int{}}, nil
}

// Through returns a transport with the tape before another transport.
func (t *Tape) Through(next http.RoundTripper) http.RoundTripper {
	t.next = next
	return t
}

// RoundTrip implements http.RoundTripper.
func (t *Tape) RoundTrip(r *http.Request) (*http.Response, error) {
	if t.record == "" && t.replay == "" {
		return t.next.RoundTrip(r)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if err := r.Body.Close(); err != nil {
		return nil, err
	}
	file := t.file(body)
	if t.replay != "" {
		return t.play(r, file)
	}
	again := r.Clone(r.Context())
	again.Body = io.NopCloser(bytes.NewReader(body))
	resp, err := t.next.RoundTrip(again)
	if err != nil {
		return nil, err
	}
	return resp, keep(resp, file)
}

// file names the answer to a request.
func (t *Tape) file(body []byte) string {
	sum := sha256.Sum256(body)
	name := hex.EncodeToString(sum[:16])
	t.mu.Lock()
	defer t.mu.Unlock()
	t.asked[name]++
	return filepath.Join(t.record+t.replay, fmt.Sprintf("%s-%d.json", name, t.asked[name]))
}

// Missed returns an error if a replay had no answer to a question.
func (t *Tape) Missed() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.missed {
		return errNotRecorded
	}
	return nil
}

func (t *Tape) play(r *http.Request, file string) (*http.Response, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		t.mu.Lock()
		t.missed = true
		t.mu.Unlock()
		return nil, errNotRecorded
	}
	if err != nil {
		return nil, err
	}
	var a recorded
	if err := json.Unmarshal(data, &a); err != nil {
		return nil, fmt.Errorf("reading %s: %w", file, err)
	}
	if a.Body == nil {
		a.Body = []byte(a.Text)
	}
	return &http.Response{
		StatusCode: a.Status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(bytes.NewReader(a.Body)), ContentLength: int64(len(a.Body)), Request: r,
	}, nil
}

// keep writes an answer into a file, and leaves it to be read.
func keep(resp *http.Response, file string) error {
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if err := resp.Body.Close(); err != nil {
		return err
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	a := recorded{Status: resp.StatusCode}
	if json.Valid(body) {
		a.Body = body
	} else {
		a.Text = string(body)
	}
	data, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		return err
	}
	const fileMode = 0o600
	return os.WriteFile(file, data, fileMode)
}
