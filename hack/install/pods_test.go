package install

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/process"
)

// patience bounds what a busy machine may take.
const patience = 5 * time.Minute

// pods are the processes of a release.
type pods struct{ controller, apiserver *process.Process }

// runPods does what the kubelet would, if there were nodes: it runs both programs as their Deployments say, with the tokens of their
// ServiceAccounts, and waits until they are ready. Images, mounts and limits are not tried.
func (w *world) runPods(t *testing.T, binary, namespace string) pods {
	t.Helper()
	return pods{
		controller: w.runPod(t, binary, namespace, "controller", w.ports.ControllerMetrics, w.ports.ControllerHealth),
		apiserver:  w.runPod(t, binary, namespace, "apiserver", w.ports.APIMetrics, w.ports.APIHealth),
	}
}

func (w *world) runPod(t *testing.T, binary, namespace, program string, metrics, health int) *process.Process {
	t.Helper()
	name := "pressroom-" + program
	deployment := &appsv1.Deployment{}
	if err := json.Unmarshal([]byte(w.run(t, "kubectl", "get", "deployment", name, "-n", namespace, "-o", "json")), deployment); err != nil {
		t.Fatal(err)
	}
	pod := deployment.Spec.Template.Spec
	kubeconfig, err := w.ServiceAccountKubeconfig(t.Context(), namespace, pod.ServiceAccountName)
	if err != nil {
		t.Fatal(err)
	}
	args, env := inside(pod.Containers[0], namespace)
	// The last one counts.
	args = append(args, "--kubeconfig="+kubeconfig, "--metrics-bind-address="+ports.Address(metrics), "--health-probe-bind-address="+ports.Address(health))
	if program == "apiserver" {
		key, err := seal.NewKey()
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, "--bind-address="+ports.Address(w.ports.API), "--session-key-file="+write(t, t.TempDir(), "keys", key))
	}
	p, err := w.group.Start(process.Command{Name: name, Path: binary, Args: args, Env: env, Log: filepath.Join(w.folder, name+".log")})
	if err == nil {
		err = p.AwaitReady(t.Context(), ports.URL(health)+"/readyz", patience)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// inside returns the arguments and the environment as the container has them.
func inside(container corev1.Container, namespace string) (args, env []string) {
	for _, variable := range container.Env {
		value := variable.Value
		if variable.ValueFrom != nil {
			// The only reference is to the Pod's namespace.
			value = namespace
		}
		env = append(env, variable.Name+"="+value)
	}
	for _, arg := range container.Args {
		args = append(args, strings.ReplaceAll(arg, "$(POD_NAMESPACE)", namespace))
	}
	return args, env
}

// stop stops the processes of a release in order.
func (w *world) stop(t *testing.T, p pods) {
	t.Helper()
	for _, one := range []*process.Process{p.apiserver, p.controller} {
		if err := w.group.StopOne(one); err != nil {
			t.Error(err)
		}
	}
}
