package kinds

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	api "github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/internalv1alpha1"
)

func TestGeneratedSchemasHoldTheRulesOfTheAPI(t *testing.T) {
	for _, c := range readCRDs(t) {
		t.Run(c.Spec.Names.Kind, func(t *testing.T) {
			walk(c, func(n node) {
				for _, rule := range schemaRules {
					for _, violation := range rule.check(n) {
						t.Errorf("%s: %s %s", rule.name, orRoot(n.path), violation)
					}
				}
			})
		})
	}
}

func TestGeneratedCRDsAreOfTheAPIGroup(t *testing.T) {
	wantScopes := map[string]apiextensionsv1.ResourceScope{
		"Account": apiextensionsv1.ClusterScoped, "AccountLedger": apiextensionsv1.ClusterScoped,
		"APIKey": apiextensionsv1.ClusterScoped, "Site": apiextensionsv1.NamespaceScoped,
		"Article": apiextensionsv1.NamespaceScoped, "ArticleRevision": apiextensionsv1.NamespaceScoped, "Post": apiextensionsv1.NamespaceScoped,
		"EventSubscription": apiextensionsv1.NamespaceScoped, "EventDelivery": apiextensionsv1.NamespaceScoped,
		"OAuthClient": apiextensionsv1.ClusterScoped, "OAuthGrant": apiextensionsv1.ClusterScoped,
		"IdempotencyRecord": apiextensionsv1.NamespaceScoped, "Brief": apiextensionsv1.NamespaceScoped,
	}
	for _, c := range readCRDs(t) {
		kind := c.Spec.Names.Kind
		want, ok := wantScopes[kind]
		if !ok {
			t.Errorf("there is a CRD of the unexpected kind %s", kind)
		}
		delete(wantScopes, kind)
		if c.Spec.Scope != want {
			t.Errorf("%s: scope = %s, want %s", kind, c.Spec.Scope, want)
		}
		group := api.GroupVersion.Group
		if kind == "IdempotencyRecord" {
			group = internalv1alpha1.GroupVersion.Group
		}
		if c.Spec.Group != group || len(c.Spec.Versions) != 1 || c.Spec.Versions[0].Name != api.GroupVersion.Version {
			t.Errorf("%s: want the group %s and the version %s", kind, group, api.GroupVersion.Version)
		}
	}
	if len(wantScopes) > 0 {
		t.Errorf("there are no CRDs for %v", wantScopes)
	}
}

// Anyone who has a role in a workspace may not list what is cluster-scoped, so the category would be forbidden to them in part.
// kube-apiserver keeps the objects of each served version in a watch cache of its own.
func TestEachCRDServesOneVersion(t *testing.T) {
	for _, c := range readCRDs(t) {
		var served []string
		for _, v := range c.Spec.Versions {
			if v.Served {
				served = append(served, v.Name)
			}
		}
		if len(served) != 1 {
			t.Errorf("%s serves %v, want one version", c.Spec.Names.Kind, served)
		}
		if c.Spec.Conversion != nil && c.Spec.Conversion.Strategy != apiextensionsv1.NoneConverter {
			t.Errorf("%s: conversion = %s, want none: an installation has no webhook", c.Spec.Names.Kind, c.Spec.Conversion.Strategy)
		}
	}
}

func TestShortNamesAreUniqueAndTheKindsOfAWorkspaceHaveACategory(t *testing.T) {
	owner := map[string]string{}
	for _, c := range readCRDs(t) {
		names := c.Spec.Names
		internal := c.Spec.Group == internalv1alpha1.GroupVersion.Group
		namespaced := c.Spec.Scope == apiextensionsv1.NamespaceScoped
		if namespaced && !internal && len(names.ShortNames) == 0 || internal && len(names.ShortNames) > 0 {
			t.Errorf("%s: internal = %t, short names = %v", names.Kind, internal, names.ShortNames)
		}
		if slices.Contains(names.Categories, "pressroom") != (namespaced && !internal) {
			t.Errorf("%s: namespaced = %t, categories = %v", names.Kind, namespaced, names.Categories)
		}
		for _, name := range append(names.ShortNames, names.Plural, names.Singular) {
			if other, taken := owner[name]; taken {
				t.Errorf("%s and %s are both called %s", names.Kind, other, name)
			}
			owner[name] = names.Kind
		}
	}
}

func TestStatusIsASubresourceThatBeginsUnobserved(t *testing.T) {
	for _, c := range readCRDs(t) {
		kind := c.Spec.Names.Kind
		status, ok := root(c).Properties["status"]
		if !ok {
			if kind != "AccountLedger" && kind != "Brief" && kind != "ArticleRevision" && kind != "Post" && kind != "IdempotencyRecord" {
				t.Errorf("%s must have a status", kind)
			}
			continue
		}
		if c.Spec.Versions[0].Subresources == nil || c.Spec.Versions[0].Subresources.Status == nil {
			t.Errorf("%s must have its status as a subresource", kind)
		}
		if status.Default == nil || string(status.Default.Raw) != `{"observedGeneration":-1}` {
			t.Errorf("%s: status must have the default observedGeneration: -1", kind)
		}
		observed := status.Properties["observedGeneration"]
		if observed.Format != "int64" || observed.Default == nil || string(observed.Default.Raw) != "-1" {
			t.Errorf("%s: status.observedGeneration must be an int64 with the default -1", kind)
		}
		conditions := status.Properties["conditions"]
		if conditions.XListType == nil || *conditions.XListType != "map" || !slices.Equal(conditions.XListMapKeys, []string{"type"}) ||
			conditions.MaxItems == nil || *conditions.MaxItems > 16 {
			t.Errorf("%s: status.conditions must be a map by type, of at most 16", kind)
		}
	}
}

