package apiserver

import (
	"net/http"
)

// healthHandler serves /healthz, which succeeds while the process answers, and /readyz, which succeeds while the index is complete
// and the replica is not shutting down. Neither depends on kube-apiserver: lists are answered without it.
func (s *Server) healthHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		writeText(w, http.StatusOK, "ok")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		switch {
		case s.draining.Load():
			writeText(w, http.StatusServiceUnavailable, "shutting down")
		case !s.synced():
			writeText(w, http.StatusServiceUnavailable, "the index is not complete yet")
		default:
			writeText(w, http.StatusOK, "ok")
		}
	})
	return mux
}

func writeText(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	// A client that has disconnected gets no answer.
	_, _ = w.Write([]byte(text + "\n"))
}
