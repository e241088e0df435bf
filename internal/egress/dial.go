package egress

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/netip"
	"strings"
	"sync/atomic"
	"syscall"
)

// dialer makes connections to checked addresses. Without a guard it connects anywhere.
type dialer struct {
	guard    *guard
	resolver *net.Resolver
	// proxy makes the connections; nil if this process does.
	proxy *Proxy

	// roots are the authorities trusted in tests; the system's if nil.
	roots *x509.CertPool
	// permitted, in tests, is called with an address that passed the guard, and stops the connection with its error.
	permitted func(netip.AddrPort) error
}

func (d *dialer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	ctx = requestContext(ctx)
	if d.proxy != nil {
		return d.dialThrough(ctx, address)
	}
	var permitted atomic.Bool // some address of the name passed the guard
	nd := net.Dialer{Resolver: d.resolver}
	if d.guard != nil {
		address = d.guard.lookUpAs(address)
		nd.ControlContext = func(_ context.Context, network, address string, conn syscall.RawConn) error {
			return d.control(&permitted, network, address, conn)
		}
	}
	conn, err := nd.DialContext(ctx, network, address)
	if err != nil {
		return nil, dialError(ctx, err, permitted.Load())
	}
	return connected(ctx, conn)
}

type connectedKey struct{}

// WhenConnected returns a context for a request that may be refused late: the client calls a function once it has made a connection for
// the request, before it sends anything, and the request fails with the function's error.
func WhenConnected(ctx context.Context, f func() error) context.Context {
	return context.WithValue(ctx, connectedKey{}, f)
}

// connected returns a connection, unless the request is refused now.
func connected(ctx context.Context, conn net.Conn) (net.Conn, error) {
	if f, ok := ctx.Value(connectedKey{}).(func() error); ok {
		if err := f(); err != nil {
			return nil, errors.Join(err, conn.Close())
		}
	}
	return conn, nil
}

func (d *dialer) control(permitted *atomic.Bool, network, address string, conn syscall.RawConn) error {
	if err := d.guard.control(network, address, conn); err != nil {
		return err
	}
	permitted.Store(true)
	if d.permitted == nil {
		return nil
	}
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	return d.permitted(to)
}

// dialError explains why there is no connection. ErrBlocked is final for the caller, so it is returned only if every address was
// blocked: a public address of the name may answer at the next attempt.
func dialError(ctx context.Context, err error, permitted bool) error {
	switch {
	case ctx.Err() != nil:
		return explain(ctx.Err())
	case !errors.Is(err, ErrBlocked):
		return explain(err)
	case permitted:
		return &failure{text: textConnection, class: Connection}
	}
	return blocked(reasonNotPublic)
}

// dialTLS does the handshake itself, under the request's own deadline. The transport would do it detached from the request, and a peer
// that stalls the handshake would hold it longer than the request lasts.
func (d *dialer) dialTLS(ctx context.Context, network, address string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, explain(err)
	}
	raw, err := d.dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	conn := tls.Client(raw, &tls.Config{
		MinVersion: tls.VersionTLS12,
		NextProtos: []string{"http/1.1"},
		RootCAs:    d.roots,
		ServerName: host,
	})
	if err := conn.HandshakeContext(requestContext(ctx)); err != nil {
		err = errors.Join(err, raw.Close())
		if f := explain(err); f.class == TLS {
			return nil, f
		}
		return nil, &failure{text: textTLS, class: TLS, cause: err}
	}
	return connected(requestContext(ctx), conn)
}

// lookUpAs ends a name with a dot, so that the resolver does not use the search list: a pod's would turn a customer's "api.acme" into
// the service api in the namespace acme. The TLS server name and the Host header stay as they were. Names without a dot are allowed for
// development only, and get none: the hosts file lists them without one (localhost).
func (g *guard) lookUpAs(address string) string {
	host, port, err := net.SplitHostPort(address)
	if err != nil || strings.HasSuffix(host, ".") || (g.development() && !strings.Contains(host, ".")) {
		return address
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return address
	}
	return net.JoinHostPort(host+".", port)
}
