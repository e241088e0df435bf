package cluster

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// Kubectl runs kubectl as the administrator and returns what it prints. Input may be nil.
func (c *Cluster) Kubectl(ctx context.Context, input io.Reader, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, c.options.Binaries.Kubectl, args...)
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

// KubectlPath returns the path of the kubectl that fits the control plane.
func (c *Cluster) KubectlPath() string { return c.options.Binaries.Kubectl }
