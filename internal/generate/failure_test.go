package generate_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/generate"
)

func TestEachStatusHasItsReason(t *testing.T) {
	const message = "the key " + secret + " at http://127.0.0.1/ is\nbad"
	for name, tc := range map[string]struct {
		code          int
		kind          string
		want          string
		wantRetryable bool
	}{
		"bad request":      {400, "invalid_request_error", v1alpha1.ReasonBackendRejected, false},
		"rate limited":     {429, "rate_limit_error", v1alpha1.ReasonRateLimited, true},
		"quota used up":    {429, "insufficient_quota", v1alpha1.ReasonBackendRejected, false},
		"internal error":   {500, "api_error", v1alpha1.ReasonBackendUnavailable, true},
		"gateway timeout":  {504, "timeout_error", v1alpha1.ReasonTimeout, true},
		"redirect":         {302, "", v1alpha1.ReasonBackendRejected, false},
		"content filtered": {400, "content_policy_violation", v1alpha1.ReasonRefused, false},
	} {
		t.Run(name, func(t *testing.T) {
			for _, w := range wires() {
				t.Run(string(w.kind), func(t *testing.T) {
					e := newEndpoint(t, w.fails(tc.code, tc.kind, message, "Location", "/elsewhere"))
					_, err := e.generator(t, w.kind).Generate(t.Context(), request(), nil)
					wantError(t, err, tc.want, tc.wantRetryable)
					if len(e.all()) != 1 {
						t.Errorf("it took %d requests, want 1: retries are not the generator's", len(e.all()))
					}
				})
			}
		})
	}
}

func TestErrorsOfAnyFormAreUnderstood(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"HTML":           status(500, "<html>Internal Server Error "+secret+"</html>", "Content-Type", "text/html"),
		"another shape":  status(500, `[1,2]`),
		"much":           status(500, strings.Repeat("x", 1<<20)),
		"a hostile code": status(500, `{"error":{"code":"see http://127.0.0.1/`+secret+`","type":"`+strings.Repeat("a", 500)+`"}}`),
	} {
		t.Run(name, func(t *testing.T) {
			for _, w := range wires() {
				t.Run(string(w.kind), func(t *testing.T) {
					_, err := newEndpoint(t, answer).generator(t, w.kind).Generate(t.Context(), request(), nil)
					wantError(t, err, v1alpha1.ReasonBackendUnavailable, true)
				})
			}
		})
	}
}

func TestRetryAfterIsBounded(t *testing.T) {
	for name, tc := range map[string]struct {
		header []string
		want   time.Duration
	}{
		"a fraction":         {[]string{"Retry-After", "1.5"}, 1500 * time.Millisecond},
		"an old date":        {[]string{"Retry-After", "Fri, 20 Nov 2026 11:02:00 GMT"}, time.Second},
		"zero":               {[]string{"Retry-After", "0"}, time.Second},
		"a day":              {[]string{"Retry-After", "86400"}, time.Hour},
		"beyond all numbers": {[]string{"Retry-After", "1e300"}, time.Hour},
		"milliseconds":       {[]string{"Retry-After-Ms", "2500", "Retry-After", "17"}, 2500 * time.Millisecond},
		"negative":           {[]string{"Retry-After", "-5"}, 0},
		"not a number":       {[]string{"Retry-After", "NaN"}, 0},
		"none":               {nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			for _, w := range wires() {
				t.Run(string(w.kind), func(t *testing.T) {
					for _, code := range []int{429, 503} {
						e := newEndpoint(t, w.says(goodFields), w.fails(code, "busy", "wait", tc.header...))
						_, err := e.generator(t, w.kind).Generate(t.Context(), request(), nil)
						got, ok := errors.AsType[*generate.Error](err)
						if !ok || got.RetryAfter != tc.want || !got.Retryable {
							t.Errorf("%d: Generate = %#v, want RetryAfter %v", code, err, tc.want)
						}
						if ok && tokensOf(got.Usage) != [2]int64{10, 20} {
							t.Errorf("usage = %+v, want that of the first turn", got.Usage)
						}
					}
				})
			}
		})
	}
}

