// Package program builds pressroom for tests that run it. Only tests import it.
package program

import (
	"context"
	"fmt"
	"os/exec"

	"github.com/pressroom-dev/pressroom/internal/testkit/project"
)

// Build builds the program as the test itself is built, with the race detector or without it, so that nothing is compiled twice.
func Build(ctx context.Context, path string) error {
	args := []string{"build", "-buildvcs=false", "-o", path}
	if raceDetector {
		args = append(args, "-race")
	}
	cmd := exec.CommandContext(ctx, "go", append(args, "./cmd/pressroom")...)
	cmd.Dir = project.Root()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building the program: %w: %s", err, out)
	}
	return nil
}
