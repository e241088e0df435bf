package egress

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"testing"
)

// refusing returns an address that refuses connections: a socket holds the port and does not listen.
func refusing(t *testing.T) string {
	t.Helper()
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Close(socket) })
	if err := syscall.Bind(socket, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	name, err := syscall.Getsockname(socket)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("127.0.0.1:%d", name.(*syscall.SockaddrInet4).Port)
}

func TestErrorsTellNoAddresses(t *testing.T) {
	plain := serve(t, func(http.ResponseWriter, *http.Request) {})
	tests := map[string]struct {
		url, want string
		wantClass Class
	}{
		"refused":        {"http://" + refusing(t), "the connection was refused", Connection},
		"closed":         {serveRaw(t, func(net.Conn) {}), "", ""}, // it depends on who is first
		"garbage":        {serveRaw(t, func(c net.Conn) { _, _ = io.WriteString(c, "SSH-2.0-OpenSSH_9.9\r\n\r\n") }), textAnswer, InvalidAnswer},
		"plain as https": {strings.Replace(plain.URL, "http", "https", 1), "the other side does not speak TLS", TLS},
		"reset in the body": {serveRaw(t, func(c net.Conn) {
			_, _ = c.Read(make([]byte, 4096))
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
			_ = c.(*net.TCPConn).SetLinger(0)
		}), "the connection was reset", Connection},
		"cut off": {serveRaw(t, func(c net.Conn) {
			_, _ = c.Read(make([]byte, 4096)) // closing with the request unread would be a reset
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
		}), "the connection was closed before the answer was complete", Connection},
	}
	for name, tt := range tests {
		u, err := url.Parse(tt.url)
		if err != nil {
			t.Fatal(err)
		}
		s := newNameServer(t, always("127.0.0.1"))
		c := newClient(newGuard(loopback), 0, &dialer{resolver: s.resolver()})
		_, _, err = fetch(t, c, u.Scheme+"://receiver.example.com:"+u.Port()+"/?token=s3cret")
		if err == nil || strings.Contains(err.Error(), "127.0.0.1") {
			t.Errorf("%s: %v, want an error without the address", name, err)
		}
		got := Describe(err)
		if (tt.want != "" && got != tt.want) || got == "" || strings.Contains(got, "s3cret") || strings.ContainsAny(got, "\n\r") {
			t.Errorf("%s: described as %q, want %q", name, got, tt.want)
		}
		if class := Classify(err); class == "" || (tt.wantClass != "" && class != tt.wantClass) {
			t.Errorf("%s: of the class %s, want %s", name, class, tt.wantClass)
		}
	}
}

func TestFailedLookUpsAreDescribed(t *testing.T) {
	c, _ := publicClient(Policy{}, newNameServer(t, always()))
	if err := get(t, c, "http://gone.example.com/"); Describe(err) != "the host's name does not exist" || Classify(err) != NameLookup {
		t.Errorf("described as %q", Describe(err))
	}
	broken := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, errors.New("no name server")
	}}
	c = newClient(newGuard(Policy{}), 0, &dialer{resolver: broken})
	if err := get(t, c, "http://a.example.com/"); Describe(err) != "the host's name could not be looked up" || Classify(err) != NameLookup {
		t.Errorf("described as %q", Describe(err))
	}
}
