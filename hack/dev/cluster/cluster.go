// Package cluster runs a real control plane on loopback: etcd and kube-apiserver, with data that survives a restart, and the controllers of
// Kubernetes that make sense without nodes. envtest would start the first two in process groups of their own, which outlive a program that
// is killed.
package cluster

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/process"
)

// Options say what to run, and where.
type Options struct {
	// Root is the folder of the project.
	Root string
	// Folder takes data, certificates, logs and kubeconfigs. Data that it holds from an earlier start is used again.
	Folder string
	Ports  ports.Ports
	// Group takes the processes. Stopping it stops the cluster.
	Group *process.Group
	// Say tells a person how far it is.
	Say func(format string, args ...any)
	// AuditLog is the file in which kube-apiserver records what ServiceAccounts do; nothing is recorded if it is empty.
	AuditLog string
	// APIServerEnv is added to the environment of kube-apiserver.
	APIServerEnv []string
}

// Cluster is a control plane.
type Cluster struct {
	// Etcd and APIServer are its processes; nil until they are started.
	Etcd, APIServer *process.Process

	options Options
	kubectl string
	config  *rest.Config
}

// New returns a control plane of which nothing runs yet.
func New(o Options) (*Cluster, error) {
	c := &Cluster{options: o}
	var err error
	if c.kubectl, err = Binary(o.Root, "kubectl"); err != nil {
		return nil, err
	}
	err = c.writeFiles()
	return c, err
}

// Start starts the control plane and returns when it is ready. If that fails, what has been started is left to the group's Stop.
func Start(ctx context.Context, o Options) (*Cluster, error) {
	began := time.Now()
	c, err := New(o)
	if err != nil {
		return nil, err
	}
	for _, start := range []func(context.Context) error{c.StartEtcd, c.StartAPIServer} {
		if err := start(ctx); err != nil {
			return nil, fmt.Errorf("the control plane does not start: %w", err)
		}
	}
	o.Say("etcd and kube-apiserver are ready on %s (%s)", c.URL(), time.Since(began).Round(100*time.Millisecond))
	return c, nil
}

// StartControllers starts kube-controllers: the garbage collector and the controllers of namespaces, default ServiceAccounts and aggregated
// ClusterRoles.
func (c *Cluster) StartControllers() error {
	_, err := c.start("kube-controllers", nil, "--kubeconfig="+c.Kubeconfig())
	return err
}

// Binary returns the path of a program of the control plane: in KUBEBUILDER_ASSETS, if it has it, else in bin/k8s, where
// `make control-plane kube-controllers` installs it.
func Binary(root, name string) (string, error) {
	for _, folder := range []string{os.Getenv("KUBEBUILDER_ASSETS"), filepath.Join(root, "bin", "k8s")} {
		path, err := filepath.Abs(filepath.Join(folder, name))
		if err != nil {
			return "", err
		}
		if info, err := os.Stat(path); folder != "" && err == nil && info.Mode().IsRegular() {
			return path, nil
		}
	}
	return "", fmt.Errorf("there is no %s: `make control-plane kube-controllers` installs it", name)
}

// The files of the control plane in its folder, which is the working directory of etcd and kube-apiserver.
const (
	certificates = "certificates"
	certificate  = "certificates/apiserver.crt"
	// signingKey signs the tokens of ServiceAccounts.
	signingKey  = "certificates/serviceaccounts.key"
	adminTokens = "certificates/tokens.csv"
	auditPolicy = "audit-policy.yaml"
	// etcdSocket is open to those who may enter the folder: its owner. Loopback is shared by all users of a machine. The path is
	// relative, because that of a socket has at most 107 bytes.
	etcdSocket = "etcd.sock"
)

// auditRules record a line for each request of a ServiceAccount when it is answered, without bodies.
const auditRules = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
  userGroups: [system:serviceaccounts]
