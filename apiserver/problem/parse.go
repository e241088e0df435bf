package problem

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"
)

// Parse returns the APIError of an answer that is not 2xx. What is no error body becomes CodeInternal.
func Parse(status int, header http.Header, body []byte) *APIError {
	e := &APIError{}
	if err := json.Unmarshal(body, e); err != nil || e.Problem.Code == "" {
		e = New(status, CodeInternal, http.StatusText(status))
	}
	e.status, e.Problem.Status = status, status
	if seconds, err := strconv.Atoi(header.Get("Retry-After")); err == nil {
		e.retryAfter = time.Duration(seconds) * time.Second
	}
	return e
}
