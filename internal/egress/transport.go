package egress

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

const (
	// maxHeader is the size of an answer's headers in bytes, interim answers (1xx) included.
	maxHeader = 64 << 10
	// maxIdle and idleTime bound the idle connections of a private client.
	maxIdle  = 8
	idleTime = 30 * time.Second
)

func newTransport(d *dialer) *http.Transport {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Transport{
		DialContext:            d.dial,
		DialTLSContext:         d.dialTLS,
		DisableCompression:     true,
		DisableKeepAlives:      d.guard != nil,
		MaxIdleConns:           maxIdle,
		MaxIdleConnsPerHost:    maxIdle,
		IdleConnTimeout:        idleTime,
		MaxResponseHeaderBytes: maxHeader,
		Protocols:              protocols,
	}
}

// roundTripper checks a request's URL before the transport sees it, and removes addresses from errors.
type roundTripper struct {
	guard *guard
	base  *http.Transport
}

// RoundTrip implements http.RoundTripper.
func (t *roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	if t.guard != nil {
		if err := t.guard.checkURL(req.URL); err != nil {
			if req.Body != nil {
				err = errors.Join(err, req.Body.Close())
			}
			return nil, err
		}
	}
	ctx := context.WithValue(req.Context(), requestKey{}, req.Context())
	resp, err := t.base.RoundTrip(req.WithContext(ctx))
	if err != nil {
		return nil, explain(err)
	}
	if _, err := resp.Location(); err != nil {
		// http.Client fails on a Location that it cannot parse, even if it follows none; the status counts.
		resp.Header.Del("Location")
	}
	if resp.StatusCode == http.StatusSwitchingProtocols {
		hangUp(resp)
		return resp, nil
	}
	resp.Body = &body{resp.Body}
	return resp, nil
}

// hangUp closes the connection to a peer that switches to another protocol, which no request asks for. The answer's body may be
// the connection itself: neither the request's context nor a deadline would end reading it.
func hangUp(resp *http.Response) {
	// The answer counts; an error of closing changes nothing.
	_ = resp.Body.Close()
	resp.Body = http.NoBody
}

// CloseIdleConnections is called by the method of http.Client with the same name.
func (t *roundTripper) CloseIdleConnections() { t.base.CloseIdleConnections() }

// body removes addresses from the errors of an answer's body.
type body struct{ io.ReadCloser }

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == nil || errors.Is(err, io.EOF) {
		return n, err
	}
	return n, explain(err)
}

// requestKey is the context key of the request's own context. The transport dials under a context that keeps the request's values
// but neither its deadline nor its cancellation.
type requestKey struct{}

func requestContext(ctx context.Context) context.Context {
	if own, ok := ctx.Value(requestKey{}).(context.Context); ok {
		return own
	}
	return ctx
}
