// Package program finds the pressroom that tests with the build tag e2e run. Only tests import it.
package program

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/pressroom-dev/pressroom/test/project"
)

// Path returns the path of bin/e2e/pressroom, which is built with the race detector. Tests do not build it themselves: each suite would
// link it again.
func Path() (string, error) {
	path := filepath.Join(project.Root(), "bin", "e2e", "pressroom")
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("there is no program to test, which `make e2e` builds first, and `make bin/e2e/pressroom` alone: %w", err)
	}
	return path, nil
}
