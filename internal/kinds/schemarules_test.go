package kinds

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// schemaRule returns what is wrong with one node of a schema; nothing if that is as it must be.
type schemaRule struct {
	name  string
	check func(node) []string
}

// schemaRules are the rules of the API that a schema shows (docs/contributing/design.md, API rules).
var schemaRules = []schemaRule{
	{"every string, list and map has a bound", checkBound},
	{"every list has a type", checkListType},
	{"integers are int32 or int64, and bounded", checkInteger},
	{"there are no booleans except suspend, fractions and free forms", checkType},
	{"enums are PascalCase", checkEnum},
	{"every value of an enum is explained", checkEnumText},
	{"every field is described, beginning with its name", checkDescription},
	{"durations have their unit in their name", checkDuration},
	{"times are fooTime", checkTime},
	{"references are fooRef", checkReference},
	{"references, reviews and requests are one value", checkAtomic},
	{"secrets are referred to, never carried", checkSecret},
	{"defaults are few and static", checkDefault},
	{"rules say what must be, and where", checkRuleWords},
	{"rules read nothing that may be missing", checkRuleReads},
	{"long texts are bounded in bytes and never echoed", checkLongText},
	{"unions name all members", checkUnion},
}

func wrong(format string, args ...any) []string { return []string{fmt.Sprintf(format, args...)} }

func checkBound(n node) []string {
	switch n.Type {
	case "string":
		if n.MaxLength == nil && len(n.Enum) == 0 && n.Format != "date-time" {
			return wrong("must have a maxLength, an enum or the format date-time")
		}
	case "array":
		if n.MaxItems == nil {
			return wrong("must have maxItems")
		}
	case "object":
		if n.AdditionalProperties != nil && n.MaxProperties == nil {
			return wrong("must have maxProperties")
		}
	}
	return nil
}

func checkListType(n node) []string {
	if n.Type != "array" {
		return nil
	}
	if n.XListType == nil {
		return wrong("must have x-kubernetes-list-type")
	}
	if *n.XListType == "map" && len(n.XListMapKeys) == 0 {
		return wrong("must have x-kubernetes-list-map-keys")
	}
	return nil
}

func checkInteger(n node) []string {
	if n.Type != "integer" {
		return nil
	}
	if n.Format != "int32" && n.Format != "int64" {
		return wrong("must be int32 or int64, not %q", n.Format)
	}
	if !n.foreign && (n.Minimum == nil || n.Maximum == nil) {
		return wrong("must have a minimum and a maximum")
	}
	return nil
}

func checkType(n node) []string {
	if n.Type == "boolean" && n.path == "spec.suspend" {
		return nil // Kubernetes and GitOps tools have it as a boolean on every kind that can be suspended.
	}
	if !slices.Contains([]string{"string", "array", "object", "integer"}, n.Type) {
		return wrong("may not be of the type %q", n.Type)
	}
	if n.XIntOrString || n.XPreserveUnknownFields != nil || n.XEmbeddedResource {
		return wrong("may not take what the schema does not say")
	}
	if n.Type == "object" && len(n.Properties) == 0 && n.AdditionalProperties == nil {
		return wrong("must say its properties")
	}
	return nil
}

var pascalCase = regexp.MustCompile(`^"[A-Z][A-Za-z0-9]*"$`)

func checkEnum(n node) []string {
	for _, value := range n.Enum {
		if !pascalCase.Match(value.Raw) {
			return wrong("may not have the value %s", value.Raw)
		}
	}
	return nil
}

func checkEnumText(n node) []string {
	description := n.Description
	if n.name == "" && n.parent != nil { // An item of a list.
		description = n.parent.Description
	}
	var found []string
	for _, value := range n.Enum {
		word := strings.Trim(string(value.Raw), `"`)
		if !n.foreign && !strings.Contains(description, word) {
			found = append(found, fmt.Sprintf("must say what %s means", word))
		}
	}
	return found
}

func checkDescription(n node) []string {
	if n.name == "" && n.parent != nil && n.Type != "object" {
		return nil // The plain items of a list are described by the list.
	}
	if n.Description == "" {
		return wrong("must be described")
	}
	if n.name != "" && !n.foreign && !regexp.MustCompile(`^`+n.name+`\b`).MatchString(n.Description) {
		return wrong("must be described beginning with %q", n.name)
	}
	return nil
}

