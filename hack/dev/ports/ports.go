// Package ports chooses the loopback ports of a development system, and names those that are taken.
package ports

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
)

// Ports are the loopback ports of a development system, in one range.
type Ports struct {
	API, ControllerHealth, APIMetrics, APIHealth, ControllerMetrics, KubeAPIServer, WordPress, EtcdHealth, Receiver int
}

// Default is the first port of `make run`.
const Default = 8080

// size is the length of a range.
const size = 10

// From returns the ports from first on.
func From(first int) Ports {
	return Ports{
		API: first, ControllerHealth: first + 1, APIMetrics: first + 2, APIHealth: first + 3, ControllerMetrics: first + 4,
		KubeAPIServer: first + 5, WordPress: first + 6, EtcdHealth: first + 7, Receiver: first + 8,
	}
}

// Check returns an error that names every port that is taken. Another process can still take one before it is used; the program that is to
// listen on it then says so.
func (p Ports) Check(ctx context.Context) error {
	var problems []error
	for _, use := range []struct {
		port int
		name string
	}{
		{p.API, "the REST API"},
		{p.ControllerHealth, "the controller's health"},
		{p.APIMetrics, "the REST API's metrics"},
		{p.APIHealth, "the REST API's health"},
		{p.ControllerMetrics, "the controller's metrics"},
		{p.KubeAPIServer, "kube-apiserver"},
		{p.EtcdHealth, "etcd's health"},
		{p.Receiver, "the demonstration receiver"},
	} {
		l, err := listen(ctx, use.port)
		if err != nil {
			problems = append(problems, fmt.Errorf("port %d, for %s, is not free: %w", use.port, use.name, err))
			continue
		}
		l.Close()
	}
	return errors.Join(problems...)
}

// Free returns free ports, which no other process gets from Free before this one ends. They are below those that the system hands out for
// port 0: these begin at 32768 or above (RFC 6335, section 6, and Linux's ip_local_port_range).
func Free(ctx context.Context) (Ports, error) {
	const lowest, end, tries = 20000, 32760, 100
	var errs []error
	for range tries {
		first := lowest + size*rand.IntN((end-lowest)/size) //nolint:gosec // a port is no secret
		// The listener on the last port of the range reserves it until this process ends.
		reservation, err := listen(ctx, first+size-1)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if err = From(first).Check(ctx); err == nil {
			reserved.Store(first, reservation)
			return From(first), nil
		}
		errs = append(errs, err, reservation.Close())
	}
	return Ports{}, errors.Join(errs...)
}

// reserved has the listeners of Free: one that nothing refers to is closed.
var reserved sync.Map

func listen(ctx context.Context, port int) (net.Listener, error) {
	var config net.ListenConfig
	return config.Listen(ctx, "tcp", Address(port))
}

// Address returns host and port on the loopback interface.
func Address(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

// URL returns the http address of a loopback port.
func URL(port int) string { return "http://" + Address(port) }
