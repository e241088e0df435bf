package cluster

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Binaries are the paths of the control plane's binaries.
type Binaries struct {
	Etcd        string
	APIServer   string
	Controllers string
	Kubectl     string
}

// FindBinaries looks for each binary in assets, the folder of KUBEBUILDER_ASSETS, which may be empty, and then in built, the
// folder of `make control-plane`.
func FindBinaries(assets, built string) (Binaries, error) {
	var b Binaries
	for name, path := range map[string]*string{
		"etcd":             &b.Etcd,
		"kube-apiserver":   &b.APIServer,
		"kube-controllers": &b.Controllers,
		"kubectl":          &b.Kubectl,
	} {
		found, err := findBinary(name, assets, built)
		if err != nil {
			return Binaries{}, err
		}
		*path = found
	}
	return b, nil
}

func findBinary(name string, folders ...string) (string, error) {
	for _, folder := range folders {
		if folder == "" {
			continue
		}
		path, err := filepath.Abs(filepath.Join(folder, name))
		if err != nil {
			return "", fmt.Errorf("looking for %s: %w", name, err)
		}
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0 {
			return path, nil
		}
	}
	return "", fmt.Errorf("there is no %s: `make control-plane` installs it", name)
}

// MinorVersion asks kube-apiserver for its version and returns its minor part, as v1.37.
func (b Binaries) MinorVersion(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, b.APIServer, "--version").Output()
	if err != nil {
		return "", fmt.Errorf("asking kube-apiserver for its version: %w", err)
	}
	minor, ok := minorOf(string(out))
	if !ok {
		return "", fmt.Errorf("asking kube-apiserver for its version: %q holds no version", strings.TrimSpace(string(out)))
	}
	return minor, nil
}

// minorOf takes v1.37 out of "Kubernetes v1.37.1".
func minorOf(text string) (string, bool) {
	_, version, ok := strings.Cut(strings.TrimSpace(text), "Kubernetes ")
	parts := strings.SplitN(version, ".", 3)
	if !ok || len(parts) < 2 || !strings.HasPrefix(parts[0], "v") {
		return "", false
	}
	return parts[0] + "." + parts[1], true
}
