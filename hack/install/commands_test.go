//go:build e2e

package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/test/docpage"
)

const cosignVerify = "cosign verify ghcr.io/pressroom-dev/pressroom:v0.1.0 --certificate-oidc-issuer=https://token.actions.githubusercontent.com" +
	" --certificate-identity=https://github.com/pressroom-dev/pressroom/.github/workflows/release.yml@refs/tags/v0.1.0"

// notHere are commands of the pages that TestTheCommandsOfThePages does not run: the test that does, or why none does.
var notHere = map[string]string{
	"make docker-build IMG=registry.example.com/pressroom:v1":                                                  "needs a registry with the base images",
	"buildah manifest push --all registry.example.com/pressroom:v1 docker://registry.example.com/pressroom:v1": "needs a registry",
	"make image IMG=registry.example.com/pressroom:v1":                                                         "TestTheImageWithoutABaseImageStarts",
	"buildah push registry.example.com/pressroom:v1":                                                           "needs a registry",
	"make dist IMG=registry.example.com/pressroom:v1 VERSION=v1.0.0":                                           "TestDistHandsOutTheSameInBothForms",
	"helm test pressroom -n pressroom-system":                                                                  "TestHelmTestSaysWhetherTheInstallationWorks",
	cosignVerify: "needs a release",
	"helm upgrade pressroom config/chart -n pressroom-system --values values.yaml": "TestUpgradeAndRollbackUnderLoad",
	"helm rollback pressroom -n pressroom-system":                                  "TestUpgradeAndRollbackUnderLoad",
}

// People who install and operate Pressroom copy these commands. They run as they are written, in the order of the pages, beside a clone.
func TestTheCommandsOfThePages(t *testing.T) {
	cp, overlay := startControlPlane(t), filepath.Join(filepath.Dir(clone), "overlay")
	write(t, clone, "values.yaml", "apiserver: {baseURL: https://api.example.com}\n")
	if err := os.Mkdir(overlay, 0o750); err != nil {
		t.Fatal(err)
	}
	for _, block := range blocksOf(t, "docs/how-to/install.md", "yaml") {
		if strings.HasPrefix(block, "resources:") {
			write(t, overlay, "kustomization.yaml", block)
		}
	}

	before := map[string]func(){
		"kubectl create secret generic pressroom-oidc": func() { write(t, clone, "client-secret.txt", "a-secret\n") },
		// The CRDs of the release before take a moment to end.
		"make deploy": func() { cp.awaitNoKinds(t) },
		"pressroom keys create": func() {
			cp.run(t, "ln", "-sf", pressroom(t), "bin/pressroom")
			cp.run(t, "kubectl", "apply", "--server-side", "-f", "config/samples/account.yaml", "-f", "config/samples/workspace.yaml")
		},
		// kube-apiserver takes the rights of the tool up a moment after the command before.
		"kubectl apply --server-side --dry-run=server": func() {
			cp.awaitRights(t, objectsOf(t, cp.run(t, "kubectl", "kustomize", teamFolder)))
		},
		"kubectl apply --server-side --field-manager=pressroom -k config/argocd": func() {
			cp.run(t, "kubectl", "create", "namespace", "argocd")
		},
	}
	leftOut := map[string]bool{}
	for _, page := range []string{"install", "permissions", "operate", "gitops", "upgrade"} {
		for _, command := range commandsOf(t, "docs/how-to/"+page+".md", "") {
			if notHere[command] != "" {
				leftOut[command] = true
				continue
			}
			for prefix, prepare := range before {
				if strings.HasPrefix(command, prefix) {
					prepare()
					delete(before, prefix)
				}
			}
			folder := clone
			if strings.HasPrefix(command, "kustomize build |") {
				folder = overlay
			}
			cp.run(t, "sh", "-euc", "cd '"+folder+"'\n"+command)
		}
	}
	for command := range notHere {
		if !leftOut[command] {
			t.Errorf("no page has the command %q", command)
		}
	}
}

func (cp *controlPlane) awaitNoKinds(t *testing.T) {
	t.Helper()
	NewWithT(t).Eventually(func() string { return cp.run(t, "kubectl", "get", "crd", "-o", "name") }).
		WithTimeout(2 * time.Minute).WithPolling(100 * time.Millisecond).Should(BeEmpty())
}

// blocksOf returns the blocks of a page in a language.
func blocksOf(t *testing.T, page, language string) []string {
	t.Helper()
	blocks, err := docpage.BlocksOf(page, language)
	if err != nil {
		t.Fatal(err)
	}
	return blocks
}
