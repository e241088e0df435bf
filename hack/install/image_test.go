//go:build e2e

package install

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// An image without a base image has what the program needs: only itself and certificate authorities.
func TestTheImageWithoutABaseImageStarts(t *testing.T) {
	if _, err := exec.LookPath("buildah"); err != nil {
		t.Fatal("there is no buildah to build the image with: run `sh hack/need.sh buildah`")
	}
	const image = "localhost/pressroom-test:v1.2.3"
	o := newTool(t, "")
	o.env = append(o.env, "BUILDAH_ISOLATION=chroot")
	o.run(t, "make", "image", "IMG="+image, "VERSION=v1.2.3")
	t.Cleanup(func() { remove(t, "rmi", image) })
	container := strings.TrimSpace(o.run(t, "buildah", "from", image))
	t.Cleanup(func() { remove(t, "rm", container) })

	// Before buildah adds what it runs a container with.
	root := strings.TrimSpace(o.run(t, "buildah", "mount", container))
	var files []string
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			files = append(files, strings.TrimPrefix(path, root))
		}
		return err
	})
	if want := []string{"/etc/ssl/certs/ca-certificates.crt", "/pressroom"}; err != nil || !slices.Equal(files, want) {
		t.Errorf("the image has %v, %v, want %v", files, err, want)
	}
	if user := strings.TrimSpace(o.run(t, "buildah", "inspect", "--format", "{{.OCIv1.Config.User}} {{.OCIv1.Config.Entrypoint}}", container)); user != "65532:65532 [/pressroom]" {
		t.Errorf("the image runs %q", user)
	}
	if out := o.run(t, "buildah", "run", container, "--", "/pressroom", "--version"); !strings.Contains(out, "pressroom version v1.2.3") {
		t.Errorf("the program says %q", out)
	}
}

// remove removes what buildah has made. The context of the test has ended.
func remove(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command("buildah", args...).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
