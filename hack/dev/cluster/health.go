package cluster

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/pressroom-dev/pressroom/hack/dev/process"
)

const (
	// healthInterval is how often a starting process is asked whether it is ready.
	healthInterval = 100 * time.Millisecond
	// healthTimeout bounds one question.
	healthTimeout = 2 * time.Second
)

// newClient returns an HTTP client for servers on loopback that trusts one authority and shows one certificate.
func newClient(authorityFile string, who pair) (*http.Client, error) {
	data, err := os.ReadFile(authorityFile)
	if err != nil {
		return nil, fmt.Errorf("reading the certificate authority: %w", err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(data) {
		return nil, fmt.Errorf("%s holds no certificate", authorityFile)
	}
	certificate, err := tls.LoadX509KeyPair(who.certificate, who.key)
	if err != nil {
		return nil, fmt.Errorf("reading a client's certificate: %w", err)
	}
	config := &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS13}
	return &http.Client{Timeout: healthTimeout, Transport: &http.Transport{TLSClientConfig: config}}, nil
}

// AwaitHealthy asks an address until it answers 200. It gives up when the process has ended, when ctx has, and after patience.
func AwaitHealthy(ctx context.Context, client *http.Client, p *process.Process, url string, patience time.Duration) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("it is not ready after %s", patience))
	defer cancel()
	tick := time.NewTicker(healthInterval)
	defer tick.Stop()
	for {
		err := ask(ctx, client, url)
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

func ask(ctx context.Context, client *http.Client, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return fmt.Errorf("asking for health: %w", err)
	}
	answer, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("asking for health: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode == http.StatusOK {
		return nil
	}
	const shown = 500
	body, err := io.ReadAll(io.LimitReader(answer.Body, shown))
	if err != nil {
		return fmt.Errorf("asking for health: %w", err)
	}
	return fmt.Errorf("it answers %s: %s", answer.Status, body)
}
