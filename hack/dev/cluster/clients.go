package cluster

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"k8s.io/client-go/rest"
)

// Kubeconfig returns the administrator's kubeconfig.
func (c *Cluster) Kubeconfig() string { return c.path("kubeconfig") }

// Config returns how to reach kube-apiserver as the administrator.
func (c *Cluster) Config() *rest.Config { return rest.CopyConfig(c.config) }

// KubectlPath returns the path of the kubectl that fits the control plane.
func (c *Cluster) KubectlPath() string { return c.kubectl }

// Kubectl runs kubectl as the administrator and returns what it prints. Input may be nil.
func (c *Cluster) Kubectl(ctx context.Context, input io.Reader, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, c.kubectl, args...)
	// The settings of the caller's own kubectl must not matter.
	cmd.Env = append(os.Environ(), "KUBECONFIG="+c.Kubeconfig(), "KUBERC=off")
	cmd.Stdin = input
	var out, problem bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problem
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("kubectl %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(problem.String()))
	}
	return out.String(), nil
}

// ServiceAccountKubeconfig returns a kubeconfig with a token of a ServiceAccount, so that a program runs with the rights that it has in a
// cluster. The token lasts 30 days; each start needs a new one.
func (c *Cluster) ServiceAccountKubeconfig(ctx context.Context, namespace, name string) (string, error) {
	token, err := c.Kubectl(ctx, nil, "create", "token", name, "-n", namespace, "--duration=720h")
	if err != nil {
		return "", err
	}
	path := c.path(name + ".kubeconfig")
	if err := os.WriteFile(path, []byte(c.kubeconfig(name, strings.TrimSpace(token))), 0o600); err != nil {
		return "", fmt.Errorf("writing a kubeconfig: %w", err)
	}
	return path, nil
}

// kubeconfig is the text of a kubeconfig.
func (c *Cluster) kubeconfig(user, token string) string {
	return fmt.Sprintf(`apiVersion: v1
kind: Config
clusters:
- {name: pressroom-dev, cluster: {server: %q, certificate-authority: %q}}
users:
- {name: %q, user: {token: %q}}
contexts:
- {name: pressroom-dev, context: {cluster: pressroom-dev, user: %[3]q}}
current-context: pressroom-dev
`, c.URL(), c.path(certificate), user, token)
}
