// Package testenv starts a real etcd and kube-apiserver for a test suite, with the project's CRDs and admission policies
// installed. Only tests import it.
package testenv

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// Start starts the control plane and returns how to reach it as a member of system:masters, and how to stop it. The
// binaries are those of KUBEBUILDER_ASSETS, where that is set, else bin/k8s, which `make control-plane` builds.
func Start() (*envtest.Environment, *rest.Config, error) {
	root := Root()
	assets := os.Getenv("KUBEBUILDER_ASSETS")
	if assets == "" {
		assets = filepath.Join(root, "bin", "k8s")
	}
	if _, err := os.Stat(filepath.Join(assets, "kube-apiserver")); err != nil {
		return nil, nil, fmt.Errorf("no kube-apiserver in %s: run `make control-plane`, or set KUBEBUILDER_ASSETS: %w", assets, err)
	}
	env := &envtest.Environment{
		BinaryAssetsDirectory: assets,
		CRDDirectoryPaths:     []string{filepath.Join(root, "config", "crd", "bases")},
		ErrorIfCRDPathMissing: true,
		// A busy machine takes its time, and that is not what the suites are about.
		ControlPlaneStartTimeout: 5 * time.Minute,
		CRDInstallOptions:        envtest.CRDInstallOptions{MaxTime: 5 * time.Minute},
	}
	config, err := env.Start()
	if err != nil {
		// What failed may have been the last step: the processes are running by then.
		return nil, nil, errors.Join(fmt.Errorf("starting the control plane: %w", err), env.Stop())
	}
	config.QPS, config.Burst = 1000, 2000
	if err := installPolicies(config, filepath.Join(root, "config", "policy")); err != nil {
		return nil, nil, errors.Join(err, env.Stop())
	}
	return env, config, nil
}

// Root returns the folder of the project's go.mod.
func Root() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(filepath.Dir(filepath.Dir(file)))
}
