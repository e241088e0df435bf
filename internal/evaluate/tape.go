package evaluate

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"os"
	"path/filepath"
	"sync"
)

// Tape records the answers of an endpoint, or plays them back. An answer belongs to the body of its request; headers, which may have
// keys, are not recorded. The nth time that the same is asked has the nth answer.
type Tape struct {
	record, replay string

	mu    sync.Mutex
	asked map[string]int
	next  http.RoundTripper
	// missed is whether a question had no answer.
	missed bool
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

// Through returns a transport that records the answers of next, or replays recorded answers.
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
	if err := errors.Join(err, r.Body.Close()); err != nil {
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
	return filepath.Join(t.record+t.replay, fmt.Sprintf("%s-%d.http", name, t.asked[name]))
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
	resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(data)), r)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", file, err)
	}
	return resp, nil
}

// keep writes an answer into a file, and leaves it to be read.
func keep(resp *http.Response, file string) error {
	kept := *resp
	kept.Header = http.Header{"Content-Type": resp.Header["Content-Type"]}
	data, err := httputil.DumpResponse(&kept, true)
	if err != nil {
		return err
	}
	resp.Body = kept.Body
	const fileMode = 0o600
	return os.WriteFile(file, data, fileMode)
}
