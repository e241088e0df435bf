package snippet

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"net/url"
	"strings"
)

// headBytes of a value are enough to know it by: the rest may be cut off.
const headBytes = 16

// values are secrets that are known, in the forms in which pages show them.
type values []string

func newValues(secrets []string) values {
	var all values
	seen := map[string]bool{"": true}
	for _, secret := range secrets {
		for _, form := range forms(secret) {
			for _, v := range []string{form, strings.Join(strings.Fields(printable(form)), " ")} {
				if !seen[v] {
					seen[v] = true
					all = append(all, v)
				}
			}
		}
	}
	return all
}

// forms are those in which a page may show a secret: as it is, escaped for JSON, HTML or a URL, encoded.
func forms(secret string) []string {
	trimmed := strings.TrimSpace(secret)
	if trimmed == "" {
		return nil
	}
	raw := []byte(trimmed)
	entities := html.EscapeString(trimmed)
	all := []string{
		secret, trimmed, entities, strings.NewReplacer("&#34;", "&quot;", "&#39;", "&#039;").Replace(entities),
		url.QueryEscape(trimmed), url.PathEscape(trimmed),
		hex.EncodeToString(raw), strings.ToUpper(hex.EncodeToString(raw)), strings.ToUpper(trimmed), strings.ToLower(trimmed),
		base64.StdEncoding.EncodeToString(raw), base64.RawStdEncoding.EncodeToString(raw), base64.RawURLEncoding.EncodeToString(raw),
	}
	for _, inner := range []string{inJSON(trimmed, true), inJSON(trimmed, false)} {
		all = append(all, inner, strings.ReplaceAll(inner, "/", `\/`))
	}
	return all
}

// inJSON returns what stands between the quotes of a JSON string; escape says whether <, > and & are written as numbers.
func inJSON(text string, escape bool) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(escape)
	if err := encoder.Encode(text); err != nil {
		return "" // a string always has a JSON form
	}
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(b.String()), `"`), `"`)
}

// hide takes every value out of a text, in one pass, so that nothing is looked for in what stands in a value's place.
func (v values) hide(text string) string {
	var out strings.Builder
	for i := 0; i < len(text); {
		n := v.at(text[i:])
		if n == 0 {
			out.WriteByte(text[i])
			i++
			continue
		}
		out.WriteString(redacted)
		i += n
	}
	return out.String()
}

// at returns how much of a text's beginning is a value, or the beginning of one.
func (v values) at(text string) int {
	longest := 0
	for _, value := range v {
		if !strings.HasPrefix(text, value[:min(len(value), headBytes)]) {
			continue
		}
		n := 0
		for n < len(value) && n < len(text) && value[n] == text[n] {
			n++
		}
		longest = max(longest, n)
	}
	return longest
}
