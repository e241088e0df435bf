//go:build e2e

package bench_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/hack/dev/process"
)

const (
	// crowd is how many receivers are served at once, half of them with articles and half with events. Each is a host of its
	// own, so that the default limits let all requests out.
	crowd = 100
	// usual is how often they behave well before they misbehave, so that the process has the size that so much work takes.
	usual = 3
	mib   = 1 << 20
)

// BenchmarkMemory measures by how much the controller's memory grows while 100 requests are at receivers that behave well, and
// then while 100 are at receivers that send bombs, and headers and bodies without end.
func BenchmarkMemory(b *testing.B) {
	if runtime.GOOS != "linux" {
		b.Skip("the peak of a process's memory is read as Linux tells it")
	}
	w := whole(b)
	var members []*member
	for name, l := range channels(w) {
		for _, at := range names("crowd-"+name, crowd/2) {
			members = append(members, newMember(b, l, at, len(members)))
		}
	}
	awaitAll(b, members, "the first deliveries", delivered)
	cycle := int32(1)
	meet := func(nonce string) float64 {
		cycle++
		return w.meet(b, members, nonce, cycle)
	}
	for b.Loop() {
		for round := range usual {
			meet(fmt.Sprintf("usual-%d", round))
		}
		well := meet("well")
		for _, m := range members {
			m.misbehaves.Store(true)
		}
		badly := meet("badly")
		for _, m := range members {
			m.misbehaves.Store(false)
		}
		b.ReportMetric(well, "well-behaved-MiB")
		b.ReportMetric(badly, "hostile-MiB")
	}
}

// meet has all receivers be asked again, in a cycle of this number, each of them with its answer held back until all have a request. It
// returns by how many MiB the controller's resident memory grew at its peak.
func (w *bench) meet(b *testing.B, members []*member, nonce string, cycle int32) float64 {
	b.Helper()
	w.awaitIdle(b)
	var all sync.WaitGroup
	all.Add(len(members))
	for _, m := range members {
		once := sync.OnceFunc(all.Done)
		m.barrier.Store(new(func() {
			once()
			all.Wait()
		}))
	}
	before := w.memory(b, "VmRSS:")
	must(b, os.WriteFile(w.procFile("clear_refs"), []byte("5"), 0o600)) // the peak starts again
	for _, m := range members {
		must(b, w.again(b.Context(), m.channel, m.name, nonce))
	}
	awaitAll(b, members, "all to be answered", func(c *v1alpha1.DeliveryCycle) bool {
		return c.Number == cycle && c.State != v1alpha1.CycleDelivering
	})
	return (w.memory(b, "VmHWM:") - before) / mib
}

func (w *bench) procFile(name string) string {
	return fmt.Sprintf("/proc/%d/%s", w.Controller.Pid(), name)
}

// memory reads one of the sizes of the controller's process, in bytes.
func (w *bench) memory(b *testing.B, field string) float64 {
	b.Helper()
	return memoryOf(b, w.Controller, field)
}

// memoryOf reads one of the sizes of a process, in bytes.
func memoryOf(b *testing.B, p *process.Process, field string) float64 {
	b.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Pid()))
	must(b, err)
	_, rest, _ := strings.Cut(string(status), field)
	kilobytes, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	must(b, err)
	return kilobytes * 1024
}

func awaitAll(b *testing.B, members []*member, what string, is func(*v1alpha1.DeliveryCycle) bool) {
	b.Helper()
	of := map[channel][]string{}
	for _, m := range members {
		of[m.channel] = append(of[m.channel], m.name)
	}
	for l, names := range of {
		awaitCycles(b, l, names, what, is)
	}
}

// member is one receiver, with one delivery.
type member struct {
	channel    channel
	name       string
	hostile    func(net.Conn)
	misbehaves atomic.Bool
	barrier    atomic.Pointer[func()]
}

func newMember(b *testing.B, l channel, name string, n int) *member {
	b.Helper()
	m := &member{channel: l, name: name, hostile: hostile()[n%len(hostile())]}
	m.barrier.Store(new(func() {}))
	var config net.ListenConfig
	listener, err := config.Listen(b.Context(), "tcp", "127.0.0.1:0")
	must(b, err)
	b.Cleanup(func() { _ = listener.Close() })
	go m.serve(listener)
	must(b, l.target(b.Context(), name, "http://"+listener.Addr().String()+"/hook"))
	must(b, l.create(b.Context(), name, name))
	return m
}

func (m *member) serve(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		go m.answer(conn)
	}
}

// answer reads a request whole before it answers in its way.
func (m *member) answer(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	r, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return
	}
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		return
	}
	(*m.barrier.Load())()
	if m.misbehaves.Load() {
		m.hostile(conn)
		return
	}
	_, _ = io.WriteString(conn, ok+"Content-Length: 2\r\n\r\n{}")
}

const ok = "HTTP/1.1 200 OK\r\n"

// hostile are the ways of answering of receivers that mean ill.
func hostile() []func(net.Conn) {
	zip := "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff" + strings.Repeat("\x00", 4096)
	const chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"
	return []func(net.Conn){
		func(c net.Conn) { forever(c, ok+"Content-Encoding: gzip\r\n\r\n", zip) },
		func(c net.Conn) { forever(c, ok+"\r\n", "x") },
		func(c net.Conn) { forever(c, ok+"\r\n{\"id\":\"", "x") },
		func(c net.Conn) { forever(c, ok+"\r\n", `{"a":[`) },
		func(c net.Conn) { forever(c, ok+"\r\n{", `"a":1,`) },
		func(c net.Conn) { forever(c, chunked, "1\r\nx\r\n") },
		func(c net.Conn) { forever(c, chunked+"0\r\n", "X: x\r\n") },
		func(c net.Conn) { _, _ = io.WriteString(c, ok+"\r\n{\"id\":7,\"url\":\"javascript:alert(1)\"}") },
		func(c net.Conn) {
			_, _ = io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
			_, _ = io.Copy(io.Discard, c) // until the sender hangs up
		},
		func(c net.Conn) { forever(c, "HTTP/1.1 500 \r\n\r\n", "x") },
		func(c net.Conn) { forever(c, ok, "X: "+strings.Repeat("x", 1000)+"\r\n") },
	}
}

// forever writes a text for as long as somebody reads.
func forever(conn net.Conn, first, then string) {
	_, err := io.WriteString(conn, first)
	many := strings.Repeat(then, 1+4096/len(then))
	for err == nil {
		_, err = io.WriteString(conn, many)
	}
}
