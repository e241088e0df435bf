package operation

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/apiserver/kube"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// IfMatch is embedded in the input of every operation that changes what an answer with an ETag has shown.
type IfMatch struct {
	IfMatch string `header:"If-Match" maxLength:"1000" doc:"ETag that you read: 412 if somebody has written since." example:"\"4-1.m0Vv3JwSgRlZ5sEhQIJbzT6uaLqXG8d1fN4PyKc7W2k\""`
}

// Tag returns the entity tag of an answer, in two parts: the version of what people have written, without a dot, and a hash of the body.
// If-Match compares the first part, so that a client's tag holds while the controller works; If-None-Match compares both.
func Tag(written string, body any) (string, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return "", fmt.Errorf("making an entity tag: %w", err)
	}
	sum := sha256.Sum256(data)
	return `"` + written + "." + base64.RawURLEncoding.EncodeToString(sum[:]) + `"`, nil
}

// Written returns the version of an object without its status.
func Written(o client.Object) string { return strconv.FormatInt(o.GetGeneration(), 10) }

// Remove deletes o and its dependents if If-Match holds and no GitOps tool applies it. The UID is a precondition, so that a later object
// of the same name stays. Every manifest of the kind has the field required, or a part of it.
func (s *Core) Remove(ctx context.Context, o client.Object, in IfMatch, required string) (*DeleteOutput, error) {
	if err := in.Check(Written(o)); err != nil {
		return nil, err
	}
	if err := kube.RefuseDelete(o, required); err != nil {
		return nil, err
	}
	same := client.Preconditions{UID: new(o.GetUID())}
	return &DeleteOutput{}, s.Client.Delete(ctx, o, same, client.PropagationPolicy(metav1.DeletePropagationBackground))
}

// Check returns an error if If-Match does not name the present version. A weak tag names nothing: only strong ones may guard a change
// (RFC 9110, section 13.1.1).
func (in IfMatch) Check(written string) error {
	if in.IfMatch == "" {
		return nil
	}
	unusable := false
	for one := range strings.SplitSeq(in.IfMatch, ",") {
		one = strings.TrimSpace(one)
		if one == "*" || strings.HasPrefix(one, `"`+written+".") {
			return nil
		}
		unusable = unusable || !strings.HasPrefix(one, `"`)
	}
	if unusable {
		return problem.UnusableTag()
	}
	return problem.PreconditionFailed()
}

// Seen is what a caller has seen of an object that it changes: the version that If-Match names, settings that it expects, or both. Nobody
// overwrites what they have not seen.
type Seen[S any] struct {
	IfMatch
	// Expected has members of the answer about the object, as the caller has read them; nil for none.
	Expected *S
}

// Check returns an error if the object is not as the caller has seen it. written is its version, of is what answers call it, and settings
// returns the answer about it. The conflict names every setting that has changed, with its present value.
func (s Seen[S]) Check(of, written string, settings func() (any, error)) error {
	if err := s.IfMatch.Check(written); err != nil || s.Expected == nil {
		return err
	}
	read, err := members(s.Expected)
	if err != nil {
		return err
	}
	now, err := settings()
	if err != nil {
		return err
	}
	current, err := members(now)
	if err != nil {
		return err
	}
	// A text that a manifest has may have blanks around it, which no body of a request has.
	trimTexts(read)
	trimTexts(current)
	changed := differences("", read, current)
	if len(changed) == 0 {
		return nil
	}
	return problem.Conflict(problem.ReasonSettingsChanged, "the settings of the "+of+" have changed since you read them", changed...)
}

// ExpectedSchema describes settings in a request as a client has read them: without bounds and null. The tag expected of their fields
// describes them.
func ExpectedSchema[S any](r huma.Registry, s *huma.Schema) *huma.Schema {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[S]()) {
		if doc := f.Tag.Get("expected"); doc != "" {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			read := *huma.SchemaFromType(r, f.Type)
			read.Nullable, read.Description = false, doc
			s.Properties[name] = &read
		}
	}
	return s
}

// members returns the members of a value in JSON.
func members(v any) (map[string]any, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("writing settings: %w", err)
	}
	var out map[string]any
	if err := json.Unmarshal(data, &out); err != nil {
		return nil, fmt.Errorf("reading settings: %w", err)
	}
	return out, nil
}

// trimTexts returns a value in which no text has blanks around it. It changes objects and arrays themselves.
func trimTexts(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name := range v {
			v[name] = trimTexts(v[name])
		}
	case []any:
		for i := range v {
			v[i] = trimTexts(v[i])
		}
	case string:
		return strings.TrimSpace(v)
	}
	return v
}

// differences returns the members that have changed since they were read, with their present values.
func differences(above string, read, now map[string]any) (found []problem.ErrorDetail) {
	for _, name := range slices.Sorted(maps.Keys(read)) {
		was, isObject := read[name].(map[string]any)
		if isObject {
			current, _ := now[name].(map[string]any)
			found = append(found, differences(above+name+".", was, current)...)
		} else if !reflect.DeepEqual(read[name], now[name]) {
			current, _ := json.Marshal(now[name]) //nolint:errchkjson // what was read from JSON can be written
			found = append(found, problem.ErrorDetail{Field: above + name, Message: "is " + string(current) + " now"})
		}
	}
	return found
}
