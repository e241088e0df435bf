//go:build e2e

package install

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/pressroom-dev/pressroom/hack/dev/cluster"
	"github.com/pressroom-dev/pressroom/test/project"
)

const (
	// systemNamespace is that of config.
	systemNamespace = "pressroom-system"
	release         = "pressroom"
)

var chart = filepath.Join(project.Root(), "config", "chart")

// tool runs programs in the clone, with an environment of their own.
type tool struct{ env []string }

// newTool has settings for helm that are not those of the person who runs the test. The kubeconfig may be empty.
func newTool(t *testing.T, kubeconfig string) tool {
	t.Helper()
	folder := t.TempDir()
	path := filepath.Join(clone, "bin") + ":" + filepath.Dir(kubectlPath(t)) + ":" + os.Getenv("PATH")
	return tool{env: append(os.Environ(), "PATH="+path, "KUBECONFIG="+kubeconfig, "KUBERC=off", "HELM_CACHE_HOME="+folder, "HELM_CONFIG_HOME="+folder,
		"HELM_DATA_HOME="+folder)}
}

// kubectlPath returns the path of the kubectl that fits the control plane.
func kubectlPath(t *testing.T) string {
	t.Helper()
	path, err := cluster.Binary(project.Root(), "kubectl")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// try runs a program with an input and returns what it prints.
func (o tool) try(t *testing.T, input io.Reader, name string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "env", append([]string{name}, args...)...)
	cmd.Dir, cmd.Env, cmd.Stdin = clone, o.env, input
	var out, problem bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problem
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("%s %s: %w: %s%s", name, strings.Join(args, " "), err, out.String(), problem.String())
	}
	return out.String(), nil
}

// run is try for what must succeed.
func (o tool) run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := o.try(t, nil, name, args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// render renders the chart with more arguments, such as values.
func (o tool) render(t *testing.T, namespace string, args ...string) []*unstructured.Unstructured {
	t.Helper()
	return objectsOf(t, o.run(t, "helm", append([]string{"template", release, chart, "-n", namespace}, args...)...))
}

// objectsOf reads the objects of a manifest.
func objectsOf(t *testing.T, text string) []*unstructured.Unstructured {
	t.Helper()
	documents := yaml.NewYAMLOrJSONDecoder(strings.NewReader(text), len(text)+1)
	var objects []*unstructured.Unstructured
	for {
		object := &unstructured.Unstructured{}
		err := documents.Decode(&object.Object)
		if errors.Is(err, io.EOF) {
			return objects
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(object.Object) > 0 {
			objects = append(objects, object)
		}
	}
}

// nameOf names an object for people and for maps.
func nameOf(o *unstructured.Unstructured) string {
	return strings.Join(slices.DeleteFunc([]string{o.GetKind(), o.GetNamespace(), o.GetName()}, func(s string) bool { return s == "" }), " ")
}

// write writes a file of a folder and returns its path.
func write(t *testing.T, folder, name, text string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
