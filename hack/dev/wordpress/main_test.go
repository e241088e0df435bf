//go:build e2e

package wordpress_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/process"
	"github.com/pressroom-dev/pressroom/hack/dev/wordpress"
)

// server is the WordPress of all tests; nil if this machine cannot run one.
var server *wordpress.WordPress

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	if missing := wordpress.Missing(); missing != nil {
		fmt.Fprintf(os.Stderr, "\n!! NOTHING IS TESTED WITH A REAL WORDPRESS: %v. `sh hack/need.sh wordpress` installs what is missing.\n\n", missing)
		return m.Run(), nil
	}
	// The path of the database's socket must be short.
	folder, err := os.MkdirTemp("", "wp-")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(folder)
	free, err := ports.Free(context.Background())
	if err != nil {
		return 1, err
	}
	group, err := process.NewGroup()
	if err != nil {
		return 1, err
	}
	defer func() {
		if stopErr := group.Stop(); err == nil {
			err = stopErr
		}
	}()
	server, err = wordpress.Start(context.Background(), wordpress.Options{Folder: folder, Group: group, Port: free.WordPress})
	if err != nil {
		return 1, err
	}
	return m.Run(), nil
}
