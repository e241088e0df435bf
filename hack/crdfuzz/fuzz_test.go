// Package crdfuzz proves that the programs read whatever kube-apiserver accepts. One object that cannot be decoded makes each list of its
// kind fail, and so stops the program for every account.
package crdfuzz

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/yaml"
	"pgregory.net/rapid"

	"github.com/pressroom-dev/pressroom/test/project"
)

// example is a valid object of a kind.
type example struct {
	crd    *crd
	object map[string]any
}

// examples reads testdata/objects.yaml.
func examples() ([]example, error) {
	crds, err := readCRDs()
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(filepath.Join("testdata", "objects.yaml"))
	if err != nil {
		return nil, err
	}
	var found []example
	documents := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(data), 4096)
	for {
		var object map[string]any
		if err := documents.Decode(&object); errors.Is(err, io.EOF) {
			return found, nil
		} else if err != nil {
			return nil, err
		}
		for _, c := range crds {
			if c.Spec.Names.Kind == object["kind"] {
				found = append(found, example{c, object})
			}
		}
	}
}

// changed returns a spec and a status that a seed makes of an example's.
func (e example) changed(seed int) (spec, status any) {
	root := e.crd.Spec.Versions[0].Schema.OpenAPIV3Schema
	ofSpec, ofStatus := root.Properties["spec"], root.Properties["status"]
	both := rapid.Custom(func(t *rapid.T) [2]any {
		made := [2]any{change(t, &ofSpec, e.object["spec"])}
		if ofStatus.Type != "" {
			made[1] = change(t, &ofStatus, map[string]any{})
		}
		return made
	}).Example(seed)
	return both[0], both[1]
}

func TestThereIsAnExampleOfEachKind(t *testing.T) {
	crds, err := readCRDs()
	if err != nil {
		t.Fatal(err)
	}
	all, err := examples()
	if err != nil || len(all) != len(crds) || len(crds) == 0 {
		t.Fatalf("there are %d examples of %d kinds: %v", len(all), len(crds), err)
	}
	for _, e := range all {
		t.Run(e.crd.Spec.Names.Kind, func(t *testing.T) {
			if accepted, err := running.store(t.Context(), e, e.object["spec"], nil); !accepted || err != nil {
				t.Errorf("accepted: %t, %v", accepted, err)
			}
		})
	}
}

// Half of what is generated is accepted, at least: otherwise the fuzz test looks at nothing.
func TestTheGeneratorMakesObjectsThatAreAccepted(t *testing.T) {
	all, err := examples()
	if err != nil {
		t.Fatal(err)
	}
	const tries = 12
	for _, e := range all {
		accepted := 0
		for seed := range tries {
			spec, status := e.changed(seed)
			ok, err := running.store(t.Context(), e, spec, status)
			if err != nil {
				t.Errorf("%s, seed %d: %v", e.crd.Spec.Names.Kind, seed, err)
			}
			if ok {
				accepted++
			}
		}
		if accepted < tries/2 {
			t.Errorf("%s: %d of %d objects were accepted", e.crd.Spec.Names.Kind, accepted, tries)
		}
	}
}

func FuzzWhatIsAcceptedIsRead(f *testing.F) {
	all, err := examples()
	if err != nil {
		f.Fatal(err)
	}
	for seed := range all {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed int) {
		kind := seed % len(all)
		if kind < 0 {
			kind += len(all)
		}
		e := all[kind]
		spec, status := e.changed(seed)
		if _, err := running.store(t.Context(), e, spec, status); err != nil {
			text, _ := json.MarshalIndent(map[string]any{"kind": e.crd.Spec.Names.Kind, "spec": spec, "status": status}, "", "  ")
			t.Errorf("%v\n%s", err, text)
		}
	})
}

// store creates an object and writes its status, has both programs read it, and deletes it. It reports whether kube-apiserver accepted the
// spec, and returns an error if a program cannot read it.
func (c *cluster) store(ctx context.Context, e example, spec, status any) (accepted bool, err error) {
	o := c.newObject(e)
	if accepted, err := persuade(spec, e.object["spec"], func(spec any) error { return o.create(ctx, spec) }); !accepted || err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, o.delete(context.WithoutCancel(ctx))) }()
	if status != nil {
		if _, err := persuade(status, nil, func(status any) error { return o.writeStatus(ctx, status) }); err != nil {
			return true, err
		}
	}
	return true, o.read(ctx)
}

// persuade writes a value. Each time that kube-apiserver refuses it, the fields that it names become again as they are in a valid value,
// and then what they are in.
func persuade(value, valid any, write func(any) error) (accepted bool, err error) {
	const tries = 6
	for above := range tries {
		err := write(value)
		if err == nil {
			return true, nil
		}
		if !apierrors.IsInvalid(err) && !apierrors.IsBadRequest(err) {
			return false, err
		}
		var refused apierrors.APIStatus
		if !errors.As(err, &refused) || refused.Status().Details == nil {
			return false, nil
		}
		for _, cause := range refused.Status().Details.Causes {
			field, _, _ := strings.Cut(cause.Field, "[")
			path := strings.Split(field, ".")
			withdraw(value, valid, path[1:max(1, len(path)-above/2)])
		}
	}
	return false, nil
}

// withdraw makes the field at a path as it is in a valid value.
func withdraw(value, valid any, path []string) {
	from, ok := value.(map[string]any)
	if !ok || len(path) == 0 {
		return
	}
	of, _ := valid.(map[string]any)
	is, there := of[path[0]]
	switch {
	case len(path) > 1:
		withdraw(from[path[0]], is, path[1:])
	case there:
		from[path[0]] = is
	default:
		delete(from, path[0])
	}
}

func folder(parts ...string) string {
	return filepath.Join(append([]string{project.Root()}, parts...)...)
}
