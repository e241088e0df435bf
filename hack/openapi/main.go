// Command openapi prints the OpenAPI document: what the code of the REST API says of its operations, completed by an overlay.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"

	overlays "github.com/speakeasy-api/openapi/overlay"
	yamlv3 "gopkg.in/yaml.v3"
	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

const overlayFile = "apiserver/rest/document/overlay.yaml"

func main() {
	text, err := generate(overlayFile)
	if err == nil {
		_, err = os.Stdout.Write(text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "openapi:", err)
		os.Exit(1)
	}
}

// generate returns the document as indented JSON.
func generate(overlayFile string) ([]byte, error) {
	operations, err := rest.Operations()
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(overlayFile)
	if err != nil {
		return nil, fmt.Errorf("reading the overlay: %w", err)
	}
	// Anchors are YAML's and unknown to overlays.
	overlay, err := yaml.YAMLToJSON(text)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", overlayFile, err)
	}
	completed, err := complete(operations, overlay, connections())
	if err != nil {
		return nil, fmt.Errorf("applying %s: %w", overlayFile, err)
	}
	return indented(completed)
}

// complete adds schemas, applies the overlay, and then names and opens what holds for the whole document.
func complete(operations, overlay []byte, more map[string]any) (tree, error) {
	var d tree
	var o struct {
		// Operations say what each operation does, by its id.
		Operations map[string]prose `json:"x-operations"`
	}
	if err := json.Unmarshal(operations, &d); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(overlay, &o); err != nil {
		return nil, err
	}
	if err := d.describeOperations(o.Operations); err != nil {
		return nil, err
	}
	maps.Copy(d.schemas(), more)
	whole, err := indented(d)
	if err != nil {
		return nil, err
	}
	completed, err := apply(whole, overlay)
	if err != nil {
		return nil, err
	}
	clear(d)
	if err := yaml.Unmarshal(completed, &d); err != nil {
		return nil, err
	}
	d.nameEnums()
	if err := d.openAnswers(); err != nil {
		return nil, err
	}
	return d, nil
}

// apply applies an overlay to a document. An action that finds or changes nothing is a mistake.
func apply(document, overlay []byte) ([]byte, error) {
	var o overlays.Overlay
	var d yamlv3.Node
	if err := errors.Join(yamlv3.Unmarshal(overlay, &o), yamlv3.Unmarshal(document, &d)); err != nil {
		return nil, err
	}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	warnings, err := o.ApplyToStrict(&d)
	if err != nil {
		return nil, err
	}
	if len(warnings) > 0 {
		return nil, errors.New(strings.Join(warnings, "; "))
	}
	return yamlv3.Marshal(&d)
}

func indented(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(value)
	return b.Bytes(), err
}
