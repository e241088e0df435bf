package apiserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"github.com/go-logr/logr"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/client-go/rest"

	"github.com/pressroom-dev/pressroom/apiserver"
)

// replica is a running facade.
type replica struct {
	url  string
	stop func()
}

// startReplica runs a facade on loopback until the spec calls stop.
func startReplica(change func(*apiserver.Options)) *replica {
	GinkgoHelper()
	o := apiserver.Options{
		Config: rest.CopyConfig(cluster.Config), SystemNamespace: systemNamespace, Log: logr.Discard(),
		BindAddress: "127.0.0.1:0", MetricsBindAddress: apiserver.Off, HealthProbeBindAddress: apiserver.Off,
	}
	o.Config.Impersonate = serviceAccount
	change(&o)
	server, err := apiserver.New(o)
	Expect(err).NotTo(HaveOccurred())
	running, cancel := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- server.Run(running) }()
	r := &replica{url: server.URL()}
	r.stop = func() {
		GinkgoHelper()
		cancel()
		Eventually(done).Should(Receive(BeNil()))
	}
	return r
}

// startForSpec runs a facade until the spec is over.
func startForSpec(change func(*apiserver.Options)) *replica {
	GinkgoHelper()
	r := startReplica(change)
	DeferCleanup(r.stop)
	return r
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	raw    string
	body   map[string]any
}

func (a answer) code() string {
	problem, _ := a.body["error"].(map[string]any)
	code, _ := problem["code"].(string)
	return code
}

func (a answer) text(name string) string {
	text, _ := a.body[name].(string)
	return text
}

// fields are those that the details name.
func (a answer) fields() []string {
	problem, _ := a.body["error"].(map[string]any)
	details, _ := problem["details"].([]any)
	var fields []string
	for _, d := range details {
		fields = append(fields, d.(map[string]any)["field"].(string))
	}
	return fields
}

var httpClient = &http.Client{Timeout: 30 * time.Second}

// ask sends a request as a tenant. body is JSON text, or anything that has a JSON form.
func (r *replica) ask(t *tenant, method, path string, body any, header ...string) answer {
	GinkgoHelper()
	a, err := r.try(t, method, path, body, header...)
	Expect(err).NotTo(HaveOccurred())
	return a
}

func (r *replica) try(t *tenant, method, path string, body any, header ...string) (answer, error) {
	var reader io.Reader
	switch body := body.(type) {
	case nil:
	case string:
		reader = bytes.NewBufferString(body)
	default:
		data, err := json.Marshal(body)
		if err != nil {
			return answer{}, err
		}
		reader = bytes.NewReader(data)
	}
	q, err := http.NewRequestWithContext(ctx, method, r.url+path, reader)
	if err != nil {
		return answer{}, err
	}
	q.Header.Set("x-api-key", t.key)
	q.Header.Set("x-workspace-id", t.workspace)
	if body != nil {
		q.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		q.Header.Set(header[i], header[i+1])
	}
	return sendBy(httpClient, q)
}

// sendBy sends any request.
func sendBy(c *http.Client, q *http.Request) (answer, error) {
	response, err := c.Do(q)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{}, err
	}
	a := answer{status: response.StatusCode, header: response.Header, raw: string(raw)}
	if len(raw) > 0 && raw[0] == '{' {
		err = json.Unmarshal(raw, &a.body)
	}
	return a, err
}

// failing matches an answer by its status and code.
func failing(status int, code string) OmegaMatcher {
	return And(
		WithTransform(func(a answer) int { return a.status }, Equal(status)),
		WithTransform(func(a answer) string { return a.code() }, Equal(code)),
	)
}

// saying matches an answer by its status code and the article's status.
func saying(code int, status string) OmegaMatcher {
	return And(
		WithTransform(func(a answer) int { return a.status }, Equal(code)),
		WithTransform(func(a answer) string { return a.text("status") }, Equal(status)),
	)
}
