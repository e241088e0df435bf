package testkit

import (
	"encoding/json"
	"io"
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// Answer is an HTTP answer that was read to its end.
type Answer struct {
	Status int
	Header http.Header
	Raw    string
	// Body is Raw as a JSON object; nil if there is no body.
	Body map[string]any
}

// Send sends a request, whose answer is JSON or empty.
func Send(by *http.Client, q *http.Request) Answer {
	GinkgoHelper()
	response, err := by.Do(q)
	Expect(err).NotTo(HaveOccurred())
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	Expect(err).NotTo(HaveOccurred())
	got := Answer{Status: response.StatusCode, Header: response.Header, Raw: string(raw)}
	if len(raw) > 0 {
		Expect(json.Unmarshal(raw, &got.Body)).To(Succeed(), got.Raw)
	}
	return got
}