`

// writeFiles makes the folder, the keys, and the kubeconfig of the administrator, who is a member of system:masters. kube-apiserver makes
// its own certificate. All are made again by New.
func (c *Cluster) writeFiles() error {
	folder := c.path(certificates)
	//nolint:gosec // The owner of a folder needs the right to enter it.
	if err := errors.Join(os.RemoveAll(folder), os.MkdirAll(folder, 0o700), os.Chmod(c.options.Folder, 0o700)); err != nil {
		return fmt.Errorf("making the folder of the certificates: %w", err)
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return fmt.Errorf("making the key of ServiceAccounts: %w", err)
	}
	encoded, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return fmt.Errorf("encoding the key of ServiceAccounts: %w", err)
	}
	token := rand.Text()
	for path, text := range map[string]string{
		signingKey:   string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: encoded})),
		adminTokens:  token + `,admin,admin,system:masters` + "\n",
		auditPolicy:  auditRules,
		"kubeconfig": c.kubeconfig("admin", token),
	} {
		if err := os.WriteFile(c.path(path), []byte(text), 0o600); err != nil {
			return fmt.Errorf("writing a file of the control plane: %w", err)
		}
	}
	return nil
}

// StartEtcd starts etcd, and returns when it is ready. Its own quota of 2 GiB, at which it turns read-only, is soon reached by somebody
// who tries out large numbers.
func (c *Cluster) StartEtcd(ctx context.Context) error {
	const quotaBytes = 8 << 30
	var err error
	c.Etcd, err = c.start("etcd", nil, "--data-dir=etcd",
		"--listen-client-urls=unix://"+etcdSocket, "--advertise-client-urls=unix://"+etcdSocket,
		"--listen-peer-urls=unix://etcd-peer.sock", "--listen-metrics-urls="+ports.URL(c.options.Ports.EtcdHealth),
		"--quota-backend-bytes="+strconv.Itoa(quotaBytes))
	if err != nil {
		return err
	}
	return c.Etcd.AwaitReady(ctx, process.Answers(http.DefaultClient, ports.URL(c.options.Ports.EtcdHealth)+"/health"))
}

// EtcdSocket returns the path of the socket on which etcd serves gRPC, and the same as JSON.
func (c *Cluster) EtcdSocket() string { return c.path(etcdSocket) }

// StartAPIServer starts kube-apiserver on the etcd that runs, and returns when it is ready. After a stop or a kill it starts again with the
// same keys, so that its clients need nothing new.
func (c *Cluster) StartAPIServer(ctx context.Context) error {
	args := []string{
		"--etcd-servers=unix://" + etcdSocket, "--bind-address=127.0.0.1", "--secure-port=" + strconv.Itoa(c.options.Ports.KubeAPIServer),
		"--cert-dir=" + certificates, "--token-auth-file=" + adminTokens, "--authorization-mode=RBAC",
		"--service-account-issuer=" + c.URL(), "--service-account-key-file=" + signingKey,
		"--service-account-signing-key-file=" + signingKey,
		"--service-cluster-ip-range=10.0.0.0/24", "--disable-admission-plugins=ServiceAccount",
		// A loopback address must not stand in the endpoints of the Service kubernetes, which nobody here uses.
		"--advertise-address=127.0.0.1", "--endpoint-reconciler-type=none",
	}
	if c.options.AuditLog != "" {
		// The size is in megabytes: a file that is rotated is not read.
		args = append(args, "--audit-policy-file="+auditPolicy, "--audit-log-path="+c.options.AuditLog, "--audit-log-maxsize=4096")
	}
	var err error
	if c.APIServer, err = c.start("kube-apiserver", c.options.APIServerEnv, args...); err != nil {
		return err
	}
	return c.APIServer.AwaitReady(ctx, func(ctx context.Context) error {
		// It cannot be read before kube-apiserver has made its certificate.
		config, err := clientcmd.BuildConfigFromFlags("", c.Kubeconfig())
		if err != nil {
			return err
		}
		// client-go keeps a transport for each file of a certificate, and reads the file again after minutes: a control plane that was made
		// again has another certificate in it.
		if err := rest.LoadTLSFiles(config); err != nil {
			return err
		}
		config.CAFile = ""
		client, err := rest.HTTPClientFor(config)
		if err != nil {
			return err
		}
		config.QPS, config.Burst = 200, 400
		c.config = config
		return process.Answers(client, c.URL()+"/readyz")(ctx)
	})
}

func (c *Cluster) start(name string, env []string, args ...string) (*process.Process, error) {
	path, err := Binary(c.options.Root, name)
	if err != nil {
		return nil, err
	}
	log := c.path("logs", name+".log")
	return c.options.Group.Start(process.Command{Name: name, Path: path, Args: args, Env: env, Dir: c.options.Folder, Log: log})
}

// URL returns the address of kube-apiserver.
func (c *Cluster) URL() string { return "https://" + ports.Address(c.options.Ports.KubeAPIServer) }

func (c *Cluster) path(elements ...string) string {
	return filepath.Join(append([]string{c.options.Folder}, elements...)...)
}
