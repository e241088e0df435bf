package apiserver

import (
	"net/http"
)

// healthHandler serves /healthz, which says that the process answers, and /readyz, which says that requests should come
// here: the index is complete and the end has not been asked for. An API server that is away changes neither, since lists
// go on without it.
func (s *Server) healthHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		say(w, http.StatusOK, "ok")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		switch {
		case s.draining.Load():
			say(w, http.StatusServiceUnavailable, "shutting down")
		case !s.synced():
			say(w, http.StatusServiceUnavailable, "the index is not complete yet")
		default:
			say(w, http.StatusOK, "ok")
		}
	})
	return mux
}

func say(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	// Who asked and went away does not wait for an answer.
	_, _ = w.Write([]byte(text + "\n"))
}
