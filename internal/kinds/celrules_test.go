package kinds

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// wholeObject are the messages of rules that speak of an object as a whole and so name no field.
var wholeObject = []string{
	"generate or content must be set: an article is generated, written, or both",
	"model, baseURL and apiKeySecretRef may not be set for the type BuiltIn",
	"a revision may not change: another one is made instead",
	"a grant may not change: revoke it, and ask for another consent",
}

var mustOrMayNot = regexp.MustCompile(`\b(must|may not)\b`)

func checkRuleWords(n node) []string {
	var found []string
	for _, r := range n.XValidations {
		// A time is short, and the rule of conditions is about what a Condition of Kubernetes has.
		own := n.Type == "object" || n.Format == "date-time" || n.name == "conditions"
		if !own {
			found = append(found, fmt.Sprintf("may not have a rule of its own, which would echo its value: %s", r.Rule))
		}
		if !mustOrMayNot.MatchString(r.Message) || r.MessageExpression != "" {
			found = append(found, fmt.Sprintf("must have a message with must or may not: %q", r.Message))
		}
		if r.FieldPath == "" && n.Type == "object" && !slices.Contains(wholeObject, r.Message) {
			found = append(found, fmt.Sprintf("must have a fieldPath: %q", r.Message))
		}
	}
	return found
}

var (
	hasCall  = regexp.MustCompile(`has\(([A-Za-z.]+)\)`)
	selector = regexp.MustCompile(`\b(?:self|oldSelf)(?:\.[A-Za-z]+)+`)
)

// checkRuleReads looks for fields that a rule reads without asking has() first, although they may be missing.
func checkRuleReads(n node) []string {
	var found []string
	for _, r := range n.XValidations {
		asked := map[string]bool{}
		for _, call := range hasCall.FindAllStringSubmatch(r.Rule, -1) {
			asked[call[1]] = true
		}
		for _, path := range selector.FindAllString(r.Rule, -1) {
			for _, optional := range optionalSteps(n.schema, path) {
				if !asked[optional] {
					found = append(found, fmt.Sprintf("must ask has(%s) before it reads %s: %s", optional, path, r.Rule))
				}
			}
		}
	}
	return found
}

// optionalSteps returns the beginnings of a path that name a field which may be missing.
func optionalSteps(from *schema, path string) []string {
	steps := strings.Split(path, ".")
	var optional []string
	for i, step := range steps[1:] {
		property, ok := from.Properties[step]
		if !ok {
			break // A method of CEL, or metadata, which is always there.
		}
		if step != "metadata" && !slices.Contains(from.Required, step) && property.Default == nil {
			optional = append(optional, strings.Join(steps[:i+2], "."))
		}
		from = &property
	}
	return optional
}

// longText is the length in characters from which on a string's value may not be in an error.
const longText = 10_000

// largeText is the length in characters from which on a text has a bound in bytes too. A shorter one has at most 80 KB of UTF-8.
const largeText = 20_000

func checkLongText(n node) []string {
	if n.foreign || n.Type != "string" || n.MaxLength == nil || *n.MaxLength < longText {
		return nil
	}
	if n.Pattern != "" || n.Format != "" {
		return wrong("may not have a pattern or a format, whose error echoes it")
	}
	if n.parent == nil {
		return wrong("must have a parent, whose rules hold its bounds")
	}
	bounded := *n.MaxLength < largeText
	for p := n.parent; p != nil && !bounded; p = p.parent {
		bounded = slices.ContainsFunc(rulesOf(*p), func(rule string) bool {
			inBytes := strings.Contains(rule, "size(bytes(self.") && strings.Contains(rule, "."+n.name+")) <= ")
			// A text of ASCII characters alone has as many bytes as characters.
			inASCII := strings.Contains(rule, "self."+n.name+".matches('^([A-Za-z0-9")
			return inBytes || inASCII
		})
	}
	if !bounded {
		return wrong("must be bounded in bytes by a rule of its parent")
	}
	return nil
}
