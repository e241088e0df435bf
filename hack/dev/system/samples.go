package system

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
	sigsyaml "sigs.k8s.io/yaml"
)

// webhookPath is where the receiver takes webhooks.
const webhookPath = "/webhook"

// applyCustomer applies the account, workspace, signing secret and site of the samples.
func (s *System) applyCustomer(ctx context.Context) error {
	return s.applySamples(ctx, func(kind string) bool { return kind != articleKind })
}

// applyArticles applies the articles of the samples. It comes after the receiver has started.
func (s *System) applyArticles(ctx context.Context) error {
	return s.applySamples(ctx, func(kind string) bool { return kind == articleKind })
}

const articleKind = "Article"

// applySamples applies the wanted kinds of config/samples, one object after another. A sample of an earlier run that a person
// has changed, or that is published and therefore frozen, stays as it is.
func (s *System) applySamples(ctx context.Context, wanted func(kind string) bool) error {
	ctx, cancel := context.WithTimeout(ctx, shortly)
	defer cancel()
	text, err := s.Cluster.Kubectl(ctx, nil, "kustomize", s.config("samples"))
	if err != nil {
		return err
	}
	objects, err := decode(text)
	if err != nil {
		return fmt.Errorf("reading the samples: %w", err)
	}
	for _, object := range objects {
		if !wanted(object.GetKind()) {
			continue
		}
		if err := pointAt(object, s.ReceiverURL()+webhookPath); err != nil {
			return err
		}
		if err := s.applySample(ctx, object); err != nil {
			return err
		}
	}
	return nil
}

func decode(text string) ([]*unstructured.Unstructured, error) {
	decoder := yaml.NewYAMLOrJSONDecoder(strings.NewReader(text), len(text)+1)
	var objects []*unstructured.Unstructured
	for {
		object := &unstructured.Unstructured{}
		err := decoder.Decode(&object.Object)
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return nil, err
		}
		if len(object.Object) > 0 {
			objects = append(objects, object)
		}
	}
}

// pointAt gives a headless Site the address of the receiver, which may listen on another port than the sample says.
func pointAt(object *unstructured.Unstructured, url string) error {
	_, found, err := unstructured.NestedString(object.Object, "spec", "cms", "headless", "url")
	if err != nil || !found || object.GetKind() != "Site" {
		return err
	}
	return unstructured.SetNestedField(object.Object, url, "spec", "cms", "headless", "url")
}

// applySample applies one object. If that is refused and the object exists, it stays as it is.
func (s *System) applySample(ctx context.Context, object *unstructured.Unstructured) error {
	manifest, err := sigsyaml.Marshal(object.Object)
	if err != nil {
		return fmt.Errorf("writing a sample: %w", err)
	}
	_, refusal := s.Cluster.Kubectl(ctx, bytes.NewReader(manifest), "apply", "--server-side", fieldManager, "-f", "-")
	if refusal == nil {
		return nil
	}
	found, err := s.Cluster.Kubectl(ctx, bytes.NewReader(manifest), "get", "--ignore-not-found", "-o", "name", "-f", "-")
	if err != nil || strings.TrimSpace(found) == "" {
		return errors.Join(refusal, err)
	}
	s.Say("%s stays as you have made it: the sample of that name is not applied", strings.TrimSpace(found))
	return nil
}
