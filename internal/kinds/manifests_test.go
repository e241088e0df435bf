package kinds

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// fieldOwner is who applies in these tests.
const fieldOwner = client.FieldOwner("tests")

// manifests reads the objects of one YAML file of the project.
func manifests(path ...string) []*unstructured.Unstructured {
	GinkgoHelper()
	objs, err := readManifests(folder(path...))
	Expect(err).NotTo(HaveOccurred())
	return objs
}

func readManifests(file string) ([]*unstructured.Unstructured, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	objs, err := parseManifests(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return objs, nil
}

func parseManifests(data []byte) (objs []*unstructured.Unstructured, err error) {
	docs := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(data), 4096)
	for {
		obj := &unstructured.Unstructured{}
		if err := docs.Decode(&obj.Object); errors.Is(err, io.EOF) {
			return objs, nil
		} else if err != nil {
			return nil, err
		}
		if len(obj.Object) > 0 {
			objs = append(objs, obj)
		}
	}
}

// manifestFiles returns the YAML files at and below a folder, without kustomizations, sorted.
func manifestFiles(root string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == ".github" { // It has workflows.
			return fs.SkipDir
		}
		if err == nil && filepath.Ext(path) == ".yaml" && d.Name() != "kustomization.yaml" {
			files = append(files, path)
		}
		return err
	})
	slices.Sort(files)
	return files, err
}

func apply(ctx context.Context, c client.Client, obj *unstructured.Unstructured, opts ...client.ApplyOption) error {
	return c.Apply(ctx, client.ApplyConfigurationFromUnstructured(obj), append(opts, fieldOwner)...)
}

func createNamespace(ctx context.Context, name string) {
	GinkgoHelper()
	err := admin.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}})
	Expect(client.IgnoreAlreadyExists(err)).To(Succeed())
}

// newNamespace makes a namespace for one spec.
func newNamespace(ctx context.Context) string {
	GinkgoHelper()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "spec-"}}
	Expect(admin.Create(ctx, ns)).To(Succeed())
	return ns.Name
}

// refusal is one thing that kube-apiserver finds wrong with an object.
type refusal struct{ kind, field, message string }

// refusals returns what an error of kube-apiserver finds wrong, by field. What it says of the object as a whole repeats that.
func refusals(err error) []refusal {
	var status apierrors.APIStatus
	if !errors.As(err, &status) || status.Status().Details == nil {
		return nil
	}
	var all []refusal
	for _, cause := range status.Status().Details.Causes {
		if cause.Field != "<nil>" {
			all = append(all, refusal{kind: status.Status().Details.Kind, field: cause.Field, message: cause.Message})
		}
	}
	return all
}

// fieldsOf returns the fields that an error of kube-apiserver finds something wrong with.
func fieldsOf(err error) []string {
	var fields []string
	for _, r := range refusals(err) {
		fields = append(fields, r.field)
	}
	return fields
}
