package testkit

import (
	"bytes"
	"io"
	"net/http"
)

// WholeBodies has a proxy get requests with bodies that have been read to their end. The service behind may refuse a request without its
// body. A server of HTTP/1.1 would then close the body that the proxy still sends, and the proxy would give up the answer.
func WholeBodies(proxy http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, err := io.ReadAll(q.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		q.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(w, q)
	})
}
