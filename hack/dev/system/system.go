// Package system runs the whole of Pressroom for development: a control plane, the controller and the facade with the rights that they have
// in a cluster, the demonstration receiver, and the samples.
package system

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pressroom-dev/pressroom/hack/dev/cluster"
	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/process"
	"github.com/pressroom-dev/pressroom/hack/dev/receiver"
	"github.com/pressroom-dev/pressroom/internal/credential"
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

// patience bounds each step of the start: they take seconds, except on a busy machine.
const patience = 5 * time.Minute

// Options say what to run.
type Options struct {
	// Root is the folder of the project: config, bin/pressroom and bin/k8s are below it.
	Root string
	// Folder takes data, certificates and logs. Data of an earlier start is used again.
	Folder string
	Ports  ports.Ports
	// Say tells a person how far it is.
	Say func(format string, args ...any)
	// AuditLog is the file in which kube-apiserver records what ServiceAccounts do; nothing is recorded if it is empty.
	AuditLog string
	// ControllerArgs are added to those of `pressroom controller`.
	ControllerArgs []string
	// APIServerEnv is added to the environment of kube-apiserver.
	APIServerEnv []string
	// Cell is the code with which the ids of credentials begin; the default of the programs if it is empty.
	Cell credential.Cell
}

// System is Pressroom running.
type System struct {
	Options

	// Group has the processes.
	Group   *process.Group
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
		s.applyArticles, s.awaitLedger, s.ensureKey, s.writeEnv,
	} {
		limited, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("a step of the start takes longer than %s", patience))
		err := step(limited)
		cancel()
		if err != nil {
			return s, err
		}
	}
	return s, nil
}

// Stop stops the processes in the reverse order of their start, and then the receiver.
func (s *System) Stop() error {
	var err error
	if s.Group != nil {
		err = s.Group.Stop()
	}
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
func (s *System) EnvFile() string { return s.path("env") }

func (s *System) path(elements ...string) string {
	return filepath.Join(append([]string{s.Folder}, elements...)...)
}

// ClusterOptions are those of the control plane.
func (s *System) ClusterOptions() cluster.Options {
	return cluster.Options{
		Root: s.Root, Folder: s.Folder, Ports: s.Ports, Group: s.Group, Say: s.Say, AuditLog: s.AuditLog, APIServerEnv: s.APIServerEnv,
	}
}

func (s *System) startCluster(ctx context.Context) (err error) {
	if s.Group, err = process.NewGroup(); err != nil {
		return err
	}
	_, statErr := os.Stat(s.path("etcd"))
	s.Cluster, err = cluster.Start(ctx, s.ClusterOptions())
	if err != nil && statErr == nil && ctx.Err() == nil {
		return fmt.Errorf("%w\nIf the data of earlier runs is damaged, or another version of Kubernetes wrote it: "+
			"`make clean-data` (or rm -r %s) starts from nothing", err, s.Folder)
	}
	if err != nil {
		return err
	}
	return s.Cluster.StartControllers()
}

// startReceiver starts the demonstration receiver with the secret that the Site of the samples signs with.
func (s *System) startReceiver(ctx context.Context) error {
	secret, err := s.Cluster.Kubectl(ctx, nil, "get", "secret", "-n", Workspace, "acme-webhook",
		"-o", "go-template={{.data.signingSecret | base64decode}}")
	if err != nil {
		return err
	}
	s.receiver, err = receiver.Serve(ctx, s.Ports.Receiver, []byte(secret), s.path("receiver"), s.Say)
	if err == nil {
		s.Say("the receiver is ready on %s", s.ReceiverURL())
	}
	return err
}

// writeEnv writes the addresses and credentials that a person or a script needs, as assignments of a POSIX shell.
func (s *System) writeEnv(context.Context) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Written by `make run`. Use it with: . %s\n", quote(s.EnvFile()))
	for _, variable := range [][2]string{
		{"PRESSROOM_URL", s.APIURL()},
		{"PRESSROOM_APP_URL", s.APIURL()},
		{"PRESSROOM_API_KEY", s.APIKey},
		{"PRESSROOM_WORKSPACE", Workspace},
		{"PRESSROOM_RECEIVER_URL", s.ReceiverURL()},
		{"KUBECONFIG", s.Cluster.Kubeconfig()},
	} {
		fmt.Fprintf(&b, "export %s=%s\n", variable[0], quote(variable[1]))
	}
	if err := os.WriteFile(s.EnvFile(), []byte(b.String()), 0o600); err != nil {
		return fmt.Errorf("writing the shell variables: %w", err)
	}
	return nil
}

func quote(value string) string { return "'" + strings.ReplaceAll(value, "'", `'\''`) + "'" }
