// Package reason has the reasons of conditions in words for people who see no manifests: for the answers of the REST API, and for the
// dashboard.
package reason

import (
	"cmp"
	"embed"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/embedded"
)

// Words are a reason in English for editors.
type Words struct {
	// Sentence says what is so, in lower case and without a full stop.
	Sentence string `json:"sentence"`
	// Label is what a badge says; the sentence if it is empty.
	Label string `json:"label"`
	// Advice is what to do about it; empty if there is nothing to do, or the sentence says it.
	Advice string `json:"advice"`
	// Alone means that the message of the condition speaks to operators, so that the sentence stands in its place.
	Alone bool `json:"alone"`
}

// wordsFile has the words of each reason of conditions.Reasons.
//
//go:embed words.yaml
var wordsFile embed.FS

// words are by the names of the reasons in conditions and in the REST API.
var words = func() map[string]Words {
	names := map[string]Words{}
	for name, w := range embedded.MustYAML[map[string]Words](wordsFile, "words.yaml") {
		names[name], names[operation.SnakeCase(name)] = w, w
	}
	return names
}()

// Of returns the words of a reason, by its name in a condition, such as WrongCredentials, or in the REST API, such as wrong_credentials.
func Of(name string) Words { return words[name] }

// Text is what a badge says.
func (w Words) Text() string {
	if w.Sentence == "" {
		return ""
	}
	return cmp.Or(w.Label, strings.ToUpper(w.Sentence[:1])+w.Sentence[1:])
}

// Message says for people why something is as a condition says.
func Message(c *metav1.Condition) string {
	if w := Of(c.Reason); w.Alone {
		return w.Sentence
	}
	return c.Message
}
