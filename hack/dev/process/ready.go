package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

const (
	// readyInterval is how often a starting process is asked whether it is ready.
	readyInterval = 100 * time.Millisecond
	// readyTimeout bounds one request.
	readyTimeout = 2 * time.Second
)

// AwaitReady requests a URL of the process until the answer is 200. It gives up when the process has ended, when ctx has, and
// after patience.
func (p *Process) AwaitReady(ctx context.Context, url string, patience time.Duration) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("it is not ready after %s", patience))
	defer cancel()
	client := &http.Client{Timeout: readyTimeout}
	tick := time.NewTicker(readyInterval)
	defer tick.Stop()
	for {
		err := get(ctx, client, url)
		if err == nil {
			return nil
		}
		select {
		case <-p.Done():
			if err := p.Err(); err != nil {
				return fmt.Errorf("waiting for %s: %w", p.Name(), err)
			}
			return fmt.Errorf("waiting for %s: it was stopped", p.Name())
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return fmt.Errorf("waiting for %s: %w (%w); %s", p.Name(), context.Cause(ctx), err, p.LogEnd())
			}
			return fmt.Errorf("waiting for %s: %w", p.Name(), ctx.Err())
		case <-tick.C:
		}
	}
}

func get(ctx context.Context, client *http.Client, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return fmt.Errorf("requesting %s: %w", url, err)
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusOK {
		return nil
	}
	const shown = 500
	body, err := io.ReadAll(io.LimitReader(response.Body, shown))
	if err != nil {
		return fmt.Errorf("reading the answer: %w", err)
	}
	return fmt.Errorf("the answer is %s: %s", response.Status, body)
}
