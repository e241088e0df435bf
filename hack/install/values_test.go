//go:build e2e

package install

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

func TestTheChartPassesLint(t *testing.T) {
	if out := newTool(t, "").run(t, "helm", "lint", "--strict", chart); !strings.Contains(out, "1 chart(s) linted, 0 chart(s) failed") {
		t.Error(out)
	}
}

// What values.yaml lacks, nobody finds; what the schema lacks, nobody can set.
func TestTheSchemaAndTheValuesNameTheSame(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(chart, "values.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var values map[string]any
	if err := yaml.UnmarshalStrict(text, &values); err != nil {
		t.Fatal(err)
	}
	if text, err = os.ReadFile(filepath.Join(chart, "values.schema.json")); err != nil {
		t.Fatal(err)
	}
	var schema node
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	delete(schema.Properties, "global")
	schema.compare(t, "", values, schema.Definitions)
}

// node is what a schema says of properties.
type node struct {
	Properties           map[string]node `json:"properties"`
	AdditionalProperties any             `json:"additionalProperties"`
	Ref                  string          `json:"$ref"`
	Definitions          map[string]node `json:"definitions"`
}

// compare compares the fields of an object, and those of its objects.
func (n node) compare(t *testing.T, path string, values map[string]any, definitions map[string]node) {
	t.Helper()
	if n.Ref != "" {
		n = definitions[strings.TrimPrefix(n.Ref, "#/definitions/")]
	}
	// An object of Kubernetes has other fields too.
	if open, isBool := n.AdditionalProperties.(bool); !isBool || open || n.Properties["limits"].Properties != nil {
		return
	}
	if want, got := slices.Sorted(maps.Keys(n.Properties)), slices.Sorted(maps.Keys(values)); !slices.Equal(want, got) {
		t.Errorf("values%s has %v, the schema %v", path, got, want)
	}
	for field, value := range values {
		if object, ok := value.(map[string]any); ok {
			n.Properties[field].compare(t, path+"."+field, object, definitions)
		}
	}
}

func TestValuesThatCannotWorkAreRefused(t *testing.T) {
	o := newTool(t, "")
	for _, tt := range []struct{ name, values, want string }{
		{"a field that is not there", "controler: {}", "controler"},
		{"a model's type without a model", "controller: {generator: {type: OpenAI}}", "model"},
		{"a model without its type", "controller: {generator: {model: small}}", "model"},
		{"an endpoint without its type", "controller: {generator: {baseURL: https://models.example.com/v1}}", "baseURL"},
		{"a model's key without its type", "controller: {generator: {apiKeySecret: {name: model}}}", "apiKeySecret"},
		{"an unknown generator", "controller: {generator: {type: Ollama}}", "type"},
		{"a price with a currency sign", "controller: {generator: {prices: {input: $1}}}", "prices"},
		{"no memory limit", "controller: {resources: {limits: {memory: null, cpu: 1}}}", "memory"},
		{"a memory limit that GOMEMLIMIT cannot be computed from", "apiserver: {resources: {limits: {memory: 1500M}}}", "memory"},
		{"a range that is an address", "controller: {denyCIDRs: [10.0.0.1]}", "denyCIDRs"},
		{"a base URL with a slash at its end", "apiserver: {baseURL: https://api.example.com/}", "baseURL"},
		{"pages below a path", "apiserver: {appURL: https://example.com/app}", "appURL"},
		{"an issuer without a client", "apiserver: {oidc: {issuer: https://login.example.com}}", "clientID"},
		{"an Ingress without a host", "ingress: {enabled: true}", "hosts"},
		{"an HTTPRoute without a Gateway", "httpRoute: {enabled: true}", "parentRefs"},
		{"a certificate without a Secret", "apiserver: {tls: {certificate: {enabled: true, issuerRef: {name: ca}}}}", "secretName"},
		{"a certificate without an issuer", "apiserver: {tls: {secretName: tls, certificate: {enabled: true}}}", "name"},
		{"a memory limit of the garbage collector beside the chart's", "apiserver: {extraEnv: [{name: GOMEMLIMIT, value: 1GiB}]}", "extraEnv"},
		{"a flag without hyphens", "controller: {extraArgs: [suspend]}", "extraArgs"},
		{"a tag as a digest", "image: {digest: v1}", "digest"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			values := write(t, t.TempDir(), "values.yaml", tt.values)
			if _, err := o.try(t, nil, "helm", "template", release, chart, "--values", values); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("err = %v, want one about %s", err, tt.want)
			}
		})
	}
}

// valueSets are files of testdata/values.
func valueSets(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/values/*.yaml")
	if err != nil || len(files) < 12 {
		t.Fatalf("%d sets of values, %v", len(files), err)
	}
	for i, file := range files {
		if files[i], err = filepath.Abs(file); err != nil {
			t.Fatal(err)
		}
	}
	return files
}