func TestPrinterColumnsShowWhatIsThere(t *testing.T) {
	for _, c := range readCRDs(t) {
		columns := c.Spec.Versions[0].AdditionalPrinterColumns
		if len(columns) < 4 || columns[len(columns)-1].Name != "Age" {
			t.Errorf("%s must have printer columns, the last of them Age", c.Spec.Names.Kind)
		}
		for _, column := range columns {
			if !resolves(root(c), column.JSONPath) {
				t.Errorf("%s: the column %s shows %s, which is no field", c.Spec.Names.Kind, column.Name, column.JSONPath)
			}
		}
	}
}

// Who sees that something is not ready asks why.
func TestPrinterColumnsShowAReasonBesideAStatus(t *testing.T) {
	for _, c := range readCRDs(t) {
		shown := map[string]bool{}
		for _, column := range c.Spec.Versions[0].AdditionalPrinterColumns {
			if m := conditionPath.FindStringSubmatch(column.JSONPath); m != nil && column.Priority == 0 {
				shown[m[2]] = true
			}
		}
		if shown["status"] && !shown["reason"] {
			t.Errorf("%s: the columns show the status of a condition and no reason", c.Spec.Names.Kind)
		}
	}
}

// Lists are selected by field: a label may not hold every name that a Site may have.
func TestKindsAreSelectableByWhatTheyBelongTo(t *testing.T) {
	want := map[string][]string{
		"Article": {".spec.siteRef.name", ".status.phase"}, "EventSubscription": {".spec.siteRef.name", ".spec.createdByRef.name"}, "EventDelivery": {".spec.subscriptionRef.name", ".spec.articleRef.name"},
		"ArticleRevision": {".spec.articleRef.name", ".spec.source"}, "Post": {".spec.siteRef.name", ".spec.articleRef.name", ".spec.state"},
		"APIKey": {".spec.accountRef.name", ".spec.createdByRef.name"}, "OAuthClient": {".spec.accountRef.name", ".spec.createdByRef.name"},
		"OAuthGrant": {".spec.accountRef.name", ".spec.clientRef.name"},
	}
	for _, c := range readCRDs(t) {
		var got []string
		for _, field := range c.Spec.Versions[0].SelectableFields {
			got = append(got, field.JSONPath)
			if !resolves(root(c), field.JSONPath) {
				t.Errorf("%s: the selectable field %s is no field", c.Spec.Names.Kind, field.JSONPath)
			}
		}
		if !slices.Equal(got, want[c.Spec.Names.Kind]) {
			t.Errorf("%s: selectable fields = %v, want %v", c.Spec.Names.Kind, got, want[c.Spec.Names.Kind])
		}
	}
}

// conditionPath is how a column reads a condition.
var conditionPath = regexp.MustCompile(`^\.status\.conditions\[\?\(@\.type=="([A-Za-z]+)"\)\]\.(status|reason|message)$`)

// eitherPath is how a column shows the first of two fields that is set.
var eitherPath = regexp.MustCompile(`^(.+)\['([A-Za-z]+)','([A-Za-z]+)'\]$`)

// resolves reports whether a JSON path names a field of the schema, or part of a condition that the API knows.
func resolves(s *schema, path string) bool {
	if m := conditionPath.FindStringSubmatch(path); m != nil {
		known := []string{
			api.ConditionReady, api.ConditionGenerated, api.ConditionApproved, api.ConditionPublished, api.ConditionConnected,
			api.ConditionDelivered, api.ConditionDelivering,
		}
		_, ok := s.Properties["status"].Properties["conditions"]
		return ok && slices.Contains(known, m[1])
	}
	if m := eitherPath.FindStringSubmatch(path); m != nil {
		return resolves(s, m[1]+"."+m[2]) && resolves(s, m[1]+"."+m[3])
	}
	if path == ".metadata.creationTimestamp" {
		return true
	}
	for step := range strings.SplitSeq(strings.TrimPrefix(path, "."), ".") {
		name, ofLast := strings.CutSuffix(step, "[-1:]")
		name, ofFirst := strings.CutSuffix(name, "[0]")
		property, ok := s.Properties[name]
		if !ok || ((ofLast || ofFirst) && property.Items == nil) {
			return false
		}
		s = &property
		if ofLast || ofFirst {
			s = property.Items.Schema
		}
	}
	return true
}

func readCRDs(t *testing.T) []crd {
	t.Helper()
	crds, err := generatedCRDs()
	if err != nil {
		t.Fatal(err)
	}
	if len(crds) == 0 {
		t.Fatal("there are no CRDs in config/crd/bases")
	}
	return crds
}

func orRoot(path string) string {
	if path == "" {
		return "the object"
	}
	return fmt.Sprintf("%q", path)
}
