package moneywalk_test

import (
	"encoding/json"
	"errors"
)

// merged returns the object after a merge patch (RFC 7396). The patch changes the status, or everything else.
func merged(before, data []byte, status bool) ([]byte, error) {
	var was, patch map[string]any
	if err := errors.Join(json.Unmarshal(before, &was), json.Unmarshal(data, &patch)); err != nil {
		return nil, err
	}
	for name := range patch {
		if (name == "status") != status {
			delete(patch, name)
		}
	}
	return json.Marshal(merge(was, patch))
}

func merge(into any, patch map[string]any) map[string]any {
	out, ok := into.(map[string]any)
	if !ok {
		out = map[string]any{}
	}
	for name, value := range patch {
		switch value := value.(type) {
		case nil:
			delete(out, name)
		case map[string]any:
			out[name] = merge(out[name], value)
		default:
			out[name] = value
		}
	}
	return out
}
