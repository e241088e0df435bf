//go:build e2e

package install

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	. "github.com/onsi/gomega"
)

// crdsOfOthers are the CRDs of objects that the chart makes if the values say so, in the modules that they are published in.
var crdsOfOthers = map[string][]string{
	"sigs.k8s.io/gateway-api@v1.6.3": {
		"config/crd/standard/gateway.networking.k8s.io_backendtlspolicies.yaml", "config/crd/standard/gateway.networking.k8s.io_httproutes.yaml",
	},
	"github.com/prometheus-operator/prometheus-operator@v0.85.0": {
		"example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml",
		"example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml",
	},
	"github.com/cert-manager/cert-manager@v1.21.2": {"deploy/crds/cert-manager.io_certificates.yaml"},
}

// installKindsOfOthers installs these CRDs.
func (cp *controlPlane) installKindsOfOthers(t *testing.T) {
	t.Helper()
	args := []string{"apply", "--server-side"}
	for module, files := range crdsOfOthers {
		for _, file := range files {
			args = append(args, "-f", filepath.Join(folderOf(t, module), filepath.FromSlash(file)))
		}
	}
	cp.run(t, "kubectl", args...)
	cp.awaitKinds(t)
}

// awaitKinds waits until all CRDs can be used. kubectl wait fails for a CRD without any condition, as a new one is for a moment.
func (cp *controlPlane) awaitKinds(t *testing.T) {
	t.Helper()
	NewWithT(t).Eventually(func() error {
		_, err := cp.try(t, nil, "kubectl", "wait", "--for=condition=Established", "--timeout=2m", "crd", "--all")
		return err
	}).WithTimeout(2 * time.Minute).WithPolling(100 * time.Millisecond).Should(Succeed())
}

// folderOf downloads a module, which is in no go.mod: nothing of it is compiled.
func folderOf(t *testing.T, module string) string {
	t.Helper()
	download := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", module)
	download.Dir = t.TempDir()
	out, err := download.Output()
	var found struct {
		Dir   string `json:"Dir"`
		Error string `json:"Error"`
	}
	if jsonErr := json.Unmarshal(out, &found); jsonErr != nil || found.Dir == "" {
		t.Fatalf("%s is not there: %v %s", module, err, found.Error)
	}
	return found.Dir
}
