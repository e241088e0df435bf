package testkit

import "net/http"

// FullDuplex has a server of HTTP/1.1 leave the body of a request open while a proxy answers: the service behind may refuse a request
// without its body, and the proxy would find the body closed in the middle of the answer.
func FullDuplex(proxy http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		_ = http.NewResponseController(w).EnableFullDuplex()
		proxy.ServeHTTP(w, q)
	})
}
