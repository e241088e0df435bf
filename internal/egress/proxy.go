package egress

import (
	"bufio"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Proxy is an HTTP proxy that makes the connections of a client: it is asked to CONNECT, and sees no request over TLS. Names are looked up
// here, and it gets only addresses that may be reached.
type Proxy struct {
	// ResolvesNames leaves the look-up of names to the proxy, for networks that cannot look public names up. The proxy alone then keeps
	// names from leading to private addresses and to Policy.DenyCIDRs. Names and addresses in URLs are checked as always.
	ResolvesNames bool

	address       string
	authorization string
}

// ParseProxy reads the address of a proxy, such as http://proxy.example.com:3128, which may have a user and a password.
func ParseProxy(raw string) (*Proxy, error) {
	// The parser's own text repeats the address, which may hold a password.
	invalid := errors.New("must be an address such as http://proxy.example.com:3128")
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "http" || u.Hostname() == "" || u.Port() == "" || strings.Trim(u.Path, "/") != "" ||
		u.RawQuery != "" || u.Fragment != "" {
		return nil, invalid
	}
	p := &Proxy{address: u.Host}
	if u.User != nil {
		password, _ := u.User.Password()
		p.authorization = "Basic " + base64.StdEncoding.EncodeToString([]byte(u.User.Username()+":"+password))
	}
	return p, nil
}

// maxTargets bounds how many addresses of a name the proxy is asked for.
const maxTargets = 4

// dialThrough has the proxy connect to an address.
func (d *dialer) dialThrough(ctx context.Context, address string) (net.Conn, error) {
	targets, err := d.targets(ctx, address)
	if err != nil {
		return nil, err
	}
	for _, target := range targets {
		var conn net.Conn
		if conn, err = d.proxy.connect(ctx, target); err == nil {
			return connected(ctx, conn)
		}
	}
	return nil, err
}

// targets returns what the proxy may be asked for: the addresses behind a name that may be reached, or the name itself if the proxy
// resolves names.
func (d *dialer) targets(ctx context.Context, address string) ([]string, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, explain(err)
	}
	if err := d.guard.checkHost(host); err != nil {
		return nil, err
	}
	if _, err := netip.ParseAddr(host); err == nil || d.proxy.ResolvesNames {
		return []string{address}, nil
	}
	name, _, err := net.SplitHostPort(d.guard.lookUpAs(address))
	if err != nil {
		return nil, explain(err)
	}
	addresses, err := d.resolver.LookupNetIP(ctx, "ip", name)
	if err != nil {
		return nil, explain(err)
	}
	var targets []string
	// Fewer proxies reach IPv6.
	slices.SortStableFunc(addresses, func(a, b netip.Addr) int { return cmp.Compare(a.Unmap().BitLen(), b.Unmap().BitLen()) })
	for _, a := range addresses {
		if a = a.Unmap(); d.guard.check(a) == nil {
			targets = append(targets, net.JoinHostPort(a.String(), port))
		}
	}
	if len(targets) == 0 {
		return nil, blocked(reasonNotPublic)
	}
	return targets[:min(len(targets), maxTargets)], nil
}

// connect asks the proxy for a connection.
func (p *Proxy) connect(ctx context.Context, target string) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", p.address)
	if err != nil {
		if ctx.Err() != nil {
			return nil, explain(ctx.Err())
		}
		return nil, &failure{text: "the proxy cannot be reached", class: Connection, cause: err}
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	err = p.handshake(conn, target)
	if !stop() {
		// The deadline that has ended the handshake is that of the request.
		err = explain(cmp.Or(ctx.Err(), err))
	}
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	return conn, nil
}

// handshake sends the request to the proxy and reads its answer, and nothing after it.
func (p *Proxy) handshake(conn net.Conn, target string) error {
	request := "CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n"
	if p.authorization != "" {
		request += "Proxy-Authorization: " + p.authorization + "\r\n"
	}
	if _, err := io.WriteString(conn, request+"\r\n"); err != nil {
		return explain(err)
	}
	reader := bufio.NewReader(io.LimitReader(conn, maxHeader))
	//nolint:bodyclose // an answer to CONNECT has no body: what follows is the connection
	answer, err := http.ReadResponse(reader, &http.Request{Method: http.MethodConnect})
	if err != nil {
		return &failure{text: "the proxy gave no answer that is valid HTTP", class: Connection, cause: err}
	}
	if answer.StatusCode != http.StatusOK {
		return &failure{text: fmt.Sprintf("the proxy answered %d", answer.StatusCode), class: Connection}
	}
	if reader.Buffered() > 0 {
		return &failure{text: "the proxy sent more than its answer", class: Connection}
	}
	return nil
}
