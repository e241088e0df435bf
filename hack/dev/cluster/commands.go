package cluster

import (
	"fmt"
	"strings"

	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/process"
)

// quotaBytes is where etcd turns read-only; its own default of 2 GiB is soon full where somebody tries out large numbers.
const quotaBytes = 8 << 30

// controllers are the few parts of kube-controller-manager that make sense without nodes: garbage collection, deleted
// namespaces, ServiceAccounts, aggregated ClusterRoles, and the type check of admission policies.
var controllers = []string{
	"clusterrole-aggregation-controller",
	"garbage-collector-controller",
	"namespace-controller",
	"resourcequota-controller",
	"root-ca-certificate-publisher-controller",
	"serviceaccount-controller",
	"validatingadmissionpolicy-status-controller",
}

// etcdCommand runs etcd with fsync on, open to holders of a certificate alone: loopback is shared by all users of a machine.
func (c *Cluster) etcdCommand(tls pair) process.Command {
	url := "https://" + ports.Address(c.options.Ports.Etcd)
	// A single member has no peers; the port below is only a name, in the data since its first start.
	const peer = "https://127.0.0.1:2380"
	return process.Command{
		Name: "etcd",
		Path: c.options.Binaries.Etcd,
		Args: []string{
			"--name=default",
			"--data-dir=" + c.path("etcd"),
			"--listen-client-urls=" + url,
			"--advertise-client-urls=" + url,
			"--listen-peer-urls=https://127.0.0.1:0",
			"--initial-advertise-peer-urls=" + peer,
			"--initial-cluster=default=" + peer,
			"--cert-file=" + tls.certificate,
			"--key-file=" + tls.key,
			"--trusted-ca-file=" + c.authority.certificateFile(),
			"--client-cert-auth",
			"--peer-cert-file=" + tls.certificate,
			"--peer-key-file=" + tls.key,
			"--peer-trusted-ca-file=" + c.authority.certificateFile(),
			"--peer-client-cert-auth",
			fmt.Sprintf("--quota-backend-bytes=%d", quotaBytes),
		},
		Log: c.log("etcd"),
	}
}

func (c *Cluster) apiServerCommand(tls pair, signingKey string) process.Command {
	return process.Command{
		Name: "kube-apiserver",
		Path: c.options.Binaries.APIServer,
		Args: []string{
			"--bind-address=127.0.0.1",
			fmt.Sprintf("--secure-port=%d", c.options.Ports.KubeAPIServer),
			"--etcd-servers=https://" + ports.Address(c.options.Ports.Etcd),
			"--etcd-cafile=" + c.authority.certificateFile(),
			"--etcd-certfile=" + tls.certificate,
			"--etcd-keyfile=" + tls.key,
			"--tls-cert-file=" + tls.certificate,
			"--tls-private-key-file=" + tls.key,
			"--client-ca-file=" + c.authority.certificateFile(),
			"--authorization-mode=RBAC",
			"--anonymous-auth=false",
			"--service-account-issuer=https://kubernetes.default.svc",
			"--service-account-key-file=" + signingKey,
			"--service-account-signing-key-file=" + signingKey,
			"--service-cluster-ip-range=10.0.0.0/24",
			// A loopback address may not stand in the endpoints of the service kubernetes, and nobody here uses it.
			"--advertise-address=127.0.0.1",
			"--endpoint-reconciler-type=none",
			"--profiling=false",
		},
		Log: c.log("kube-apiserver"),
	}
}

func (c *Cluster) controllerManagerCommand(tls pair, kubeconfig string) process.Command {
	return process.Command{
		Name: "kube-controller-manager",
		Path: c.options.Binaries.ControllerManager,
		Args: []string{
			"--kubeconfig=" + kubeconfig,
			"--bind-address=127.0.0.1",
			fmt.Sprintf("--secure-port=%d", c.options.Ports.ControllerManager),
			"--tls-cert-file=" + tls.certificate,
			"--tls-private-key-file=" + tls.key,
			"--authentication-skip-lookup",
			"--controllers=" + strings.Join(controllers, ","),
			"--use-service-account-credentials",
			"--root-ca-file=" + c.authority.certificateFile(),
			"--leader-elect=false",
			"--profiling=false",
		},
		Log: c.log("kube-controller-manager"),
	}
}
