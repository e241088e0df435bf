package operation

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// CheckExpected compares the settings of something as somebody has read them with those that it has now. It returns a conflict that names
// every setting that is another one now. Members that are absent from what was read may be anything.
func CheckExpected(expected, now any, of string) error {
	read, err := members(expected)
	if err != nil {
		return err
	}
	current, err := members(now)
	if err != nil {
		return err
	}
	changed := differences("", read, current)
	if len(changed) == 0 {
		return nil
	}
	conflict := problem.Conflict(problem.ReasonSettingsChanged, "the settings of the "+of+" have changed since you read them")
	conflict.Problem.Details = changed
	return conflict
}

// members are those of a value in JSON.
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

// differences names the members that are not as they were read, and what they are now.
func differences(above string, read, now map[string]any) (found []problem.Detail) {
	for _, name := range slices.Sorted(maps.Keys(read)) {
		was, isObject := read[name].(map[string]any)
		if isObject {
			current, _ := now[name].(map[string]any)
			found = append(found, differences(above+name+".", was, current)...)
		} else if !reflect.DeepEqual(read[name], now[name]) {
			current, _ := json.Marshal(now[name]) //nolint:errchkjson // what was read from JSON can be written
			found = append(found, problem.Detail{Field: above + name, Message: "is " + string(current) + " now"})
		}
	}
	return found
}
