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

// call makes one request and decodes the answer, which must have the wanted status.
func (c *client) call(ctx context.Context, method, url string, body, answer any, wantStatus int) error {
	request, err := c.request(ctx, method, url, body)
	if err != nil {
		return err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, url, err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, url, err)
	}
	if response.StatusCode != wantStatus {
		return fmt.Errorf("%s %s answers %s, not %d: %s", method, url, response.Status, wantStatus, data)
	}
	if answer == nil {
		return nil
	}
	if err := json.Unmarshal(data, answer); err != nil {
		return fmt.Errorf("%s %s answers in an unknown form: %w", method, url, err)
	}
	return nil
}

func (c *client) request(ctx context.Context, method, url string, body any) (*http.Request, error) {
	var reader io.Reader = http.NoBody
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", method, url, err)
		}
		reader = bytes.NewReader(data)
	}
	request, err := http.NewRequestWithContext(ctx, method, url, reader)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, url, err)
	}
	// The key is for the REST API only: the receiver belongs to somebody else.
	if strings.HasPrefix(url, c.URL+"/") {
		request.Header.Set("X-Api-Key", c.APIKey)
		request.Header.Set("X-Workspace-Id", c.Workspace)
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	return request, nil
}

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
