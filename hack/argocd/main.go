// Command argodiff says which objects Argo CD would show as out of sync, by Argo CD's own library: three ways where kubectl has left what
// it applied last, two ways elsewhere, and by what kube-apiserver would make of the manifest.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/argoproj/argo-cd/gitops-engine/pkg/diff"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func main() {
	wanted := flag.String("wanted", "", "a List of the objects in Git")
	live := flag.String("live", "", "a List of the same objects in the cluster")
	predicted := flag.String("predicted", "", "a List of what a server-side dry run makes of them; if given, Argo CD's server-side diff is used")
	flag.Parse()
	out, err := outOfSync(*wanted, *live, *predicted)
	for _, one := range out {
		fmt.Println(one)
	}
	if err == nil && len(out) > 0 {
		err = errors.New("not all objects are in sync")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// outOfSync compares each object in Git with that of the cluster.
func outOfSync(wantedFile, liveFile, predictedFile string) (out []string, err error) {
	wanted, err := read(wantedFile)
	if err != nil {
		return nil, err
	}
	live, err := byName(liveFile)
	if err != nil {
		return nil, err
	}
	var options []diff.Option
	if predictedFile != "" {
		predicted, err := byName(predictedFile)
		if err != nil {
			return nil, err
		}
		options = []diff.Option{diff.WithServerSideDiff(true), diff.WithServerSideDryRunner(dryRun(predicted)), diff.WithIgnoreMutationWebhook(false)}
	}
	for i := range wanted {
		object := &wanted[i]
		result, err := diff.Diff(object, live[nameOf(object)], options...)
		if err != nil {
			return out, fmt.Errorf("comparing %s: %w", nameOf(object), err)
		}
		if result.Modified {
			out = append(out, fmt.Sprintf("%s\n  live:      %s\n  predicted: %s", nameOf(object), result.NormalizedLive, result.PredictedLive))
		}
	}
	return out, nil
}

// dryRun has the answers of kube-apiserver.
type dryRun map[string]*unstructured.Unstructured

// Run returns the object that kube-apiserver would store.
func (d dryRun) Run(_ context.Context, object *unstructured.Unstructured, _ string) (string, error) {
	text, err := json.Marshal(d[nameOf(object)])
	if err != nil {
		return "", fmt.Errorf("writing the prediction: %w", err)
	}
	return string(text), nil
}

func byName(file string) (map[string]*unstructured.Unstructured, error) {
	objects, err := read(file)
	all := map[string]*unstructured.Unstructured{}
	for i := range objects {
		all[nameOf(&objects[i])] = &objects[i]
	}
	return all, err
}

func nameOf(object *unstructured.Unstructured) string {
	return object.GetKind() + " " + object.GetNamespace() + "/" + object.GetName()
}

// read reads a List.
func read(file string) ([]unstructured.Unstructured, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading objects: %w", err)
	}
	var list unstructured.UnstructuredList
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("parsing %s: %w", file, err)
	}
	if len(list.Items) == 0 {
		return nil, fmt.Errorf("%s must be a List with items", file)
	}
	return list.Items, nil
}
