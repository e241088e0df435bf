// Package cluster runs a real control plane on loopback: etcd and kube-apiserver as envtest starts them, with data that is
// kept, and the controllers of Kubernetes that make sense without nodes.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/process"
)

// patience is how long a part of the control plane may take to be ready; on an idle machine it is some seconds, on a busy one far more.
const patience = 5 * time.Minute

// Options say what to run, and where.
type Options struct {
	Binaries Binaries
	// Folder takes data, certificates, logs and kubeconfigs. Data that it holds from an earlier start is used again.
	Folder string
	// Ports must be allocated.
	Ports ports.Ports
	// Group supervises the processes. Stopping it stops the cluster.
	Group *process.Group
	// Say tells a person how far it is.
	Say func(format string, args ...any)
	// AuditLog is the file in which kube-apiserver records what ServiceAccounts do; nothing is recorded if it is empty.
	AuditLog string
}

// Cluster is a control plane that runs.
type Cluster struct {
	options Options
	config  *rest.Config
}

// Start starts the control plane and returns when it is ready. If that fails, what has been started is left to the group's
// Stop.
func Start(ctx context.Context, o Options) (*Cluster, error) {
	c := &Cluster{options: o}
	began := time.Now()
	plane, err := c.startPlane(ctx)
	if err != nil {
		return nil, fmt.Errorf("the control plane does not start: %w", err)
	}
	if err := c.writeAdmin(plane); err != nil {
		return nil, err
	}
	o.Say("etcd and kube-apiserver are ready on %s (%s)", c.URL(), time.Since(began).Round(100*time.Millisecond))
	_, err = o.Group.Start(process.Command{
		Name: "kube-controllers", Path: o.Binaries.Controllers, Args: []string{"--kubeconfig=" + c.Kubeconfig()},
		Log: c.log("kube-controllers"),
	})
	return c, err
}

// startPlane has envtest start etcd and kube-apiserver, and takes both into the group.
func (c *Cluster) startPlane(ctx context.Context) (*envtest.ControlPlane, error) {
	etcd := process.Command{Name: "etcd", Path: c.options.Binaries.Etcd, Log: c.log("etcd")}
	server := process.Command{Name: "kube-apiserver", Path: c.options.Binaries.APIServer, Log: c.log("kube-apiserver")}
	plane, err := c.plane(ctx)
	if err != nil {
		return nil, err
	}
	etcdLog, err := c.launch(etcd, &plane.Etcd.Path)
	if err != nil {
		return nil, err
	}
	defer etcdLog.Close()
	serverLog, err := c.launch(server, &plane.APIServer.Path)
	if err != nil {
		return nil, err
	}
	defer serverLog.Close()
	plane.Etcd.Out, plane.Etcd.Err = etcdLog, etcdLog
	plane.APIServer.Out, plane.APIServer.Err = serverLog, serverLog
	err = c.run(ctx, plane)
	switch {
	case ctx.Err() != nil:
		return nil, errors.Join(context.Cause(ctx), err)
	case err != nil:
		return nil, c.explain(err, server, etcd)
	}
	for _, command := range []process.Command{etcd, server} {
		if _, err := c.options.Group.Adopt(command); err != nil {
			return nil, err
		}
	}
	return plane, nil
}

// launch sets the path by which envtest starts a program to one that the group's guard knows, and opens the program's log.
func (c *Cluster) launch(command process.Command, path *string) (*os.File, error) {
	var err error
	if *path, err = c.options.Group.Launcher(command.Name, command.Path); err != nil {
		return nil, err
	}
	return command.OpenLog()
}

// run waits until envtest has started the control plane, and kills it if ctx ends before.
func (c *Cluster) run(ctx context.Context, plane *envtest.ControlPlane) error {
	started := make(chan error, 1)
	go func() { started <- plane.Start() }()
	select {
	case err := <-started:
		return err
	case <-ctx.Done():
		// envtest takes no context, and returns once its process has ended.
		killed := c.options.Group.KillAll()
		return errors.Join(killed, <-started)
	}
}

// explain says what the process that was started last has logged.
func (c *Cluster) explain(err error, commands ...process.Command) error {
	for _, command := range commands {
		p, adoptErr := c.options.Group.Adopt(command)
		switch {
		case adoptErr != nil:
			continue
		case p.Ended():
			<-p.Done()
			return p.Err()
		default:
			return fmt.Errorf("%w; %s", err, p.LogEnd())
		}
	}
	return err
}

// Kubeconfig returns the administrator's kubeconfig: a member of system:masters.
func (c *Cluster) Kubeconfig() string { return c.path("kubeconfig") }

// Config returns how to reach kube-apiserver as the administrator.
func (c *Cluster) Config() *rest.Config { return rest.CopyConfig(c.config) }

// URL returns the address of kube-apiserver.
func (c *Cluster) URL() string { return "https://" + ports.Address(c.options.Ports.KubeAPIServer) }

// writeAdmin makes the administrator and writes their kubeconfig.
func (c *Cluster) writeAdmin(plane *envtest.ControlPlane) error {
	const qps, burst = 200, 400
	admin, err := plane.AddUser(envtest.User{Name: "admin", Groups: []string{"system:masters"}}, &rest.Config{QPS: qps, Burst: burst})
	if err != nil {
		return fmt.Errorf("making the administrator: %w", err)
	}
	c.config = admin.Config()
	kubeconfig, err := admin.KubeConfig()
	if err == nil {
		err = os.WriteFile(c.Kubeconfig(), kubeconfig, 0o600)
	}
	if err != nil {
		return fmt.Errorf("writing the administrator's kubeconfig: %w", err)
	}
	return nil
}

func (c *Cluster) path(elements ...string) string {
	return filepath.Join(append([]string{c.options.Folder}, elements...)...)
}

func (c *Cluster) log(name string) string { return c.path("logs", name+".log") }
