package consent

import (
	"cmp"
	"net/url"
	"strings"
)

// parameters splits a query. Unlike net/url it accepts a semicolon, since a state may hold one. The error says that something is
// malformed; the parameters that can be read are returned anyway, and a value that cannot be decoded is empty.
func parameters(query string) (params map[string][]string, malformed error) {
	params = map[string][]string{}
	for pair := range strings.SplitSeq(query, "&") {
		if pair == "" {
			continue
		}
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(rawName)
		if err != nil {
			malformed = err
			continue
		}
		value, err := url.QueryUnescape(rawValue)
		malformed = cmp.Or(malformed, err)
		params[name] = append(params[name], value)
	}
	return params, malformed
}

// one returns the value of a parameter that must be there once.
func one(params map[string][]string, name string) (string, bool) {
	v := params[name]
	if len(v) != 1 {
		return "", false
	}
	return v[0], true
}

func first(params map[string][]string, name string) string {
	if v := params[name]; len(v) > 0 {
		return v[0]
	}
	return ""
}
