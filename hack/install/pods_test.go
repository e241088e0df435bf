//go:build e2e

package install

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/process"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// patience bounds what a busy machine may take.
const patience = 5 * time.Minute

// podUID is what the kubelet would take from the Pod.
const podUID = "0198f0a1-b2c3-7000-8000-0000000000aa"

// pods are the processes of a release.
type pods struct{ controller, apiserver *process.Process }

// runPods does what the kubelet would, if there were nodes: it runs both programs as their Deployments say, with the tokens of their
// ServiceAccounts, and waits until they are ready. Images, mounts and limits are not tried.
func (cp *controlPlane) runPods(t *testing.T, binary, namespace string) pods {
	t.Helper()
	run := func(program string) *process.Process {
		t.Helper()
		return cp.runPod(t, pod{binary: binary, namespace: namespace, program: program, name: "pressroom-" + program, ports: cp.ports})
	}
	return pods{controller: run("controller"), apiserver: run("apiserver")}
}

// pod is one of a Deployment: a program on ports of its own.
type pod struct {
	binary, namespace, program, name string
	ports                            ports.Ports
}

func (cp *controlPlane) runPod(t *testing.T, p pod) *process.Process {
	t.Helper()
	deployment := &appsv1.Deployment{}
	if err := json.Unmarshal([]byte(cp.run(t, "kubectl", "get", "deployment", "pressroom-"+p.program, "-n", p.namespace, "-o", "json")), deployment); err != nil {
		t.Fatal(err)
	}
	template := deployment.Spec.Template.Spec
	kubeconfig, err := cp.ServiceAccountKubeconfig(t.Context(), p.namespace, template.ServiceAccountName)
	if err != nil {
		t.Fatal(err)
	}
	args, env := inside(template.Containers[0], p.namespace)
	// The last one counts.
	args = append(args, "--kubeconfig="+kubeconfig)
	metrics, health := p.ports.ControllerMetrics, p.ports.ControllerHealth
	if p.program == "apiserver" {
		metrics, health = p.ports.APIMetrics, p.ports.APIHealth
		key := testkit.SessionKey()
		args = append(args, "--bind-address="+ports.Address(p.ports.API), "--session-key-file="+write(t, t.TempDir(), "keys", key))
	}
	args = append(args, "--metrics-bind-address="+ports.Address(metrics), "--health-probe-bind-address="+ports.Address(health))
	started, err := cp.group.Start(process.Command{
		Name: p.name, Path: p.binary, Args: args, Env: env, Log: filepath.Join(cp.folder, p.name+".log"),
		Grace: time.Duration(*template.TerminationGracePeriodSeconds) * time.Second,
	})
	if err == nil {
		err = started.AwaitReady(t.Context(), process.Answers(http.DefaultClient, ports.URL(health)+"/readyz"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return started
}

// inside returns the arguments and the environment as the container has them.
func inside(container corev1.Container, namespace string) (args, env []string) {
	for _, variable := range container.Env {
		value := variable.Value
		if variable.ValueFrom != nil {
			value = map[string]string{"metadata.namespace": namespace, "metadata.uid": podUID}[variable.ValueFrom.FieldRef.FieldPath]
		}
		env = append(env, variable.Name+"="+value)
	}
	for _, arg := range container.Args {
		args = append(args, strings.ReplaceAll(arg, "$(POD_NAMESPACE)", namespace))
	}
	return args, env
}

// stop stops the processes of a release in order.
func (cp *controlPlane) stop(t *testing.T, p pods) {
	t.Helper()
	for _, one := range []*process.Process{p.apiserver, p.controller} {
		if err := one.Stop(); err != nil {
			t.Error(err)
		}
	}
}
