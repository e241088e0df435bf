// Package gitops tests what Flux and Argo CD see of Pressroom.
package gitops

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fluxcd/cli-utils/pkg/kstatus/status"
	lua "github.com/yuin/gopher-lua"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/hack/dev/cluster"
	"github.com/pressroom-dev/pressroom/test/project"
)

// want is what Argo CD shows for what kstatus, and so Flux, computes. Argo CD has no word for what is being deleted.
var want = map[status.Status]string{
	status.CurrentStatus: "Healthy", status.InProgressStatus: "Progressing", status.FailedStatus: "Degraded", status.TerminatingStatus: "Progressing",
}

// The conditions that kstatus knows, in every combination and order, with and without an observed generation: all states that an object
// can be in.
func TestArgoCDAndFluxAgreeOnEveryStateOfEveryKind(t *testing.T) {
	scripts, kinds := scriptsOf(t), kindsOf(t)
	compared := 0
	for _, key := range kinds {
		health := newScript(t, scripts[key])
		group, kind, _ := strings.Cut(key, "_")
		for _, state := range states() {
			object := map[string]any{
				"apiVersion": group + "/" + v1alpha1.GroupVersion.Version, "kind": kind,
				"metadata": map[string]any{"name": "one", "generation": int64(2)},
			}
			if state.deleting {
				object["metadata"].(map[string]any)["deletionTimestamp"] = "2026-11-22T12:00:00Z"
			}
			if state.status != nil {
				object["status"] = runtime.DeepCopyJSON(state.status)
			}
			result, err := status.Compute(&unstructured.Unstructured{Object: object})
			if err != nil {
				t.Fatal(err)
			}
			if got := health.healthOf(t, object); got != want[result.Status] {
				t.Errorf("%s with %v (being deleted: %v) is %s for Argo CD, and %s for Flux", kind, state.status, state.deleting, got, result.Status)
			}
			compared++
		}
	}
	if len(kinds) < 11 || compared < 1000*len(kinds) {
		t.Errorf("only %d states of %d kinds were compared", compared, len(kinds))
	}
}

// state is what both look at.
type state struct {
	deleting bool
	status   map[string]any
}

func states() []state {
	all := []state{{}, {deleting: true}}
	conditions := []any{nil, string(corev1.ConditionTrue), string(corev1.ConditionFalse), string(corev1.ConditionUnknown)}
	orders := [][]string{
		{"Ready", "Reconciling", "Stalled"}, {"Ready", "Stalled", "Reconciling"}, {"Reconciling", "Ready", "Stalled"},
		{"Reconciling", "Stalled", "Ready"}, {"Stalled", "Ready", "Reconciling"}, {"Stalled", "Reconciling", "Ready"},
	}
	for _, order := range orders {
		for i := range len(conditions) * len(conditions) * len(conditions) {
			// -1 is the default of the schema: nobody has looked at the object yet.
			for _, observed := range []any{nil, int64(-1), int64(1), int64(2)} {
				for _, deleting := range []bool{false, true} {
					s := map[string]any{"conditions": list(order, []any{conditions[i%4], conditions[i/4%4], conditions[i/16]})}
					if observed != nil {
						s["observedGeneration"] = observed
					}
					all = append(all, state{deleting: deleting, status: s})
				}
			}
		}
	}
	return all
}

// list is a list of conditions; one without a status is not there. Other conditions count for neither tool.
func list(types []string, statuses []any) []any {
	conditions := []any{map[string]any{"type": v1alpha1.ConditionApproved, "status": "False", "reason": "AwaitingReview", "message": "waits"}}
	for i, kind := range types {
		if statuses[i] != nil {
			conditions = append(conditions, map[string]any{"type": kind, "status": statuses[i], "reason": "Because", "message": "because of this"})
		}
	}
	return conditions
}

// kindsOf returns the kinds that are installed.
func kindsOf(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(project.Root(), "config", "crd", "bases", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, file := range files {
		crd := &unstructured.Unstructured{}
		read(t, file, &crd.Object)
		group, _, err := unstructured.NestedString(crd.Object, "spec", "group")
		if err != nil {
			t.Fatal(err)
		}
		kind, _, err := unstructured.NestedString(crd.Object, "spec", "names", "kind")
		if err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, group+"_"+kind)
	}
	return kinds
}

// scriptsOf renders what Argo CD is given: a script for each kind.
func scriptsOf(t *testing.T) map[string]string {
	t.Helper()
	kubectl, err := cluster.Binary(project.Root(), "kubectl")
	if err != nil {
		t.Fatal(err)
	}
	text, err := exec.CommandContext(t.Context(), kubectl, "kustomize", filepath.Join(project.Root(), "config", "argocd")).Output()
	if err != nil {
		t.Fatal(err)
	}
	var configMap corev1.ConfigMap
	if err := yaml.UnmarshalStrict(text, &configMap); err != nil {
		t.Fatal(err)
	}
	scripts := map[string]string{}
	for key, script := range configMap.Data {
		scripts[strings.TrimPrefix(key, "resource.customizations.health.")] = script
	}
	return scripts
}

// script is a script that Argo CD runs.
type script struct {
	state *lua.LState
	code  *lua.LFunction
}

// newScript loads a script as Argo CD does: without libraries but those of tables, strings and math.
func newScript(t *testing.T, text string) script {
	t.Helper()
	l := lua.NewState(lua.Options{SkipOpenLibs: true})
	t.Cleanup(l.Close)
	for name, open := range map[string]lua.LGFunction{
		lua.BaseLibName: lua.OpenBase, lua.TabLibName: lua.OpenTable, lua.StringLibName: lua.OpenString, lua.MathLibName: lua.OpenMath,
	} {
		if err := l.CallByParam(lua.P{Fn: l.NewFunction(open), Protect: true}, lua.LString(name)); err != nil {
			t.Fatal(err)
		}
	}
	code, err := l.LoadString(text)
	if err != nil {
		t.Fatal(err)
	}
	return script{l, code}
}

// healthOf runs the script for an object, which it finds as obj.
func (s script) healthOf(t *testing.T, object map[string]any) string {
	t.Helper()
	s.state.SetGlobal("obj", valueOf(s.state, object))
	if err := s.state.CallByParam(lua.P{Fn: s.code, NRet: 1, Protect: true}); err != nil {
		t.Fatal(err)
	}
	answer, ok := s.state.Get(-1).(*lua.LTable)
	s.state.Pop(1)
	if !ok {
		t.Fatalf("the script of %s returns no table", object["kind"])
	}
	if message := answer.RawGetString("message"); message.Type() != lua.LTString {
		t.Errorf("the message is a %s", message.Type())
	}
	return answer.RawGetString("status").String()
}

// valueOf is a value of JSON in Lua.
func valueOf(l *lua.LState, value any) lua.LValue {
	switch v := value.(type) {
	case map[string]any:
		table := l.NewTable()
		for key, one := range v {
			table.RawSetString(key, valueOf(l, one))
		}
		return table
	case []any:
		table := l.NewTable()
		for _, one := range v {
			table.Append(valueOf(l, one))
		}
		return table
	case int64:
		return lua.LNumber(v)
	default:
		return lua.LString(fmt.Sprint(v))
	}
}

func read(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err == nil {
		err = yaml.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}
