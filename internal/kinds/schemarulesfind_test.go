package kinds

import (
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestSchemaRulesFindWhatTheyAreFor keeps the rules themselves honest: each must find what is wrong with a schema like this.
func TestSchemaRulesFindWhatTheyAreFor(t *testing.T) {
	tests := []struct {
		rule   string
		schema string
		want   string
	}{
		{rule: "every string, list and map has a bound", schema: `properties: {a: {type: string}}`, want: "maxLength"},
		{rule: "every string, list and map has a bound", schema: `properties: {a: {type: array}}`, want: "maxItems"},
		{
			rule: "every string, list and map has a bound", want: "maxProperties",
			schema: `properties: {a: {type: object, additionalProperties: {type: integer}}}`,
		},
		{
			rule: "every string, list and map has a bound", want: "maxLength",
			schema: `properties: {a: {type: array, maxItems: 2, items: {type: string}}}`,
		},
		{rule: "every list has a type", schema: `properties: {a: {type: array}}`, want: "x-kubernetes-list-type"},
		{rule: "every list has a type", schema: `properties: {a: {type: array, x-kubernetes-list-type: map}}`, want: "list-map-keys"},
		{rule: "integers are int32 or int64, and bounded", schema: `properties: {a: {type: integer}}`, want: "int32 or int64"},
		{
			rule: "integers are int32 or int64, and bounded", want: "minimum and a maximum",
			schema: `properties: {a: {type: integer, format: int32, minimum: 0}}`,
		},
		{rule: "there are no booleans except suspend, fractions and free forms", schema: `properties: {a: {type: boolean}}`, want: "boolean"},
		{rule: "there are no booleans except suspend, fractions and free forms", schema: `properties: {a: {type: number}}`, want: "number"},
		{rule: "there are no booleans except suspend, fractions and free forms", schema: `properties: {a: {type: object}}`, want: "say its properties"},
		{
			rule: "there are no booleans except suspend, fractions and free forms", want: "what the schema does not say",
			schema: `properties: {a: {type: object, x-kubernetes-preserve-unknown-fields: true}}`,
		},
		{rule: "enums are PascalCase", schema: `properties: {a: {type: string, enum: [Good, bad]}}`, want: `"bad"`},
		{rule: "enums are PascalCase", schema: `properties: {a: {type: string, enum: [SHOUTED_OUT]}}`, want: "SHOUTED_OUT"},
		{
			rule: "every value of an enum is explained", want: "what Bad means",
			schema: `properties: {a: {type: string, enum: [Good, Bad], description: Good does something.}}`,
		},
		{rule: "every field is described, beginning with its name", schema: `properties: {a: {type: string}}`, want: "must be described"},
		{
			rule: "every field is described, beginning with its name", want: `beginning with "site"`,
			schema: `properties: {site: {type: string, description: The site.}}`,
		},
		{rule: "durations have their unit in their name", schema: `properties: {retryDelay: {type: integer}}`, want: "retryDelaySeconds"},
		{rule: "durations have their unit in their name", schema: `properties: {wait: {format: duration}}`, want: "waitSeconds"},
		{rule: "times are fooTime", schema: `properties: {startedAt: {type: string, format: date-time}}`, want: "fooTime"},
		{rule: "references are fooRef", schema: `properties: {siteReference: {type: string}}`, want: "named fooRef"},
		{rule: "references are fooRef", schema: `properties: {siteRef: {properties: {name: {}}}}`, want: "all required"},
		{
			rule: "references are fooRef", want: "must have exactly",
			schema: `properties: {siteRef: {required: [name], properties: {name: {}, namespace: {}}}}`,
		},
		{
			rule: "references are fooRef", want: "must have exactly [key name]",
			schema: `properties: {signingSecretRef: {required: [name], properties: {name: {}}}}`,
		},
		{
			rule: "references, reviews and requests are one value", want: "must be of the map type atomic",
			schema: `properties: {siteRef: {required: [name], properties: {name: {}}}}`,
		},
		{
			rule: "references, reviews and requests are one value", want: "must be of the map type atomic",
			schema: `properties: {review: {x-kubernetes-map-type: granular, properties: {decision: {}}}}`,
		},
		{rule: "secrets are referred to, never carried", schema: `properties: {signingSecret: {type: string}}`, want: "fooSecretRef"},
		{rule: "secrets are referred to, never carried", schema: `properties: {apiKey: {type: string}}`, want: "fooSecretRef"},
		{rule: "defaults are few and static", schema: `properties: {a: {type: string, default: en}}`, want: `"en"`},
		{
			rule: "defaults are few and static", want: "its parent may be absent",
			schema: `properties: {spec: {properties: {a: {properties: {b: {type: string, enum: [One], default: One}}}}}}`,
		},
		{
			rule: "rules say what must be, and where", want: "fieldPath",
			schema: `{type: object, x-kubernetes-validations: [{rule: self.a, message: a must be}]}`,
		},
		{
			rule: "rules say what must be, and where", want: "must or may not",
			schema: `{type: object, x-kubernetes-validations: [{rule: self.a, message: invalid, fieldPath: .a}]}`,
		},
		{
			rule: "rules say what must be, and where", want: "echo its value",
			schema: `properties: {a: {type: string, x-kubernetes-validations: [{rule: "true", message: a must be, fieldPath: .a}]}}`,
		},
		{
			rule: "rules read nothing that may be missing", want: "has(self.status.a)",
			schema: `{properties: {status: {properties: {a: {properties: {b: {}}}}}},
				x-kubernetes-validations: [{rule: has(self.status) && self.status.a.b > 1}]}`,
		},
		{
			rule: "rules read nothing that may be missing", want: "has(oldSelf.a)",
			schema: `{properties: {a: {}}, x-kubernetes-validations: [{rule: "!has(self.a) || self.a == oldSelf.a"}]}`,
		},
		{
			rule: "long texts are bounded in bytes and never echoed", want: "in bytes",
			schema: `properties: {a: {type: string, maxLength: 20000}}`,
		},
		{
			rule: "long texts are bounded in bytes and never echoed", want: "echoes it",
			schema: `properties: {a: {type: string, maxLength: 10000, pattern: a}}`,
		},
		{
			rule: "unions name all members", want: "self.b",
			schema: `properties: {cms: {properties: {type: {}, a: {}, b: {}},
				x-kubernetes-validations: [{rule: "has(self.a) == (self.type == 'A')"}]}}`,
		},
	}
	found := map[string]bool{}
	for _, tt := range tests {
		var s schema
		if err := yaml.UnmarshalStrict([]byte(tt.schema), &s); err != nil {
			t.Fatalf("%s: %v", tt.schema, err)
		}
		found[tt.rule] = true
		if got := violations(tt.rule, &s); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s\ngot %q, want it to contain %q", tt.rule, tt.schema, got, tt.want)
		}
	}
	for _, rule := range schemaRules {
		if !found[rule.name] {
			t.Errorf("nothing proves the rule that %s", rule.name)
		}
	}
}

func violations(rule string, s *schema) string {
	var all []string
	walkFrom(node{schema: s}, func(n node) {
		for _, r := range schemaRules {
			if r.name == rule {
				all = append(all, r.check(n)...)
			}
		}
	})
	return strings.Join(all, "\n")
}