var (
	durationName = regexp.MustCompile(`(?i)(duration|timeout|interval|delay|backoff|period|ttl|lifetime|minutes|hours|days)$`)
	referenceRef = regexp.MustCompile(`[a-z]Ref$`)
	referenceBad = regexp.MustCompile(`(References?|Refs|Secret|SecretName|ConfigMap|ConfigMapName)$`)
	secretName   = regexp.MustCompile(`(?i)(secret|password|passphrase|token|credentials?|apiKey|privateKey|signature)$`)
)

func checkDuration(n node) []string {
	if durationName.MatchString(n.name) || n.Format == "duration" {
		return wrong("must be an integer named %sSeconds", n.name)
	}
	return nil
}

// timeWords are the names of times that say more than a name with Time would.
var timeWords = []string{"failingSince", "publishAfter", "time"}

func checkTime(n node) []string {
	if n.foreign || n.Format != "date-time" || n.name == "" || strings.HasSuffix(n.name, "Time") || slices.Contains(timeWords, n.name) {
		return nil
	}
	return wrong("is a time, and must be named fooTime")
}

func checkReference(n node) []string {
	if referenceBad.MatchString(n.name) {
		return wrong("must be a reference named fooRef")
	}
	if !referenceRef.MatchString(n.name) {
		return nil
	}
	want := []string{"name"}
	// Several values of one Secret have keys that the program says.
	if strings.HasSuffix(n.name, "SecretRef") && n.name != "credentialsSecretRef" {
		want = []string{"key", "name"}
	}
	// Not only objects make credentials.
	if n.name == "createdByRef" {
		want = []string{"kind", "name"}
	}
	got := propertyNames(n)
	if !slices.Equal(got, want) || !slices.Equal(slices.Sorted(slices.Values(n.Required)), want) {
		return wrong("must have exactly %v, all required, not %v", want, got)
	}
	return nil
}

func checkAtomic(n node) []string {
	_, decides := n.Properties["decision"]
	if !referenceRef.MatchString(n.name) && n.name != "generate" && !(n.name == "review" && decides) {
		return nil
	}
	if n.XMapType == nil || *n.XMapType != "atomic" {
		return wrong("must be of the map type atomic")
	}
	return nil
}

func propertyNames(n node) []string {
	names := make([]string, 0, len(n.Properties))
	for name := range n.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func checkSecret(n node) []string {
	if n.Type == "string" && secretName.MatchString(n.name) {
		return wrong("may not carry a secret: a fooSecretRef names it")
	}
	return nil
}

func checkDefault(n node) []string {
	switch {
	case n.Default == nil:
	case string(n.Default.Raw) == "{}":
	case !isDefaulted(n.parent):
		return wrong("may not have a default while its parent may be absent and has none")
	case len(n.Enum) > 0:
	case n.path == "status" && string(n.Default.Raw) == `{"observedGeneration":-1}`:
	case n.path == "status.observedGeneration" && string(n.Default.Raw) == "-1":
	default:
		return wrong("may not have the default %s", n.Default.Raw)
	}
	return nil
}

// isDefaulted reports whether an object is always present if its parent is, or if its union has a type that requires it.
func isDefaulted(n *node) bool {
	if n == nil || n.parent == nil || n.Default != nil || slices.Contains(n.parent.Required, n.name) {
		return true
	}
	_, union := n.parent.Properties["type"]
	return union || n.name == "status"
}

func checkUnion(n node) []string {
	if _, ok := n.Properties["type"]; !ok || n.name != "cms" {
		return nil
	}
	var missing []string
	for name, property := range n.Properties {
		rule := fmt.Sprintf("has(self.%s) == (self.type == '", name)
		// Members are objects; type and what all types have are texts.
		if name != "type" && property.Type != "string" && !slices.ContainsFunc(rulesOf(n), func(r string) bool { return strings.HasPrefix(r, rule) }) {
			missing = append(missing, fmt.Sprintf("must have a rule %s...", rule))
		}
	}
	return missing
}

func rulesOf(n node) []string {
	rules := make([]string, len(n.XValidations))
	for i, r := range n.XValidations {
		rules[i] = r.Rule
	}
	return rules
}
