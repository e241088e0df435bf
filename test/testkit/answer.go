package testkit

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// Answer is an HTTP answer that was read to its end.
type Answer struct {
	Status int
	Header http.Header
	Raw    string
	// Body is Raw as a JSON object; nil if it is none.
	Body map[string]any
}

// NewRequest makes a request. The body is JSON text, anything that has a JSON form, or nil; headers are names and values in turn.
func NewRequest(method, url string, body any, headers ...string) *http.Request {
	GinkgoHelper()
	var content io.Reader
	switch body := body.(type) {
	case nil:
	case string:
		content = bytes.NewBufferString(body)
	default:
		data, err := json.Marshal(body)
		Expect(err).NotTo(HaveOccurred())
		content = bytes.NewReader(data)
	}
	q, err := http.NewRequest(method, url, content)
	Expect(err).NotTo(HaveOccurred())
	if body != nil {
		q.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		q.Header.Set(headers[i], headers[i+1])
	}
	return q
}

// Send sends a request, whose answer is a JSON object or empty.
func Send(by *http.Client, q *http.Request) Answer {
	GinkgoHelper()
	got, err := TrySend(by, q)
	Expect(err).NotTo(HaveOccurred())
	Expect(got.Raw).To(Or(BeEmpty(), HavePrefix("{")))
	return got
}

// TrySend sends a request, whose answer is anything.
func TrySend(by *http.Client, q *http.Request) (Answer, error) {
	response, err := by.Do(q)
	if err != nil {
		return Answer{}, err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return Answer{}, err
	}
	return parse(response.StatusCode, response.Header, raw)
}

// Recorded returns the answer that a handler gave in memory.
func Recorded(r *httptest.ResponseRecorder) (Answer, error) {
	return parse(r.Code, r.Result().Header, r.Body.Bytes())
}

// parse makes an Answer. What begins as a JSON object must be one.
func parse(status int, header http.Header, raw []byte) (Answer, error) {
	a := Answer{Status: status, Header: header, Raw: string(raw)}
	if len(raw) == 0 || raw[0] != '{' {
		return a, nil
	}
	err := json.Unmarshal(raw, &a.Body)
	return a, err
}

// Text returns a member of the body that is a string.
func (a Answer) Text(name string) string {
	text, _ := a.Body[name].(string)
	return text
}

// Code returns the code of an error body of the REST API.
func (a Answer) Code() string {
	problem, _ := a.Body["error"].(map[string]any)
	code, _ := problem["code"].(string)
	return code
}

// Fields returns the fields that the details of an error body name.
func (a Answer) Fields() []string {
	problem, _ := a.Body["error"].(map[string]any)
	details, _ := problem["details"].([]any)
	fields := make([]string, 0, len(details))
	for _, d := range details {
		detail, _ := d.(map[string]any)
		field, _ := detail["field"].(string)
		fields = append(fields, field)
	}
	return fields
}
