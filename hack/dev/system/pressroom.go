package system

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/process"
)

// The ServiceAccounts of config/rbac.
const (
	controllerAccount = "pressroom-controller"
	apiServerAccount  = "pressroom-apiserver"
)

const (
	// patience is how long a process of Pressroom may take to be ready.
	patience = 5 * time.Minute
	// drain is how long the controller may take to finish the calls in progress (40 s), and to stop.
	drain = 50 * time.Second
)

// LoopbackWarning names what makes a development system unfit for anything else.
const LoopbackWarning = `
!! DEVELOPMENT ONLY: the controller runs with --allow-cidr 127.0.0.0/8 and ::1/128, so that webhooks reach the receiver on this
!! machine. One that real people use must never have that flag: whoever writes a Site could reach into your network.
`

// Binary returns the path of bin/pressroom.
func (s *System) Binary() string { return filepath.Join(s.Root, "bin", "pressroom") }

// StartController starts `pressroom controller` with the token of its own ServiceAccount. In a cluster a lease elects one of
// several; here the lock on the data folder ensures that there is one, and nobody waits for the lease of a killed one.
func (s *System) StartController(ctx context.Context) error {
	s.Say("%s", LoopbackWarning)
	args := append([]string{
		"--metrics-bind-address=" + ports.Address(s.Ports.ControllerMetrics),
		"--health-probe-bind-address=" + ports.Address(s.Ports.ControllerHealth),
		"--allow-cidr=127.0.0.0/8",
		"--allow-cidr=::1/128",
		"--leader-elect=false",
	}, s.ControllerArgs...)
	var err error
	s.Controller, err = s.startPressroom(ctx, "pressroom-controller", controllerAccount, s.Ports.ControllerHealth, drain,
		append([]string{"controller"}, args...))
	return err
}

func (s *System) startAPIServer(ctx context.Context) error {
	var err error
	s.APIServer, err = s.StartReplica(ctx, "pressroom-apiserver", s.Ports)
	return err
}

// StartReplica starts a `pressroom apiserver` with the token of its own ServiceAccount, on the ports of a facade. The name is
// that of its process and log.
func (s *System) StartReplica(ctx context.Context, name string, at ports.Ports) (*process.Process, error) {
	keys, err := s.sessionKeys()
	if err != nil {
		return nil, err
	}
	return s.startPressroom(ctx, name, apiServerAccount, at.APIHealth, process.DefaultGrace, []string{
		"apiserver",
		"--bind-address=" + ports.Address(at.API),
		"--metrics-bind-address=" + ports.Address(at.APIMetrics),
		"--health-probe-bind-address=" + ports.Address(at.APIHealth),
		"--base-url=" + s.APIURL(),
		"--session-key-file=" + keys,
	})
}

// sessionKeys returns the file with the key that seals sessions. It is made once, so that nobody is signed out by a restart.
func (s *System) sessionKeys() (string, error) {
	file := s.Folder.Path("session-keys")
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		return file, err
	}
	key, err := seal.NewKey()
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(file, []byte(key+"\n"), 0o600); err != nil {
		return "", fmt.Errorf("writing the session keys: %w", err)
	}
	return file, nil
}

func (s *System) startPressroom(
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
		Name:  name,
		Path:  s.Binary(),
		Args:  append(args, "--kubeconfig="+kubeconfig, "--system-namespace="+Namespace),
		Log:   s.Folder.Path("logs", name+".log"),
		Grace: grace,
	})
	if err != nil {
		return nil, err
	}
	if err := p.AwaitReady(ctx, ports.URL(healthPort)+"/readyz", patience); err != nil {
		return nil, err
	}
	s.Say("%s is ready (%s)", name, since(began))
	return p, nil
}
