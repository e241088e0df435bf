package system

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/process"
)

// loopbackWarning names what makes a development system unfit for anything else.
const loopbackWarning = `
!! DEVELOPMENT ONLY: the controller and the facade run with --allow-cidr 127.0.0.0/8 and ::1/128, so that they reach receivers and
!! images on this machine. Those that real people use must never have that flag: anyone who writes a Site could reach into your network.
`

// allowLoopback are the flags of both programs that let them reach this machine.
var allowLoopback = []string{"--allow-cidr=127.0.0.0/8", "--allow-cidr=::1/128"}

// Binary returns the path of bin/pressroom.
func (s *System) Binary() string { return filepath.Join(s.Root, "bin", "pressroom") }

// StartController starts `pressroom controller` with the token of its own ServiceAccount. In a cluster a lease elects one of several; here
// there is one, and nobody waits for the lease of a killed one.
func (s *System) StartController(ctx context.Context) error {
	var err error
	s.Controller, err = s.StartControllerAt(ctx, "pressroom-controller", s.Ports)
	return err
}

// StartControllerAt starts a `pressroom controller` on the ports of a controller. The name is that of its process and log. Of several, one
// works if ControllerArgs have --leader-elect.
func (s *System) StartControllerAt(ctx context.Context, name string, at ports.Ports) (*process.Process, error) {
	// The controller may take 40 s to finish the calls in progress, and some seconds to stop.
	const drain = 50 * time.Second
	s.Say("%s", loopbackWarning)
	args := slices.Concat([]string{
		"controller", "--metrics-bind-address=" + ports.Address(at.ControllerMetrics),
		"--health-probe-bind-address=" + ports.Address(at.ControllerHealth),
		"--leader-elect=false",
	}, allowLoopback)
	return s.start(ctx, name, "pressroom-controller", at.ControllerHealth, drain, append(args, s.ControllerArgs...))
}

func (s *System) startAPIServer(ctx context.Context) error {
	var err error
	s.APIServer, err = s.StartReplica(ctx, "pressroom-apiserver", s.Ports)
	return err
}

// StartReplica starts a `pressroom apiserver` with the token of its own ServiceAccount, on the ports of a facade. The name is that of its
// process and log.
func (s *System) StartReplica(ctx context.Context, name string, at ports.Ports) (*process.Process, error) {
	keys, err := s.sessionKeys()
	if err != nil {
		return nil, err
	}
	return s.start(ctx, name, "pressroom-apiserver", at.APIHealth, 0, append([]string{
		"apiserver", "--bind-address=" + ports.Address(at.API), "--metrics-bind-address=" + ports.Address(at.APIMetrics),
		"--health-probe-bind-address=" + ports.Address(at.APIHealth), "--base-url=" + s.APIURL(), "--session-key-file=" + keys,
		"--cell=" + s.Cell.String(),
	}, allowLoopback...))
}

// start starts a program with the token of a ServiceAccount, and waits until it is ready.
func (s *System) start(
	ctx context.Context, name, account string, healthPort int, grace time.Duration, args []string,
) (*process.Process, error) {
	if _, err := os.Stat(s.Binary()); err != nil {
		return nil, fmt.Errorf("there is no %s: `make build` builds it", s.Binary())
	}
	began := time.Now()
	kubeconfig, err := s.Cluster.ServiceAccountKubeconfig(ctx, Namespace, account)
	if err != nil {
		return nil, err
	}
	p, err := s.Group.Start(process.Command{
		Name: name, Path: s.Binary(), Args: append(args, "--kubeconfig="+kubeconfig, "--system-namespace="+Namespace),
		Log: s.path("logs", name+".log"), Grace: grace,
	})
	if err != nil {
		return nil, err
	}
	if err := p.AwaitReady(ctx, process.Answers(http.DefaultClient, ports.URL(healthPort)+"/readyz")); err != nil {
		return nil, err
	}
	s.Say("%s is ready (%s)", name, since(began))
	return p, nil
}

// pressroom runs a command of bin/pressroom and returns what it prints.
func (s *System) pressroom(ctx context.Context, args ...string) (string, error) {
	var out, problem bytes.Buffer
	cmd := exec.CommandContext(ctx, s.Binary(), args...)
	cmd.Stdout, cmd.Stderr = &out, &problem
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("pressroom %s: %w: %s", strings.Join(args[:2], " "), err, strings.TrimSpace(problem.String()))
	}
	return out.String(), nil
}
