package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// client calls the REST API as a customer's program does: with net/http and no package of the project.
type client struct {
	Options

	http http.Client
}

func newClient(o Options) *client {
	return &client{Options: o, http: http.Client{Timeout: 10 * time.Second}}
}

// maxAnswer bounds an answer; an article has at most some hundred kilobytes.
const maxAnswer = 8 << 20

// call makes one request and decodes the answer, which must have the wanted status. What is decoded into a string stays as it is.
func (c *client) call(ctx context.Context, method, url string, body, answer any, wantStatus int) error {
	data, err := c.fetch(ctx, method, url, body, wantStatus)
	if text, ok := answer.(*string); ok {
		*text = string(data)
	} else if err == nil && answer != nil {
		err = json.Unmarshal(data, answer)
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, url, err)
	}
	return nil
}

func (c *client) fetch(ctx context.Context, method, url string, body any, wantStatus int) ([]byte, error) {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	request, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	// The key is for the REST API only: the receiver and the WordPress belong to somebody else.
	if strings.HasPrefix(url, c.URL+"/") {
		request.Header.Set("X-Api-Key", c.APIKey)
		request.Header.Set("X-Workspace-Id", c.Workspace)
	}
	if c.WordPress.URL != "" && strings.HasPrefix(url, c.WordPress.URL+"/?rest_route=") {
		request.SetBasicAuth(c.WordPress.Username, c.WordPress.Password)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err == nil && response.StatusCode != wantStatus {
		err = &statusError{fmt.Sprintf("the answer is %s, not %d: %s", response.Status, wantStatus, data)}
	}
	return data, err
}

// statusError is an answer with another status than the wanted one.
type statusError struct{ message string }

// Error implements error.
func (e *statusError) Error() string { return e.message }

// until polls until done returns true, as often as a patient customer would.
func until(ctx context.Context, what string, done func() (bool, error)) error {
	const interval = 250 * time.Millisecond
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		finished, err := done()
		if err != nil || finished {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("waiting for %s: %w", what, context.Cause(ctx))
		case <-tick.C:
		}
	}
}
