// Package cluster runs a real control plane on loopback: etcd, kube-apiserver with RBAC, and kube-controller-manager.
package cluster

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/process"
)

// patience is how long a part of the control plane may take to be ready; on an idle machine it is some seconds, on a busy one far more.
const patience = 5 * time.Minute

// Options say what to run, and where.
type Options struct {
	Binaries Binaries
	// Folder takes data, certificates, logs and kubeconfigs. What it holds from an earlier start is used again.
	Folder string
	// Ports must be settled.
	Ports ports.Ports
	// Group starts the processes. Stopping it stops the cluster.
	Group *process.Group
	// Say tells a person how far it is.
	Say func(format string, args ...any)
}

// Cluster is a control plane that runs.
type Cluster struct {
	options   Options
	authority *authority
	config    *rest.Config
	client    *http.Client
}

// Start starts the control plane and returns when it is ready. Where that fails, what has been started is left to the
// group's Stop.
func Start(ctx context.Context, o Options) (*Cluster, error) {
	c := &Cluster{options: o}
	var err error
	if c.authority, err = openAuthority(c.path("certificates"), clock.RealClock{}); err != nil {
		return nil, err
	}
	own, err := c.authority.issue("components", identity{name: "pressroom-dev-components"})
	if err != nil {
		return nil, err
	}
	if c.client, err = newClient(c.authority.certificateFile(), own); err != nil {
		return nil, err
	}
	if err := c.writeAdmin(); err != nil {
		return nil, err
	}
	for _, step := range []func(context.Context, pair) error{c.startEtcd, c.startAPIServer, c.startControllerManager} {
		if err := step(ctx, own); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Kubeconfig returns the administrator's kubeconfig: a member of system:masters.
func (c *Cluster) Kubeconfig() string { return c.path("kubeconfig") }

// Config returns how to reach the API server as the administrator.
func (c *Cluster) Config() *rest.Config { return rest.CopyConfig(c.config) }

// URL returns the address of kube-apiserver.
func (c *Cluster) URL() string { return "https://" + ports.Address(c.options.Ports.KubeAPIServer) }

func (c *Cluster) path(elements ...string) string {
	return filepath.Join(append([]string{c.options.Folder}, elements...)...)
}

func (c *Cluster) log(name string) string { return c.path("logs", name+".log") }

func (c *Cluster) writeAdmin() error {
	admin, err := c.authority.issue("admin", identity{name: "admin", groups: []string{"system:masters"}})
	if err != nil {
		return err
	}
	user, err := certificateUser(admin)
	if err != nil {
		return err
	}
	if err := c.writeKubeconfig(c.Kubeconfig(), user); err != nil {
		return err
	}
	c.config, err = restConfig(c.Kubeconfig())
	return err
}

func (c *Cluster) startEtcd(ctx context.Context, own pair) error {
	return c.start(ctx, c.etcdCommand(own), "https://"+ports.Address(c.options.Ports.Etcd)+"/health", "")
}

func (c *Cluster) startAPIServer(ctx context.Context, own pair) error {
	key, err := c.authority.signingKey()
	if err != nil {
		return err
	}
	// The readiness of kube-apiserver is told to who may ask; the administrator may.
	admin := pair{certificate: c.authority.path("admin.crt"), key: c.authority.path("admin.key")}
	client, err := newClient(c.authority.certificateFile(), admin)
	if err != nil {
		return err
	}
	p, err := c.options.Group.Start(c.apiServerCommand(own, key))
	if err != nil {
		return err
	}
	return c.await(ctx, client, p, c.URL()+"/readyz", " on "+c.URL())
}

func (c *Cluster) startControllerManager(ctx context.Context, own pair) error {
	who, err := c.authority.issue("controller-manager", identity{name: "system:kube-controller-manager"})
	if err != nil {
		return err
	}
	user, err := certificateUser(who)
	if err != nil {
		return err
	}
	kubeconfig := c.path("controller-manager.kubeconfig")
	if err := c.writeKubeconfig(kubeconfig, user); err != nil {
		return err
	}
	health := "https://" + ports.Address(c.options.Ports.ControllerManager) + "/healthz"
	return c.start(ctx, c.controllerManagerCommand(own, kubeconfig), health, "")
}

func (c *Cluster) start(ctx context.Context, command process.Command, health, where string) error {
	p, err := c.options.Group.Start(command)
	if err != nil {
		return err
	}
	return c.await(ctx, c.client, p, health, where)
}

func (c *Cluster) await(ctx context.Context, client *http.Client, p *process.Process, health, where string) error {
	began := time.Now()
	if err := AwaitHealthy(ctx, client, p, health, patience); err != nil {
		return fmt.Errorf("the control plane does not start: %w", err)
	}
	c.options.Say("%s is ready%s (%s)", p.Name(), where, time.Since(began).Round(100*time.Millisecond))
	return nil
}
