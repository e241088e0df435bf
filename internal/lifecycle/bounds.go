package lifecycle

import "encoding/json"

// maxEscape is how many bytes one byte of a text may take in JSON.
const maxEscape = len(`\u003c`)

// Bounded cuts a text, at the border of a character, to a number of bytes of JSON: kube-apiserver stores some characters as
// escapes of six bytes.
func Bounded(s string, limit int) string {
	s = cut(s, limit)
	for over := jsonBytes(s) - limit; over > 0; over = jsonBytes(s) - limit {
		s = cut(s, len(s)-max(over/maxEscape, 1))
	}
	return s
}

// jsonBytes is the size of a text in JSON, without its quotes.
func jsonBytes(s string) int {
	data, err := json.Marshal(s)
	if err != nil {
		return 0 // a string always has a JSON form
	}
	return len(data) - len(`""`)
}

// cut cuts a text, at the border of a character, to a number of bytes.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && s[limit]&0xc0 == 0x80 {
		limit--
	}
	return s[:max(limit, 0)]
}
