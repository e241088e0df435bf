package cluster

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strconv"

	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/pressroom-dev/pressroom/hack/dev/ports"
)

// quotaBytes is the size at which etcd turns read-only; its own default of 2 GiB is soon reached by somebody who tries out
// large numbers.
const quotaBytes = 8 << 30

// plane configures envtest to keep its data and to let nobody else into etcd: loopback is shared by all users of a machine.
func (c *Cluster) plane(ctx context.Context) (*envtest.ControlPlane, error) {
	// envtest makes new certificates only if there are none, and knows its own authority only then.
	certificates := c.path("certificates")
	if err := errors.Join(os.RemoveAll(certificates), os.MkdirAll(certificates, 0o700)); err != nil {
		return nil, fmt.Errorf("making the folder of the certificates: %w", err)
	}
	own, err := makePair(certificates)
	if err != nil {
		return nil, err
	}
	etcd, err := c.etcd(ctx, own)
	if err != nil {
		return nil, err
	}
	server := c.apiServer(own, certificates)
	if err := c.audit(server); err != nil {
		return nil, err
	}
	return &envtest.ControlPlane{Etcd: etcd, APIServer: server, KubectlPath: c.options.Binaries.Kubectl}, nil
}

// etcd configures etcd with fsync on, and open to holders of the certificate alone. envtest waits for its health on a port
// that answers nothing else.
func (c *Cluster) etcd(ctx context.Context, own pair) (*envtest.Etcd, error) {
	health, err := ports.Free(ctx)
	if err != nil {
		return nil, fmt.Errorf("finding a port for etcd's health: %w", err)
	}
	defer health.Close()
	healthURL := &url.URL{Scheme: "http", Host: health.Addr().String()}
	e := &envtest.Etcd{URL: healthURL, DataDir: c.path("etcd"), StartTimeout: patience, StopTimeout: patience}
	e.Configure().
		Disable("unsafe-no-fsync").
		Set("listen-metrics-urls", healthURL.String()).
		Set("listen-client-urls", c.etcdURL()).
		Set("advertise-client-urls", c.etcdURL()).
		Set("cert-file", own.certificate).
		Set("key-file", own.key).
		Set("trusted-ca-file", own.certificate).
		Enable("client-cert-auth").
		Set("listen-peer-urls", "https://127.0.0.1:0").
		Set("peer-cert-file", own.certificate).
		Set("peer-key-file", own.key).
		Set("peer-trusted-ca-file", own.certificate).
		Enable("peer-client-cert-auth").
		Set("quota-backend-bytes", strconv.Itoa(quotaBytes))
	return e, nil
}

func (c *Cluster) etcdURL() string { return "https://" + ports.Address(c.options.Ports.Etcd) }

func (c *Cluster) apiServer(own pair, certificates string) *envtest.APIServer {
	s := &envtest.APIServer{CertDir: certificates, StartTimeout: patience, StopTimeout: patience}
	s.SecureServing.Address, s.SecureServing.Port = "127.0.0.1", strconv.Itoa(c.options.Ports.KubeAPIServer)
	s.Configure().
		Set("etcd-servers", c.etcdURL()).
		Set("etcd-cafile", own.certificate).
		Set("etcd-certfile", own.certificate).
		Set("etcd-keyfile", own.key).
		// A loopback address must not stand in the endpoints of the Service kubernetes, which nobody here uses.
		Set("advertise-address", "127.0.0.1").
		Set("endpoint-reconciler-type", "none")
	return s
}
