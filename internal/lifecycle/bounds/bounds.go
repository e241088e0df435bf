// Package bounds cuts texts to what status may hold, in bytes of JSON.
package bounds

import "encoding/json"

// maxEscape is how many bytes one byte of a text may take in JSON.
const maxEscape = len(`\u003c`)

// Cut cuts a text, at the border of a character, to a number of bytes of JSON: kube-apiserver stores some characters as
// escapes of six bytes.
func Cut(s string, limit int) string {
	s = cutBytes(s, limit)
	for over := JSONBytes(s) - limit; over > 0; over = JSONBytes(s) - limit {
		s = cutBytes(s, len(s)-max(over/maxEscape, 1))
	}
	return s
}

// JSONBytes is the size of a text in JSON, without its quotes.
func JSONBytes(s string) int {
	data, err := json.Marshal(s)
	if err != nil {
		return 0 // a string always has a JSON form
	}
	return len(data) - len(`""`)
}

// cutBytes cuts a text, at the border of a character, to a number of bytes.
func cutBytes(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && s[limit]&0xc0 == 0x80 {
		limit--
	}
	return s[:max(limit, 0)]
}