func TestASilentEndpointTimesOut(t *testing.T) {
	silent := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	stalled := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"id":`)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}
	for _, w := range wires() {
		t.Run(string(w.kind), func(t *testing.T) {
			for name, answer := range map[string]http.HandlerFunc{"silent": silent, "stalled": stalled} {
				t.Run(name+", by the context", func(t *testing.T) {
					ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
					defer cancel()
					_, err := newEndpoint(t, answer).generator(t, w.kind).Generate(ctx, request(), nil)
					wantError(t, err, v1alpha1.ReasonTimeout, true)
					if !errors.Is(err, context.DeadlineExceeded) {
						t.Errorf("%v is not context.DeadlineExceeded", err)
					}
				})
				t.Run(name+", by the client", func(t *testing.T) {
					e := newEndpoint(t, answer)
					client := *e.Client()
					client.Timeout = 50 * time.Millisecond
					g, err := generate.New(generate.Config{Type: w.kind, Model: "m", BaseURL: e.URL, APIKey: secret, HTTPClient: &client})
					if err != nil {
						t.Fatal(err)
					}
					_, err = g.Generate(t.Context(), request(), nil)
					wantError(t, err, v1alpha1.ReasonTimeout, true)
				})
			}
		})
	}
}

func TestConnectionsThatFailAreUnavailable(t *testing.T) {
	hangUp := func(w http.ResponseWriter, _ *http.Request) {
		if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
			_ = conn.Close()
		}
	}
	half := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		_, _ = io.WriteString(w, `{"id":`)
	}
	for _, w := range wires() {
		t.Run(string(w.kind), func(t *testing.T) {
			for name, answer := range map[string]http.HandlerFunc{"hung up": hangUp, "half an answer": half} {
				t.Run(name, func(t *testing.T) {
					_, err := newEndpoint(t, answer).generator(t, w.kind).Generate(t.Context(), request(), nil)
					wantError(t, err, v1alpha1.ReasonBackendUnavailable, true)
				})
			}
			t.Run("nobody listens", func(t *testing.T) {
				e := newEndpoint(t, hangUp)
				g := e.generator(t, w.kind)
				e.Close()
				_, err := g.Generate(t.Context(), request(), nil)
				wantError(t, err, v1alpha1.ReasonBackendUnavailable, true)
			})
		})
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A dial has the deadline of its request, and may be over a moment before the request's context is.
func TestTheDeadlineOfAConnectionIsATimeout(t *testing.T) {
	for _, w := range wires() {
		g, err := generate.New(generate.Config{
			Type: w.kind, Model: "m", BaseURL: "https://model.example", HTTPClient: &http.Client{Transport: roundTrip(
				func(*http.Request) (*http.Response, error) {
					return nil, &net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded}
				})},
		})
		if err != nil {
			t.Fatal(err)
		}
		_, err = g.Generate(t.Context(), request(), nil)
		wantError(t, err, v1alpha1.ReasonTimeout, true)
	}
}

func TestAnEndpointThatSwitchesProtocolsAndSaysNothingIsRejected(t *testing.T) {
	for _, w := range wires() {
		t.Run(string(w.kind), func(t *testing.T) {
			hungUp := make(chan struct{})
			switches := func(w http.ResponseWriter, _ *http.Request) {
				conn, _, err := http.NewResponseController(w).Hijack()
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
				_, _ = io.Copy(io.Discard, conn)
				_ = conn.Close()
				close(hungUp)
			}
			_, err := newEndpoint(t, switches).generator(t, w.kind).Generate(t.Context(), request(), nil)
			wantError(t, err, v1alpha1.ReasonBackendRejected, false)
			<-hungUp
		})
	}
}

func TestForbiddenAddressesAreRejected(t *testing.T) {
	for _, w := range wires() {
		t.Run(string(w.kind), func(t *testing.T) {
			e := newEndpoint(t, w.says(goodFields))
			for _, base := range []string{e.URL, "http://10.1.2.3/v1", "http://metadata.internal/"} {
				g, err := generate.New(generate.Config{
					Type: w.kind, Model: "m", BaseURL: base, APIKey: secret, HTTPClient: egress.NewClient(egress.Policy{}, time.Second),
				})
				if err != nil {
					t.Fatal(err)
				}
				_, err = g.Generate(t.Context(), request(), nil)
				wantError(t, err, v1alpha1.ReasonBackendRejected, false)
				if !errors.Is(err, egress.ErrBlocked) {
					t.Errorf("%v is not ErrBlocked", err)
				}
			}
			if len(e.all()) != 0 {
				t.Error("the endpoint was reached")
			}
		})
	}
}

func TestAHugeAnswerIsNotRead(t *testing.T) {
	for _, w := range wires() {
		t.Run(string(w.kind), func(t *testing.T) {
			// Everything in it would be right.
			recorded := httptest.NewRecorder()
			w.says(goodFields)(recorded, nil)
			padded := `{"padding":"` + strings.Repeat("x", 9<<20) + `",` + recorded.Body.String()[1:]
			e := newEndpoint(t, status(200, padded), w.says(goodBody()))
			_, err := e.generator(t, w.kind).Generate(t.Context(), request(), nil)
			if got := wantError(t, err, v1alpha1.ReasonInvalidAnswer, true); !strings.Contains(got.Message, "bytes") {
				t.Errorf("message = %q, want it to name the size", got.Message)
			}
		})
	}
}

func TestTheNameOfAModelIsBounded(t *testing.T) {
	e := newEndpoint(t, completion(goodFields, "", "stop"), jsonAnswer(map[string]any{
		"model": strings.Repeat("m", 500) + "\n", "choices": []any{map[string]any{"message": map[string]any{"content": goodBody()}}},
	}))
	result, err := e.generator(t, "OpenAI").Generate(t.Context(), request(), nil)
	if err != nil || len(result.Model) > 210 || strings.Contains(result.Model, "\n") {
		t.Errorf("model = %q, %v, want a short name on one line", result.Model, err)
	}
}

func TestNewRefusesInvalidConfigurations(t *testing.T) {
	for name, c := range map[string]generate.Config{
		"unknown type":     {Type: "Other", Model: "m", HTTPClient: httptest.NewServer(nil).Client()},
		"no type":          {},
		"no model":         {Type: "OpenAI", Model: " ", HTTPClient: &http.Client{}},
		"no client":        {Type: "OpenAI", Model: "m"},
		"a key with lines": {Type: "Anthropic", Model: "m", HTTPClient: &http.Client{}, APIKey: secret + "\nx"},
		"no URL":           {Type: "OpenAI", Model: "m", HTTPClient: &http.Client{}, BaseURL: "://" + secret},
		"another scheme":   {Type: "OpenAI", Model: "m", HTTPClient: &http.Client{}, BaseURL: "ftp://example.com"},
		"no host":          {Type: "OpenAI", Model: "m", HTTPClient: &http.Client{}, BaseURL: "http:///v1"},
		"credentials":      {Type: "OpenAI", Model: "m", HTTPClient: &http.Client{}, BaseURL: "https://u:" + secret + "@example.com"},
		"a query":          {Type: "OpenAI", Model: "m", HTTPClient: &http.Client{}, BaseURL: "https://example.com?key=" + secret},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := generate.New(c)
			wantError(t, err, v1alpha1.ReasonBackendRejected, false)
		})
	}
}

func TestKeysAreTrimmed(t *testing.T) {
	e := newEndpoint(t, completion(goodFields, "", "stop"), completion(goodBody(), "", "stop"))
	g, err := generate.New(generate.Config{Type: "OpenAI", Model: " m ", BaseURL: e.URL, APIKey: secret + "\n", HTTPClient: e.Client()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Generate(t.Context(), request(), nil); err != nil || e.all()[0].header.Get("Authorization") != "Bearer "+secret {
		t.Errorf("Generate = %v with %q", err, e.all()[0].header.Get("Authorization"))
	}
}
