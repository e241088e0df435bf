package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/internalv1alpha1"
	"github.com/pressroom-dev/pressroom/test/project"
)

// kinds are the Go types of the objects of each CRD.
var kinds = map[string]any{
	"Account": v1alpha1.Account{}, "AccountLedger": v1alpha1.AccountLedger{}, "APIKey": v1alpha1.APIKey{}, "Article": v1alpha1.Article{},
	"ArticleRevision": v1alpha1.ArticleRevision{}, "Brief": v1alpha1.Brief{}, "EventDelivery": v1alpha1.EventDelivery{},
	"EventSubscription": v1alpha1.EventSubscription{}, "IdempotencyRecord": internalv1alpha1.IdempotencyRecord{},
	"OAuthClient": v1alpha1.OAuthClient{}, "OAuthGrant": v1alpha1.OAuthGrant{}, "Post": v1alpha1.Post{}, "Site": v1alpha1.Site{},
}

// A value that kube-apiserver accepts and Go cannot decode makes each list of its kind fail, for every account.
func TestTheDecoderOfAFieldTakesWhatItsSchemaTakes(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(project.Root(), "config", "crd", "bases", "*.yaml"))
	if err != nil || len(files) != len(kinds) {
		t.Fatalf("%d CRDs, %v; want those of %d kinds", len(files), err, len(kinds))
	}
	d := &decoders{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var crd apiextensionsv1.CustomResourceDefinition
		if err := yaml.Unmarshal(data, &crd); err != nil {
			t.Fatal(err)
		}
		kind := crd.Spec.Names.Kind
		for _, version := range crd.Spec.Versions {
			d.walk(kind, version.Schema.OpenAPIV3Schema, reflect.TypeOf(kinds[kind]))
		}
	}
	for _, problem := range d.problems {
		t.Error(problem)
	}
	if len(d.times) < 20 {
		t.Errorf("only %d times were found: %v", len(d.times), d.times)
	}
	slices.Sort(d.times)
	t.Logf("%d times: %s", len(d.times), strings.Join(d.times, ", "))
}

// decoders compares schemas with Go types.
type decoders struct{ times, problems []string }

// walk compares a field, and those in it.
func (d *decoders) walk(path string, s *apiextensionsv1.JSONSchemaProps, of reflect.Type) {
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if of == reflect.TypeFor[metav1.Condition]() || strings.HasSuffix(path, ".metadata") {
		return // They are of Kubernetes. A rule of admission bounds the time of a condition.
	}
	if problem := d.problemOf(path, s, of); problem != "" {
		d.problems = append(d.problems, path+" "+problem)
	}
	switch {
	case s.Items != nil && s.Items.Schema != nil:
		d.walk(path+"[]", s.Items.Schema, of.Elem())
	case s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil:
		d.walk(path+"[]", s.AdditionalProperties.Schema, of.Elem())
	}
	for name := range s.Properties {
		field, ok := fieldOf(of, name)
		if !ok {
			d.problems = append(d.problems, fmt.Sprintf("%s.%s is no field of %s", path, name, of))
			continue
		}
		property := s.Properties[name]
		d.walk(path+"."+name, &property, field)
	}
}

// problemOf says why the decoder of a Go type may refuse what a schema takes; empty if it takes all of it.
func (d *decoders) problemOf(path string, s *apiextensionsv1.JSONSchemaProps, of reflect.Type) string {
	switch {
	case s.XIntOrString:
		return "is a number or a string: its type must decode both"
	case s.Format == "date-time":
		d.times = append(d.times, path)
		if good := []reflect.Type{reflect.TypeFor[v1alpha1.Time](), reflect.TypeFor[v1alpha1.MicroTime]()}; !slices.Contains(good, of) {
			return fmt.Sprintf("is a time of the type %s: it must be one whose decoder does not fail", of)
		}
	case s.Format == "int32" || s.Format == "int64":
		if of.Kind().String() != s.Format {
			return fmt.Sprintf("has the format %s and the type %s", s.Format, of)
		}
	case s.Format != "":
		return fmt.Sprintf("has the format %s: no type is known that takes all of it", s.Format)
	case s.Type == "integer" || s.Type == "number":
		return "is a number without a format"
	}
	return ""
}

// fieldOf returns the type of a struct's field by its name in the JSON.
func fieldOf(of reflect.Type, name string) (reflect.Type, bool) {
	if of.Kind() != reflect.Struct {
		return nil, false
	}
	for f := range of.Fields() {
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if tag == name {
			return f.Type, true
		}
		if f.Anonymous && tag == "" {
			if found, ok := fieldOf(f.Type, name); ok {
				return found, true
			}
		}
	}
	return nil, false
}
