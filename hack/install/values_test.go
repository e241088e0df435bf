//go:build e2e

package install

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/test/docpage"
)

func TestTheChartPassesLint(t *testing.T) {
	if out := newTool(t, "").run(t, "helm", "lint", "--strict", chart); !strings.Contains(out, "1 chart(s) linted, 0 chart(s) failed") {
		t.Error(out)
	}
}

// Artifact Hub shows the kinds that the chart installs.
func TestTheChartNamesItsKinds(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(chart, "Chart.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var about struct{ Annotations map[string]string }
	if err := yaml.Unmarshal(text, &about); err != nil {
		t.Fatal(err)
	}
	var named []struct{ Kind, Version, Name, DisplayName, Description string }
	if err := yaml.UnmarshalStrict([]byte(about.Annotations["artifacthub.io/crds"]), &named); err != nil {
		t.Fatal(err)
	}
	got, want := map[string]string{}, map[string]string{}
	for _, one := range named {
		got[one.Name] = one.Kind + " " + one.Version
		if one.DisplayName == "" || one.Description == "" {
			t.Errorf("%+v lacks words for people", one)
		}
	}
	for _, object := range newTool(t, "").render(t, systemNamespace) {
		if object.GetKind() != "CustomResourceDefinition" || !strings.HasSuffix(object.GetName(), ".pressroom.dev") ||
			strings.HasSuffix(object.GetName(), ".internal.pressroom.dev") {
			continue
		}
		spec, _ := object.Object["spec"].(map[string]any)
		want[object.GetName()] = fmt.Sprint(fieldOf(spec, "names", "kind"), " ", fieldOf(spec, "versions", "name"))
	}
	if !maps.Equal(got, want) {
		t.Errorf("Chart.yaml names %v, and the chart installs %v", got, want)
	}
}

func TestTheValuesOfThePagesAreAccepted(t *testing.T) {
	pages, err := docpage.Pages()
	if err != nil {
		t.Fatal(err)
	}
	o, found := newTool(t, ""), 0
	for _, page := range pages {
		blocks, err := docpage.Blocks(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range blocks {
			if strings.HasPrefix(b.Text, "# values.yaml\n") {
				found++
				o.render(t, systemNamespace, "--values", write(t, t.TempDir(), "values.yaml", b.Text))
			}
		}
	}
	if found < 5 {
		t.Errorf("the pages have only %d sets of values", found)
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
		{"a label that the chart sets", "commonLabels: {app.kubernetes.io/name: mine}", "commonLabels"},
		{"a field of the Pod with a value of its own", "controller: {podSpec: {tolerations: []}}", "podSpec"},
		{"another ServiceAccount", "apiserver: {podSpec: {serviceAccountName: mine}}", "podSpec"},
		{"another address for a probe", "apiserver: {livenessProbe: {httpGet: {path: /}}}", "livenessProbe"},
		{"a port of the nodes without any", "apiserver: {service: {nodePort: 30080}}", "nodePort"},
		{"source ranges without a load balancer", "apiserver: {service: {type: NodePort, loadBalancerSourceRanges: [10.0.0.0/8]}}", "loadBalancerSourceRanges"},
		{"the Secret of an Ingress as it was named before", "ingress: {enabled: true, hosts: [a.example.com], tlsSecretName: tls}", "tlsSecretName"},
		{"a proxy that speaks TLS", "egressProxy: {url: https://proxy.example.com:3128}", "url"},
		{"no proxy to resolve names", "egressProxy: {resolvesNames: true}", "url"},
		{"an object without a name", "extraObjects: [{apiVersion: v1, kind: ConfigMap, metadata: {}}]", "extraObjects"},
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
	if err != nil || len(files) < 16 {
		t.Fatalf("%d sets of values, %v", len(files), err)
	}
	for i, file := range files {
		if files[i], err = filepath.Abs(file); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// valuesNamed returns the path of a set of values.
func valuesNamed(t *testing.T, name string) string {
	t.Helper()
	sets := valueSets(t)
	i := slices.IndexFunc(sets, func(file string) bool { return filepath.Base(file) == name+".yaml" })
	if i < 0 {
		t.Fatalf("there is no set of values %s", name)
	}
	return sets[i]
}

// What a value is for is in the object that it is for.
func TestValuesAreInTheirObjects(t *testing.T) {
	o := newTool(t, "")
	rendered := map[string]map[string]map[string]any{}
	for _, tt := range []struct{ values, object, field, want string }{
		{"pods", "Deployment pressroom-controller", "metadata.annotations", `{"reloader.stakater.com/auto":"true"}`},
		{"pods", "Deployment pressroom-controller", "spec.revisionHistoryLimit", `3`},
		{"pods", "Deployment pressroom-apiserver", "spec.template.spec.hostAliases", `[{"hostnames":["models.internal"],"ip":"10.0.0.7"}]`},
		{"pods", "Deployment pressroom-apiserver", "spec.template.spec.dnsConfig", `{"options":[{"name":"ndots","value":"1"}]}`},
		{"pods", "Deployment pressroom-apiserver", "spec.template.spec.terminationGracePeriodSeconds", `120`},
		// What the manifest says of it stays.
		{
			"pods", "Deployment pressroom-apiserver", "spec.template.spec.securityContext",
			`{"fsGroup":65532,"runAsNonRoot":true,"seccompProfile":{"type":"RuntimeDefault"}}`,
		},
		{
			"pods", "Deployment pressroom-controller", "spec.template.spec.containers.livenessProbe",
			`{"failureThreshold":6,"httpGet":{"path":"/healthz","port":"health"},"initialDelaySeconds":0,"periodSeconds":20}`,
		},
		{
			"pods", "Deployment pressroom-apiserver", "spec.template.spec.containers.readinessProbe",
			`{"httpGet":{"path":"/readyz","port":"health"},"periodSeconds":5,"timeoutSeconds":5}`,
		},
		{"pods", "ServiceAccount pressroom-controller", "metadata.annotations", `{"eks.amazonaws.com/role-arn":"arn:aws:iam::123456789012:role/pressroom"}`},
		{"pods", "ServiceAccount pressroom-apiserver", "metadata.annotations", `{"eks.amazonaws.com/role-arn":"arn:aws:iam::123456789012:role/pressroom"}`},
		{"default", "ServiceAccount pressroom-apiserver", "metadata.annotations", `null`},
		{"load-balancer", "Service pressroom-apiserver", "spec.ports", `[{"name":"https","nodePort":30443,"port":8443,"targetPort":"http"}]`},
		{"load-balancer", "Service pressroom-apiserver", "spec.loadBalancerClass", `"service.k8s.aws/nlb"`},
		{"load-balancer", "Service pressroom-apiserver", "spec.loadBalancerSourceRanges", `["192.0.2.0/24","2001:db8::/32"]`},
		{"load-balancer", "Service pressroom-apiserver", "spec.ipFamilyPolicy", `"PreferDualStack"`},
		{"load-balancer", "Service pressroom-apiserver", "spec.externalTrafficPolicy", `"Local"`},
		{"load-balancer", "HTTPRoute pressroom-apiserver", "spec.rules.backendRefs", `[{"name":"pressroom-apiserver","port":8443}]`},
		{"default", "Service pressroom-apiserver", "spec.ports", `[{"name":"http","port":80,"targetPort":"http"}]`},
		{"tls", "Service pressroom-apiserver", "spec.ports", `[{"name":"https","port":443,"targetPort":"http"}]`},
		{
			"ingress", "Ingress pressroom-apiserver", "spec.tls",
			`[{"hosts":["api.example.com"],"secretName":"pressroom-api"},{"hosts":["app.example.com"],"secretName":"pressroom-app"}]`,
		},
		{
			"monitoring", "PodMonitor pressroom-controller", "spec.podMetricsEndpoints",
			`[{"interval":"15s","metricRelabelings":[{"action":"drop","regex":"go_.*","sourceLabels":["__name__"]}],` +
				`"path":"/metrics","port":"metrics","relabelings":[{"replacement":"eu-1","targetLabel":"cluster"}]}]`,
		},
		{"proxy", "Deployment pressroom-apiserver", "spec.template.spec.containers.args", `["apiserver","--system-namespace=$(POD_NAMESPACE)",` +
			`"--bind-address=:8080","--metrics-bind-address=:8082","--health-probe-bind-address=:8083","--session-key-file=/etc/pressroom/session/keys",` +
			`"--egress-proxy=http://pressroom:$(PROXY_PASSWORD)@proxy.example.com:3128","--egress-proxy-resolves"]`},
		{"labels", "ConfigMap pressroom-notes", "data", `{"namespace":"pressroom-system"}`},
		{"scheduling", "Deployment pressroom-controller", "spec.template.spec.topologySpreadConstraints.topologyKey", `"topology.kubernetes.io/zone"`},
		{"default", "Deployment pressroom-controller", "spec.template.spec.topologySpreadConstraints.topologyKey", `"kubernetes.io/hostname"`},
		{"default", "PodDisruptionBudget pressroom-controller", "spec.maxUnavailable", `1`},
		{"image", "PodDisruptionBudget pressroom-apiserver", "", `null`},
		// The test of a release runs where the controller may, with the image of the release.
		{"scheduling", "Pod pressroom-test", "spec.nodeSelector", `{"kubernetes.io/arch":"arm64"}`},
		{"image", "Pod pressroom-test", "spec.imagePullSecrets", `[{"name":"registry"}]`},
	} {
		if rendered[tt.values] == nil {
			rendered[tt.values] = map[string]map[string]any{}
			for _, object := range o.render(t, systemNamespace, "--values", valuesNamed(t, tt.values)) {
				rendered[tt.values][object.GetKind()+" "+object.GetName()] = object.Object
			}
		}
		got, err := json.Marshal(fieldOf(rendered[tt.values][tt.object], strings.Split(tt.field, ".")...))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != tt.want {
			t.Errorf("%s: %s of %s is %s, want %s", tt.values, tt.field, tt.object, got, tt.want)
		}
	}
}

// fieldOf returns a field below others, of a list that of its first item; nil if it is not there.
func fieldOf(object map[string]any, path ...string) any {
	var value any = object
	if object == nil {
		return nil
	}
	for _, name := range path {
		if list, ok := value.([]any); ok && len(list) > 0 {
			value = list[0]
		}
		fields, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = fields[name]
	}
	return value
}
