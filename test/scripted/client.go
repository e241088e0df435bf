package scripted

import (
	"net/http"
	"net/http/httptest"
)

// Client returns a client whose requests handler answers in this process: nothing is sent anywhere.
func Client(handler http.Handler) *http.Client { return &http.Client{Transport: inProcess{handler}} }

type inProcess struct{ handler http.Handler }

// RoundTrip implements http.RoundTripper.
func (t inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	w := httptest.NewRecorder()
	t.handler.ServeHTTP(w, r)
	return w.Result(), nil
}
