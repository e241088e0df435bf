// Package testenv starts a real etcd and kube-apiserver for a test suite, with the project's CRDs and admission policies
// installed. Only tests import it.
package testenv

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	kuberuntime "k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/internalv1alpha1"
	"github.com/pressroom-dev/pressroom/test/project"
)

// Cluster is a control plane for one suite. Its Config is a member of system:masters.
type Cluster struct {
	*envtest.Environment
	// Client reads and writes without a cache, with the kinds of Kubernetes and of Pressroom in its Scheme.
	Client client.WithWatch
}

// Start starts a control plane, which stops when the suite is over, and creates namespaces in it. The binaries are those of
// KUBEBUILDER_ASSETS, if that is set, else of bin/k8s, the folder of `make control-plane`.
func Start(namespaces ...string) *Cluster {
	GinkgoHelper()
	env, err := startEnvironment()
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(env.Stop)
	cluster := &Cluster{Environment: env}
	Expect(cluster.prepare(namespaces)).To(Succeed())
	return cluster
}

// StartWithCRDs starts a control plane with these CRDs instead of the project's, for tests that are not of Ginkgo. Its caller stops it.
func StartWithCRDs(crds []*apiextensionsv1.CustomResourceDefinition, namespaces ...string) (*Cluster, error) {
	env, err := startEnvironment(crds...)
	if err != nil {
		return nil, err
	}
	cluster := &Cluster{Environment: env}
	if err := cluster.prepare(namespaces); err != nil {
		return nil, errors.Join(err, env.Stop())
	}
	return cluster, nil
}

func (c *Cluster) prepare(namespaces []string) error {
	if err := installPolicies(c.Config, filepath.Join(project.Root(), "config", "policy")); err != nil {
		return err
	}
	scheme := kuberuntime.NewScheme()
	err := errors.Join(clientgoscheme.AddToScheme(scheme), v1alpha1.AddToScheme(scheme), internalv1alpha1.AddToScheme(scheme))
	if err != nil {
		return fmt.Errorf("making the scheme: %w", err)
	}
	if c.Client, err = client.NewWithWatch(c.Config, client.Options{Scheme: scheme}); err != nil {
		return fmt.Errorf("making a client: %w", err)
	}
	for _, name := range namespaces {
		namespace := &corev1.Namespace{}
		namespace.Name = name
		if err := c.Client.Create(context.Background(), namespace); err != nil {
			return fmt.Errorf("creating namespace %s: %w", name, err)
		}
	}
	return nil
}

func startEnvironment(crds ...*apiextensionsv1.CustomResourceDefinition) (*envtest.Environment, error) {
	root := project.Root()
	assets := os.Getenv("KUBEBUILDER_ASSETS")
	if assets == "" {
		assets = filepath.Join(root, "bin", "k8s")
	}
	if _, err := os.Stat(filepath.Join(assets, "kube-apiserver")); err != nil {
		return nil, fmt.Errorf("no kube-apiserver in %s: run `make control-plane`, or set KUBEBUILDER_ASSETS: %w", assets, err)
	}
	env := &envtest.Environment{
		BinaryAssetsDirectory: assets,
		CRDDirectoryPaths:     []string{filepath.Join(root, "config", "crd", "bases")},
		ErrorIfCRDPathMissing: true,
		// The suites do not depend on the speed of the machine.
		ControlPlaneStartTimeout: 5 * time.Minute,
		ControlPlaneStopTimeout:  5 * time.Minute,
		CRDInstallOptions:        envtest.CRDInstallOptions{MaxTime: 5 * time.Minute},
	}
	if len(crds) > 0 {
		env.CRDs, env.CRDDirectoryPaths = crds, nil
	}
	// A suite may read the history of an object, however long it takes.
	env.ControlPlane.GetAPIServer().Configure().Set("etcd-compaction-interval", "0")
	// A machine that stands still for a minute fails no test.
	env.ControlPlane.GetAPIServer().Configure().Set("request-timeout", "10m")
	tokens, err := writeTokens()
	if err != nil {
		return nil, fmt.Errorf("writing the token of the suite: %w", err)
	}
	defer func() { _ = os.Remove(tokens) }()
	env.ControlPlane.GetAPIServer().Configure().Set("token-auth-file", tokens)
	config, err := startWith(env, "GOGC", "200")
	if err != nil {
		// The last step may have failed, when the processes run already.
		return nil, errors.Join(fmt.Errorf("starting the control plane: %w", err), env.Stop())
	}
	config.CertData, config.KeyData, config.BearerToken = nil, nil, token
	config.QPS, config.Burst = 1000, 2000
	return env, nil
}

// token is that of the suite's configuration. kube-apiserver verifies a client certificate for each request, which takes a fifth
// of its CPU time.
const token = "suite"

func writeTokens() (string, error) {
	file, err := os.CreateTemp("", "tokens-*.csv")
	if err != nil {
		return "", err
	}
	_, err = fmt.Fprintf(file, "%s,suite,suite,system:masters\n", token)
	return file.Name(), errors.Join(err, file.Close())
}

// startWith starts a control plane with a variable in its environment, unless the variable is set. With a GOGC of 200, kube-apiserver and
// etcd take a tenth less CPU time.
func startWith(env *envtest.Environment, variable, value string) (*rest.Config, error) {
	if os.Getenv(variable) == "" {
		if err := os.Setenv(variable, value); err != nil {
			return nil, err
		}
		defer func() { _ = os.Unsetenv(variable) }()
	}
	return env.Start()
}
