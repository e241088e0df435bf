//go:build e2e

package install

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/testkit/program"
)

// folder is where the program is built to.
var folder string

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "pressroom-install-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if err := os.RemoveAll(folder); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

// build builds the program once.
var build = sync.OnceValues(func() (string, error) {
	path := filepath.Join(folder, "pressroom")
	return path, program.Build(context.Background(), path)
})

// pressroom returns the path of the program.
func pressroom(t *testing.T) string {
	t.Helper()
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return path
}
