//go:build e2e

package install

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/pressroom-dev/pressroom/hack/dev/ports"
)

var apiKey = regexp.MustCompile(`pr_ak_\w+`)

// Roles, the lease, API keys, and the priority level all follow the namespace of the release.
func TestAReleaseWorksInAnyNamespace(t *testing.T) {
	cp, binary := sharedControlPlane(t), pressroom(t)
	for i, namespace := range []string{"newsroom", "content-platform-eu"} {
		t.Run(namespace, func(t *testing.T) {
			args := []string{"install", release, chart, "-n", namespace, "--create-namespace"}
			if i > 0 {
				// The CRDs that the release of another namespace has left: docs/how-to/install.md.
				args = append(args, "--take-ownership")
			}
			cp.run(t, "helm", args...)
			running := cp.runPods(t, binary, namespace)
			cp.run(t, "kubectl", "apply", "--server-side", "-f", "config/samples/account.yaml", "-f", "config/samples/workspace.yaml",
				"-f", "config/samples/first-article/site.yaml")

			// A controller is ready before it has the lease: another replica may have it.
			cp.run(t, "kubectl", "wait", "--for=create", "lease/controller.pressroom.dev", "-n", namespace, "--timeout="+patience.String())
			holder := cp.run(t, "kubectl", "get", "lease", "controller.pressroom.dev", "-n", namespace, "-o", "jsonpath={.spec.holderIdentity}")
			if holder == "" {
				t.Error("nobody holds the lease")
			}
			cp.checkFlow(t, namespace)
			out := cp.run(t, binary, "keys", "create", "--account=acme", "--scopes=read", "--name=test")
			cp.checkSites(t, apiKey.FindString(out))

			cp.stop(t, running)
			cp.run(t, "helm", "uninstall", release, "-n", namespace, "--wait")
			// docs/how-to/install.md: the lease, besides what Kubernetes makes in each namespace.
			if left := without(cp.everything(t, namespace), []string{"lease.coordination.k8s.io/controller.pressroom.dev", "serviceaccount/default", "configmap/kube-root-ca.crt"}); len(left) > 0 {
				t.Errorf("%v are left", left)
			}
		})
	}
}

// checkSites lists the sites with a key, which the facade finds in its own namespace.
func (cp *controlPlane) checkSites(t *testing.T, key string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, ports.URL(cp.ports.API)+"/v1/api/sites", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("x-api-key", key)
	request.Header.Set("x-workspace-id", "acme-blog")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("listing sites with a key of the namespace: %s", response.Status)
	}
}

// checkFlow asks kube-apiserver with the rights of both programs, and looks at the priority level that it names.
func (cp *controlPlane) checkFlow(t *testing.T, namespace string) {
	t.Helper()
	uid := func(name string) string {
		return cp.run(t, "kubectl", "get", "prioritylevelconfiguration", name, "-o", "jsonpath={.metadata.uid}")
	}
	lease := "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases/controller.pressroom.dev"
	for _, tt := range []struct{ account, path, wantLevel string }{
		{"pressroom-controller", "/apis/pressroom.dev/v1alpha1/articles", "pressroom"},
		{"pressroom-controller", lease, "leader-election"},
		{"pressroom-apiserver", "/apis/pressroom.dev/v1alpha1/articles", "pressroom"},
	} {
		client := cp.clientOf(t, namespace, tt.account)
		want, got := uid(tt.wantLevel), ""
		// kube-apiserver takes a moment to follow a change of its configuration.
		err := wait.PollUntilContextTimeout(t.Context(), 100*time.Millisecond, patience, true, func(ctx context.Context) (bool, error) {
			request, err := http.NewRequestWithContext(ctx, http.MethodGet, cp.URL()+tt.path, http.NoBody)
			if err != nil {
				return false, err
			}
			response, err := client.Do(request)
			if err != nil {
				return false, err
			}
			defer response.Body.Close()
			if response.StatusCode != http.StatusOK {
				return false, fmt.Errorf("%s: %s", tt.path, response.Status)
			}
			got = response.Header.Get("X-Kubernetes-Pf-Prioritylevel-Uid")
			return strings.EqualFold(got, want), nil
		})
		if err != nil {
			t.Errorf("%s is served to %s at the level %s, want %s (%s): %v", tt.path, tt.account, got, tt.wantLevel, want, err)
		}
	}
}

func (cp *controlPlane) clientOf(t *testing.T, namespace, account string) *http.Client {
	t.Helper()
	kubeconfig, err := cp.ServiceAccountKubeconfig(t.Context(), namespace, account)
	if err != nil {
		t.Fatal(err)
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}
