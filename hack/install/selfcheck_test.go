//go:build e2e

package install

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"

	"github.com/pressroom-dev/pressroom/hack/dev/ports"
)

// `helm test` makes a Pod with a ServiceAccount of its own, which checks the installation. What the kubelet would do of it is done here.
func TestHelmTestSaysWhetherTheInstallationWorks(t *testing.T) {
	cp, binary := sharedControlPlane(t), pressroom(t)
	cp.run(t, "helm", "install", release, chart, "-n", systemNamespace, "--create-namespace")
	cp.run(t, "kubectl", "scale", "deployment", "--all", "--replicas=1", "-n", systemNamespace)
	running := cp.runPods(t, binary, systemNamespace)
	cp.run(t, "kubectl", "wait", "--for=create", "lease/controller.pressroom.dev", "-n", systemNamespace, "--timeout="+patience.String())
	ready := func(n string) {
		t.Helper()
		for _, name := range []string{"pressroom-controller", "pressroom-apiserver"} {
			cp.run(t, "kubectl", "patch", "deployment", name, "-n", systemNamespace, "--subresource=status", "--type=merge",
				"-p", `{"status": {"replicas": 1, "readyReplicas": `+n+`}}`)
		}
	}

	t.Run("it passes, and leaves nothing", func(t *testing.T) {
		ready("1")
		before := cp.everything(t, systemNamespace)
		out, err := cp.helmTest(t, binary)
		if err != nil || !strings.Contains(out, "pressroom-controller") || !strings.Contains(out, "No failing informers.") {
			t.Errorf("the Pod has printed %q, and helm %v", out, err)
		}
		if left := without(cp.everything(t, systemNamespace), before); len(left) > 0 {
			t.Errorf("%v are left", left)
		}
	})

	t.Run("it fails while a program is not ready, and its Pod stays", func(t *testing.T) {
		ready("0")
		out, err := cp.helmTest(t, binary)
		if err == nil || !strings.Contains(out, "pressroom-apiserver: 0 of 1 Pods are ready") {
			t.Errorf("the Pod has printed %q, and helm %v", out, err)
		}
		cp.run(t, "kubectl", "get", "pod", "pressroom-test", "-n", systemNamespace)
	})

	t.Run("the metrics of both programs say their version", func(t *testing.T) {
		for _, port := range []int{cp.ports.ControllerMetrics, cp.ports.APIMetrics} {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, ports.URL(port)+"/metrics", http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(response.Body)
			_ = response.Body.Close()
			if err != nil || !strings.Contains(string(text), "\npressroom_build_info{goversion=\"go1.") {
				t.Errorf("the metrics of %d have no build: %v", port, err)
			}
		}
	})
	cp.stop(t, running)
}

// helmTest runs `helm test`, and the Pod that it makes. It returns what the Pod prints.
func (cp *controlPlane) helmTest(t *testing.T, binary string) (string, error) {
	t.Helper()
	done := make(chan error, 1)
	go func() {
		_, err := cp.try(t, nil, "helm", "test", release, "-n", systemNamespace, "--timeout", patience.String())
		done <- err
	}()
	pod := &corev1.Pod{}
	// The Pod of an earlier test goes first.
	NewWithT(t).Eventually(func() (string, error) {
		text, err := cp.try(t, nil, "kubectl", "get", "pod", "pressroom-test", "-n", systemNamespace, "-o", "json")
		if err == nil {
			pod = &corev1.Pod{}
			err = json.Unmarshal([]byte(text), pod)
		}
		return string(pod.Status.Phase), err
	}).WithTimeout(patience).WithPolling(100 * time.Millisecond).Should(Equal(string(corev1.PodPending)))

	kubeconfig, err := cp.ServiceAccountKubeconfig(t.Context(), systemNamespace, pod.Spec.ServiceAccountName)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	args := append(slices.Clone(pod.Spec.Containers[0].Args), "--kubeconfig="+kubeconfig, "--wait=0")
	out, err := exec.CommandContext(ctx, binary, args...).CombinedOutput()
	phase := corev1.PodSucceeded
	if err != nil {
		phase = corev1.PodFailed
	}
	cp.run(t, "kubectl", "patch", "pod", "pressroom-test", "-n", systemNamespace, "--subresource=status", "--type=merge", "-p", `{"status": {"phase": "`+string(phase)+`"}}`)
	return string(out), <-done
}
