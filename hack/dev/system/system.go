// Package system runs the whole of Pressroom for development: a control plane, the controller and the facade with the rights
// that they have in a cluster, the demonstration receiver, and the samples.
package system

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/pressroom-dev/pressroom/hack/dev/cluster"
	"github.com/pressroom-dev/pressroom/hack/dev/datafolder"
	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/process"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// Namespace is the system namespace.
const Namespace = "pressroom-system"

// Names in config/samples.
const (
	Account   = "acme"
	Workspace = "acme-blog"
	SiteName  = "acme"
)

// Options say what to run.
type Options struct {
	// Root is the folder of the project: config, bin/pressroom and bin/k8s are below it.
	Root string
	// Assets is another folder with a control plane's binaries; may be empty.
	Assets string
	Folder *datafolder.Folder
	// Ports must be allocated.
	Ports ports.Ports
	// Group supervises the processes; System.Stop stops it.
	Group *process.Group
	// Say tells a person how far it is.
	Say func(format string, args ...any)
	// AuditLog is the file in which kube-apiserver records what ServiceAccounts do; nothing is recorded if it is empty.
	AuditLog string
	// ControllerArgs are added to those of `pressroom controller`.
	ControllerArgs []string
}

// System is Pressroom running.
type System struct {
	Options

	Cluster *cluster.Cluster
	// APIKey is a key of the account of the samples.
	APIKey string
	// Controller and APIServer are the processes of Pressroom.
	Controller, APIServer *process.Process

	receiver *http.Server
}

// Start starts everything and returns when it is ready. The System that it returns must be stopped, also after an error.
func Start(ctx context.Context, o Options) (*System, error) {
	s := &System{Options: o}
	for _, step := range []func(context.Context) error{
		s.startCluster, s.install, s.applyCustomer, s.startReceiver, s.StartController, s.startAPIServer,
		s.applyArticles, s.ensureKey, s.writeEnv,
	} {
		if err := step(ctx); err != nil {
			return s, err
		}
	}
	return s, nil
}

// Stop stops the processes in the reverse order of their start, and then the receiver.
func (s *System) Stop() error {
	err := s.Group.Stop()
	if s.receiver != nil {
		err = errors.Join(err, s.receiver.Close())
	}
	return err
}

// APIURL returns the address of the REST API.
func (s *System) APIURL() string { return ports.URL(s.Ports.API) }

// ReceiverURL returns the address of the demonstration receiver.
func (s *System) ReceiverURL() string { return ports.URL(s.Ports.Receiver) }

// SiteUID returns the uid of the site of the samples, as the REST API names it.
func (s *System) SiteUID() string { return identity.UID(identity.KindSite, Workspace, SiteName) }

// KubectlFolder returns the folder of the kubectl that fits the control plane.
func (s *System) KubectlFolder() string { return filepath.Dir(s.Cluster.KubectlPath()) }

// EnvFile returns the file with the shell assignments.
func (s *System) EnvFile() string { return s.Folder.Path("env") }

// NewGroup makes the group for Options.
func NewGroup(folder *datafolder.Folder) *process.Group {
	return process.NewGroup(folder.Path("run"))
}

func (s *System) startCluster(ctx context.Context) error {
	binaries, err := cluster.FindBinaries(s.Assets, filepath.Join(s.Root, "bin", "k8s"))
	if err != nil {
		return err
	}
	minor, err := binaries.MinorVersion(ctx)
	if err != nil {
		return err
	}
	if err := s.Folder.CheckVersion(minor); err != nil {
		return err
	}
	_, statErr := os.Stat(s.Folder.Path("etcd"))
	s.Cluster, err = cluster.Start(ctx, cluster.Options{
		Binaries: binaries, Folder: s.Folder.Path(), Ports: s.Ports, Group: s.Group, Say: s.Say,
		AuditLog: s.AuditLog,
	})
	if err != nil && statErr == nil && ctx.Err() == nil {
		// There was data before, which may be the cause.
		return fmt.Errorf("%w\nIf the data of earlier runs is damaged: `make clean-data` (or rm -r %s) starts from nothing",
			err, s.Folder.Path())
	}
	return err
}

// writeEnv writes the addresses and credentials that a person or a script needs.
func (s *System) writeEnv(context.Context) error {
	return datafolder.WriteEnv(s.EnvFile(), []datafolder.Variable{
		{Name: "PRESSROOM_URL", Value: s.APIURL()},
		{Name: "PRESSROOM_APP_URL", Value: s.APIURL()},
		{Name: keyVariable, Value: s.APIKey},
		{Name: "PRESSROOM_WORKSPACE", Value: Workspace},
		{Name: "PRESSROOM_RECEIVER_URL", Value: s.ReceiverURL()},
		{Name: "KUBECONFIG", Value: s.Cluster.Kubeconfig()},
	})
}

// shortly bounds a step that makes a few requests to kube-apiserver: it takes seconds, except on a busy machine.
const shortly = 5 * time.Minute
