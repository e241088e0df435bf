//go:build e2e

package bench_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/system"
)

const (
	// hostileAtOnce is how many hostile requests the REST API gets at once.
	hostileAtOnce = 200
	// usual is how often it gets each of them before, so that the process has the size that ordinary work takes.
	usual = 3
)

// BenchmarkHostileRequests measures by how much the resident memory of a replica of the REST API grows at its peak while it gets 200
// hostile requests at once, how long the slowest answer takes, and how many answers are 5xx.
func BenchmarkHostileRequests(b *testing.B) {
	if runtime.GOOS != "linux" {
		b.Skip("the peak of a process's memory is read as Linux tells it")
	}
	w := whole(b)
	at, err := ports.Free(b.Context())
	must(b, err)
	replica, err := w.StartReplica(b.Context(), "pressroom-apiserver-hostile", at)
	must(b, err)
	proc := func(name string) string { return fmt.Sprintf("/proc/%d/%s", replica.Pid(), name) }
	requests := hostileRequests(w.APIKey)
	for range usual {
		for _, r := range requests {
			_, err := exchange(at.API, r)
			must(b, err)
		}
	}
	for b.Loop() {
		before := sizeOf(b, proc("status"), "VmRSS:")
		must(b, os.WriteFile(proc("clear_refs"), []byte("5"), 0o600)) // the peak starts again
		took, failed := atOnce(b, at.API, requests)
		b.ReportMetric((sizeOf(b, proc("status"), "VmHWM:")-before)/mib, "hostile-MiB")
		b.ReportMetric(milliseconds(quantile(took, .5)), "p50-ms")
		b.ReportMetric(milliseconds(slices.Max(took)), "max-ms")
		b.ReportMetric(float64(failed), "5xx")
	}
}

// atOnce sends so many requests at once, of each kind as many. It returns how long each answer took, and how many were 5xx.
func atOnce(b *testing.B, port int, requests []string) (took []time.Duration, failed int64) {
	b.Helper()
	took = make([]time.Duration, hostileAtOnce)
	var ready, done sync.WaitGroup
	begin := make(chan struct{})
	var failures atomic.Int64
	ready.Add(hostileAtOnce)
	for i := range took {
		done.Go(func() {
			ready.Done()
			<-begin
			began := time.Now()
			status, err := exchange(port, requests[i%len(requests)])
			if err != nil {
				b.Error(err)
			}
			if status >= http.StatusInternalServerError {
				failures.Add(1)
			}
			took[i] = time.Since(began)
		})
	}
	ready.Wait()
	close(begin)
	done.Wait()
	return took, failures.Load()
}

// hostileRequests are whole requests with a key that works, except for the last one, which sends no body.
func hostileRequests(key string) []string {
	with := func(path, body string) string {
		return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\nx-api-key: %s\r\nx-workspace-id: %s\r\n"+
			"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", path, key, system.Workspace, len(body), body)
	}
	return []string{
		with("/v1/api/blogs", `{"secondary_keywords":[`+strings.Repeat("0,", 500_000)+`0]}`),
		with("/v1/api/blogs", `{"faq":[`+strings.Repeat("{},", 300_000)+`{}]}`),
		with("/v1/api/generate", `{"secondary_keywords":[`+strings.Repeat("0,", 500_000)+`0]}`),
		with("/v1/api/blogs", strings.Repeat(`{"faq":[`, 4000)+strings.Repeat("]}", 4000)),
		with("/v1/api/event-subscriptions", `{"url":"https://example.com/","events":[{}]}`),
		with("/v1/api/blogs", strings.Repeat("[", 256<<10)),
		fmt.Sprintf("POST /v1/api/blogs HTTP/1.1\r\nHost: x\r\nx-api-key: pr_ak_unknown\r\nx-workspace-id: %s\r\n"+
			"Expect: 100-continue\r\nContent-Length: 100000\r\n\r\n", system.Workspace),
	}
}

// exchange sends a request on a connection of its own and returns the status of the answer.
func exchange(port int, request string) (status int, err error) {
	var dialer net.Dialer
	conn, err := dialer.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return 0, err
	}
	defer func() { _ = conn.Close() }()
	// The replica may refuse it before all of it is sent.
	go func() { _, _ = conn.Write([]byte(request)) }()
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0, err
	}
	defer func() { _ = answer.Body.Close() }()
	return answer.StatusCode, nil
}

// sizeOf reads one of the sizes of a process, in bytes.
func sizeOf(b *testing.B, file, field string) float64 {
	b.Helper()
	status, err := os.ReadFile(file)
	must(b, err)
	_, rest, _ := strings.Cut(string(status), field)
	kilobytes, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	must(b, err)
	return kilobytes * 1024
}
