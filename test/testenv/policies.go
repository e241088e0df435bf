package testenv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// installPolicies creates the admission policies and bindings of a folder.
func installPolicies(config *rest.Config, folder string) error {
	c, err := client.New(config, client.Options{})
	if err != nil {
		return fmt.Errorf("making a client: %w", err)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return fmt.Errorf("looking for policies: %w", err)
	}
	for _, file := range files {
		if filepath.Base(file) == "kustomization.yaml" {
			continue
		}
		if err := createAll(c, file); err != nil {
			return fmt.Errorf("installing %s: %w", filepath.Base(file), err)
		}
	}
	return nil
}

func createAll(c client.Client, file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	docs := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(data), 4096)
	for {
		obj := &unstructured.Unstructured{}
		if err := docs.Decode(&obj.Object); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if len(obj.Object) == 0 {
			continue
		}
		if err := c.Create(context.Background(), obj); err != nil {
			return err
		}
	}
}
