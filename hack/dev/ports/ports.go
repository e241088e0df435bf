// Package ports chooses the loopback ports of a development system, and names those that are taken.
package ports

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"strconv"
	"strings"
)

// Ports are the loopback ports of a development system.
type Ports struct {
	API               int
	Receiver          int
	KubeAPIServer     int
	Etcd              int
	APIMetrics        int
	APIHealth         int
	ControllerMetrics int
	ControllerHealth  int
}

// Default returns the ports that stay the same from one run to the next.
func Default() Ports {
	return Ports{
		API:               8080,
		Receiver:          8088,
		KubeAPIServer:     6443,
		Etcd:              2379,
		ControllerHealth:  8081,
		APIMetrics:        8082,
		APIHealth:         8083,
		ControllerMetrics: 8084,
	}
}

// entry is one port with its name for people and its environment variable.
type entry struct {
	port     *int
	name     string
	variable string
}

// entries names every port. A variable PRESSROOM_API_PORT belongs to a flag --api-port.
func (p *Ports) entries() []entry {
	return []entry{
		{&p.API, "the REST API", "PRESSROOM_API_PORT"},
		{&p.Receiver, "the demonstration receiver", "PRESSROOM_RECEIVER_PORT"},
		{&p.KubeAPIServer, "kube-apiserver", "PRESSROOM_KUBE_APISERVER_PORT"},
		{&p.Etcd, "etcd", "PRESSROOM_ETCD_PORT"},
		{&p.APIMetrics, "the REST API's metrics", "PRESSROOM_API_METRICS_PORT"},
		{&p.APIHealth, "the REST API's health", "PRESSROOM_API_HEALTH_PORT"},
		{&p.ControllerMetrics, "the controller's metrics", "PRESSROOM_CONTROLLER_METRICS_PORT"},
		{&p.ControllerHealth, "the controller's health", "PRESSROOM_CONTROLLER_HEALTH_PORT"},
	}
}

// FlagSet is the part of pflag.FlagSet that Flags needs.
type FlagSet interface {
	IntVar(p *int, name string, value int, usage string)
}

// Flags declares a flag for every port.
func (p *Ports) Flags(flags FlagSet) {
	for _, e := range p.entries() {
		flags.IntVar(e.port, flagName(e.variable), *e.port, fmt.Sprintf("port of %s; 0 takes any free one (also %s)", e.name, e.variable))
	}
}

func flagName(variable string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(variable, "PRESSROOM_")), "_", "-")
}

// FromEnvironment reads the ports that the environment sets.
func (p *Ports) FromEnvironment(lookup func(string) (string, bool)) error {
	for _, e := range p.entries() {
		value, ok := lookup(e.variable)
		if !ok || value == "" {
			continue
		}
		port, err := strconv.Atoi(value)
		if err != nil || port < 0 || port > 65535 {
			return fmt.Errorf("%s=%q: must be a port, 0 to 65535", e.variable, value)
		}
		*e.port = port
	}
	return nil
}

// Allocate gives every port that is 0 a free one, and returns an error that names every port that is taken, and what to do.
// Another process can still take a port before it is used; whatever listens on it then reports that.
func (p *Ports) Allocate(ctx context.Context) error {
	var held []net.Listener
	defer func() {
		for _, l := range held {
			l.Close()
		}
	}()
	var problems []error
	asked := map[int]entry{}
	for _, e := range p.entries() {
		if other, twice := asked[*e.port]; twice && *e.port != 0 {
			problems = append(problems, fmt.Errorf("port %d is asked for twice, for %s and %s: set %s to another one",
				*e.port, other.name, e.name, e.variable))
			continue
		}
		asked[*e.port] = e
		l, err := listen(ctx, *e.port)
		if err != nil {
			problems = append(problems, fmt.Errorf(
				"port %d, for %s, is not free (%w): stop what listens there, or choose another port, for example %s=%d",
				*e.port, e.name, reason(err), e.variable, alternative(*e.port)))
			continue
		}
		held = append(held, l)
		if tcp, ok := l.Addr().(*net.TCPAddr); ok {
			*e.port = tcp.Port
		}
	}
	return errors.Join(problems...)
}

func listen(ctx context.Context, port int) (net.Listener, error) {
	if port == 0 {
		return Free(ctx)
	}
	var config net.ListenConfig
	return config.Listen(ctx, "tcp", Address(port))
}

// Free listens on a free port below those that the system hands out for port 0, so that it stays free after it is closed: they
// begin at 32768 or above (RFC 6335, section 6, and Linux's ip_local_port_range). No other process gets that port of Free before
// this one ends.
func Free(ctx context.Context) (net.Listener, error) {
	const first, end, tries = 20000, 32768, 100
	var errs []error
	for range tries {
		port := first + rand.IntN(end-first) //nolint:gosec // the port is no secret
		l, err := listenReserved(ctx, port)
		if err == nil || ctx.Err() != nil {
			return l, err
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

func listenReserved(ctx context.Context, port int) (net.Listener, error) {
	if err := reserve(port); err != nil {
		return nil, err
	}
	var config net.ListenConfig
	return config.Listen(ctx, "tcp", Address(port))
}

// reason is the system's error without the address, which the message contains already.
func reason(err error) error {
	if call, ok := errors.AsType[*os.SyscallError](err); ok {
		return call.Err
	}
	return err
}

// alternative suggests another port for one that is taken.
func alternative(port int) int {
	const step = 10000
	if port+step > 65535 {
		return 0
	}
	return port + step
}

// Address returns host and port on the loopback interface.
func Address(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

// URL returns the http address of a loopback port.
func URL(port int) string { return "http://" + Address(port) }
