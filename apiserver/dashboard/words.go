package dashboard

import (
	"regexp"
	"strings"
	"time"
)

// statusWords are the statuses of articles (contract, section 2) in words.
var statusWords = map[string]string{
	"draft": "Draft", "generating": "Generating", "review": "In review", "approved": "Approved", "rejected": "Rejected",
	"scheduled": "Scheduled", "published": "Published", "failed": "Failed", "archived": "Archived",
}

// shortName returns who decided without the id of the key, which tells people of the same name apart.
func shortName(by string) string {
	name, _, _ := strings.Cut(by, " (api-key:")
	return name
}

// statusWord returns a status in words.
func statusWord(status string) string {
	if word, ok := statusWords[status]; ok {
		return word
	}
	return status
}

// scopeWords say what the scopes allow.
var scopeWords = map[string]string{
	"read":    "See articles, sites and deliveries.",
	"write":   "Generate, write, edit, publish and delete articles; test sites; event subscriptions.",
	"approve": "Approve and reject articles.",
	"manage":  "Connect, change and delete sites; make and revoke API keys.",
}

func scopeWord(scope string) string { return scopeWords[scope] }

// checkName is the name of a check for people, such as "Keyphrase in slug".
func checkName(name string) string {
	return strings.TrimSuffix(sentence(strings.NewReplacer("-", " ", "seo", "SEO").Replace(name)), ".")
}

// boundsPattern matches messages about the size of a field, which the REST API has from its schema.
var boundsPattern = regexp.MustCompile(`^expected (length|array length|number) (>=|<=) (-?\d+)$`)

// plainly returns what must be of a field without the words of a schema.
func plainly(message string) string {
	if m := boundsPattern.FindStringSubmatch(message); m != nil {
		most := map[string]string{">=": "at least ", "<=": "at most "}[m[2]] + m[3]
		return "must be " + map[string]string{
			"length": most + " characters long", "array length": most + " entries", "number": most,
		}[m[1]]
	}
	if what, ok := strings.CutPrefix(message, "expected string to be "); ok {
		return "must be " + what
	}
	if message == "is required" {
		return "must be entered"
	}
	return message
}

// stampPattern matches the times in messages, which are in UTC.
var stampPattern = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`)

// plainMessage returns a message of the controller with its times as pages show them, and with the reason that it begins with in words.
func plainMessage(message string, zone *time.Location) string {
	if name, rest, ok := strings.Cut(message, ": "); ok && name != "" && name[0] >= 'A' && name[0] <= 'Z' {
		for reason, words := range reasons {
			if strings.EqualFold(strings.ReplaceAll(reason, "_", ""), name) {
				message = words.Word + ": " + rest
			}
		}
	}
	return stampPattern.ReplaceAllStringFunc(message, func(stamp string) string {
		if at, ok := timeOf(stamp); ok {
			return at.In(zone).Format(timeForm)
		}
		return stamp
	})
}

// linkedText is a part of a message, with the path of the article that it stands for; empty if it is text.
type linkedText struct{ Text, Path string }

var uidPattern = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// linked returns a message whose uids of articles are links to them.
func (v *visit) linked(message string) []linkedText {
	var parts []linkedText
	for {
		at := uidPattern.FindStringIndex(message)
		if at == nil {
			return append(parts, linkedText{Text: message})
		}
		parts = append(parts, linkedText{Text: message[:at[0]]}, linkedText{"the other article", v.articlePath(message[at[0]:at[1]])})
		message = message[at[1]:]
	}
}
