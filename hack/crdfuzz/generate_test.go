package crdfuzz

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"pgregory.net/rapid"
)

type shape = apiextensionsv1.JSONSchemaProps

// change returns a copy of a valid value with some fields generated again, left out or added. Most results keep the rules of the CRD that
// span several fields, because the valid value keeps them.
func change(t *rapid.T, s *shape, valid any) any {
	if one(t, 12) {
		return value(t, s, 0)
	}
	switch valid := valid.(type) {
	case map[string]any:
		changed := maps.Clone(valid)
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			property := s.Properties[name]
			is, there := valid[name]
			switch {
			case there && !slices.Contains(s.Required, name) && one(t, 8):
				delete(changed, name)
			case there:
				changed[name] = change(t, &property, is)
			case one(t, 6):
				changed[name] = value(t, &property, 0)
			}
		}
		return changed
	case []any:
		changed := make([]any, 0, len(valid))
		for _, item := range valid {
			changed = append(changed, change(t, s.Items.Schema, item))
		}
		return changed
	default:
		return valid
	}
}

// value returns a value of a schema, often at one of its bounds.
func value(t *rapid.T, s *shape, depth int) any {
	switch {
	case len(s.Enum) > 0:
		var chosen any
		if err := json.Unmarshal(rapid.SampledFrom(s.Enum).Draw(t, "enum").Raw, &chosen); err != nil {
			t.Fatal(err)
		}
		return chosen
	case s.Type == "object":
		return fields(t, s, depth)
	case s.Type == "array":
		return array(t, s, depth)
	case s.Type == "integer":
		return integer(t, s)
	case s.Type == "boolean":
		return rapid.Bool().Draw(t, "bool")
	case s.Format == "date-time":
		return moment(t)
	case s.Type == "string":
		return text(t, s)
	default:
		t.Fatalf("the generator does not know the type %q", s.Type)
		return nil
	}
}

func fields(t *rapid.T, s *shape, depth int) map[string]any {
	made := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if property := s.Properties[name]; slices.Contains(s.Required, name) || one(t, 2+depth) {
			made[name] = value(t, &property, depth+1)
		}
	}
	if s.AdditionalProperties != nil {
		for range rapid.IntRange(0, 3).Draw(t, "keys") {
			made[anyText(t, 1, 63)] = value(t, s.AdditionalProperties.Schema, depth+1)
		}
	}
	return made
}

func array(t *rapid.T, s *shape, depth int) []any {
	least, most := int(deref(s.MinItems, 0)), int(min(deref(s.MaxItems, 3), 60))
	count := rapid.IntRange(least, max(least, min(most, 3))).Draw(t, "items")
	if depth < 2 && one(t, 8) {
		count = most
	}
	made := make([]any, count)
	for i := range made {
		made[i] = value(t, s.Items.Schema, depth+1)
	}
	return made
}

// integer returns a number, sometimes in another spelling that JSON has for it.
func integer(t *rapid.T, s *shape) json.Number {
	least, most := int64(deref(s.Minimum, -1<<62)), int64(deref(s.Maximum, 1<<62))
	n := rapid.SampledFrom([]int64{least, most, min(max(0, least), most), rapid.Int64Range(least, most).Draw(t, "n")}).Draw(t, "integer")
	return json.Number(fmt.Sprintf(rapid.SampledFrom([]string{"%d", "%d", "%d", "%d.0", "%de0", "%d.000e+0"}).Draw(t, "spelling"), n))
}

// moment returns a text of the format date-time, as kube-apiserver has it: it looks at what is before the first T and between that and
// the second, in any case, and takes any character before a fraction.
func moment(t *rapid.T) string {
	day := rapid.OneOf(
		rapid.SampledFrom([]string{"0000-01-01", "0001-01-01", "1970-01-01", "2000-02-29", "2026-11-20", "9999-12-31"}),
		rapid.Map(rapid.Int64Range(0, 253402300799), func(n int64) string { return time.Unix(n, 0).UTC().Format(time.DateOnly) }),
	).Draw(t, "day")
	two := func(label string, most int) string {
		return fmt.Sprintf("%02d", rapid.IntRange(0, most).Draw(t, label))
	}
	clock := rapid.SampledFrom([]string{"00:00:00", "23:59:59", two("hour", 23) + ":" + two("minute", 59) + ":" + two("second", 59)})
	fraction := rapid.OneOf(rapid.Just(""), rapid.StringMatching(`\.[0-9]{1,12}`), rapid.StringMatching(`[^\n0-9][0-9]{1,40}`),
		rapid.StringMatching(`[,x :-][0-9]{1,9}`))
	zone := rapid.OneOf(rapid.SampledFrom([]string{"Z", "z", "+00:00", "-00:00", "+23:59", "-23:59", "+99:99"}), rapid.StringMatching(`[+-][0-9]{2}:[0-9]{2}`))
	more := rapid.OneOf(rapid.Just(""), rapid.Just(""), rapid.Just(""), rapid.StringMatching(`[Tt][ -~]{0,9}`))
	return day + rapid.SampledFrom([]string{"T", "T", "t"}).Draw(t, "T") + clock.Draw(t, "clock") + fraction.Draw(t, "fraction") +
		zone.Draw(t, "zone") + more.Draw(t, "more")
}

// text returns a text of a schema's pattern and length.
func text(t *rapid.T, s *shape) string {
	least, most := int(deref(s.MinLength, 0)), int(deref(s.MaxLength, 64))
	if s.Pattern == "" {
		return anyText(t, least, most)
	}
	made := rapid.StringMatching(bounded(s.Pattern)).Draw(t, "text")
	for short := len([]rune(made)); short < least; short = len([]rune(made)) {
		longer := made + made + "a"
		if made = string([]rune(longer)[:min(least, len([]rune(longer)))]); !regexp.MustCompile(s.Pattern).MatchString(made) {
			break
		}
	}
	if runes := []rune(made); len(runes) > most {
		made = string(runes[:most])
	}
	return made
}

// bounded replaces what repeats without an end in a pattern, and so makes texts of a usual length.
func bounded(pattern string) string {
	if _, err := regexp.Compile(pattern); err != nil {
		return pattern
	}
	return strings.NewReplacer(`\S`, `[!-~À-ſ一-鿿]`).Replace(pattern)
}

// anyText returns characters of every plane, and among them those that have a meaning in a text of JSON, YAML or HTML.
func anyText(t *rapid.T, least, most int) string {
	special := []rune("\x00\x01\b\t\n\r\x1b\"\\/<>&'{}[]:,#%\x7f\u0085\u00a0\u00ad\u200b\u200d\u2028\u2029\u202e\ufeff\ufffd\ufffe\uffff\U0001f600\U000e0001\U0010ffff")
	character := rapid.OneOf(rapid.SampledFrom(special), rapid.Rune(), rapid.RuneFrom([]rune("aA0 ")),
		rapid.Map(rapid.Int32Range(0, 0x10ffff), func(r int32) rune {
			if 0xd800 <= r && r <= 0xdfff {
				return 'x'
			}
			return r
		}))
	length := rapid.SampledFrom([]int{least, min(least+1, most), min(most, 20), min(most, 2000)}).Draw(t, "length")
	made := rapid.SliceOfN(character, min(length, 20), min(length, 20)).Draw(t, "characters")
	for len(made) > 0 && len(made) < length {
		made = append(made, made[:min(len(made), length-len(made))]...)
	}
	return string(made)
}

// one reports true once in n times.
func one(t *rapid.T, n int) bool { return rapid.IntRange(1, n).Draw(t, "one of") == 1 }

func deref[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}
