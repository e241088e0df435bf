// Package scripted has models that answer by rule, good ones and bad ones. They speak chat
// completions, keep no state and call nobody: the same question always gets the same answer.
package scripted

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
)

// model answers a question.
type model func(q question) reply

// reply is the answer of a model.
type reply struct {
	text string
	// cut is whether the answer ended at its length limit.
	cut bool
}

// models by their names. Each has one bad habit; perfect and honest have none.
var models = map[string]model{
	"perfect": perfect, "sloppy": sloppy, "terse": terse, "endless": endless, "stuffer": stuffer, "inventor": inventor, "linker": linker,
	"wrong-language": wrongLanguage, "half-language": halfLanguage, "repeater": repeater, "json-breaker": jsonBreaker,
	"ignores-repairs": ignoresRepairs, "gets-worse": getsWorse, "obeys-injected-text": obeysInjectedText,
	"honest": honest, "wrong-source": wrongSource,
}

// Names returns the names of the models in order: perfect first.
func Names() []string {
	names := slices.Collect(maps.Keys(models))
	slices.SortFunc(names, func(a, b string) int {
		if a == "perfect" || b == "perfect" {
			return cmp.Compare(rank(a), rank(b))
		}
		return cmp.Compare(a, b)
	})
	return names
}

func rank(name string) int {
	if name == "perfect" {
		return 0
	}
	return 1
}

// Handler answers POST /chat/completions as a model does.
func Handler(name string) (http.Handler, error) {
	m, ok := models[name]
	if !ok {
		return nil, fmt.Errorf("there is no scripted model %q: it must be one of %v", name, Names())
	}
	return endpoint{name: name, model: m}, nil
}
