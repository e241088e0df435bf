package cms

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

// changed returns an error if a post may have changed since Pressroom wrote it.
func (c *Client) changed(a publish.Article, sent, f Found) error {
	asMade := a.Recorded.Hash == "" && !f.Created.IsZero() && f.Modified.Equal(f.Created)
	if a.Recorded.Overwrite || asMade || f.is(a.Recorded.Hash) || f.Hash == sent.Hash || c.mayBeOurs(a.Recorded, f) {
		return nil
	}
	return changedAtSite(sent, f)
}

// mayBeOurs reports whether a post was changed last while an attempt may have written it whose answer was lost.
func (c *Client) mayBeOurs(recorded publish.Recorded, f Found) bool {
	if recorded.WroteFrom.IsZero() || f.Modified.IsZero() {
		return false
	}
	at := f.Modified.Add(-c.skew)
	return !at.Before(recorded.WroteFrom.Add(-dateTolerance)) && !at.After(recorded.WroteUntil.Add(dateTolerance))
}

func changedAtSite(sent, f Found) error {
	e := Fail(v1alpha1.ErrorChangedAtSite, "somebody has changed the post in the CMS: overwrite it, or leave it as it is")
	e.Link, e.Differences = f.URL, differences(sent, f)
	return e
}

// before is how much of what is the same is shown ahead of a difference, in bytes.
const before = 40

// differences returns the fields in which a post differs from what the attempt would write.
func differences(sent, f Found) []v1alpha1.PostDifference {
	var out []v1alpha1.PostDifference
	for _, name := range slices.Sorted(maps.Keys(sent.fields)) {
		here, there := shown(sent.fields[name]), shown(f.fields[name])
		if here == there || len(out) == v1alpha1.MaxPostDifferences || len(name) > v1alpha1.MaxFieldNameBytes {
			continue
		}
		from := 0
		for from < min(len(here), len(there)) && here[from] == there[from] {
			from++
		}
		at := max(from-before, 0)
		for at > 0 && !utf8.RuneStart(here[at]) {
			at--
		}
		if blank := strings.IndexByte(here[at:from], ' '); at > 0 && blank >= 0 {
			at += blank + 1
		}
		out = append(out, v1alpha1.PostDifference{Field: name, Site: there[at:], Article: here[at:]})
	}
	return out
}

// inline are elements within a word or a sentence.
var inline = map[string]bool{"a": true, "b": true, "strong": true, "i": true, "em": true, "code": true, "span": true}

// shown is the value of a field for people: of HTML, its text.
func shown(value any) string {
	source, ok := value.(string)
	if value == nil {
		return ""
	}
	if !ok {
		data, err := json.Marshal(value)
		if err != nil {
			return ""
		}
		return string(data)
	}
	var text strings.Builder
	for z := html.NewTokenizer(strings.NewReader(source)); z.Next() != html.ErrorToken; {
		if token := z.Token(); token.Type == html.TextToken {
			text.WriteString(token.Data)
		} else if !inline[token.Data] {
			text.WriteByte(' ')
		}
	}
	return strings.Join(strings.Fields(text.String()), " ")
}
