package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

const (
	// maxResult bounds the text of a result, in bytes: clients cut longer ones themselves, where they like.
	maxResult = 60_000
	// cutNotes is how much of it is kept for the notes of what was cut.
	cutNotes = 2_000
)

// cut is the note about a member of a result that was cut.
type cut struct {
	Member string `json:"member"`
	// Length is how long it is, and Shown how much of it is in the result: bytes of a text, or items of a list.
	Length int    `json:"length"`
	Shown  int    `json:"shown"`
	Rest   string `json:"rest,omitempty"`
}

// presented is an answer as the text of a result.
type presented struct {
	text string
	// items are those of a list.
	items int
	// full is how many bytes the text would have if nothing was cut.
	full int
}

// present returns an answer of an operation for a result: without what an agent does not need, and not above maxResult. The text of a
// revision begins at a byte of it.
func present(body []byte, offset int) (presented, error) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	// Numbers stay as they are.
	decoder.UseNumber()
	var answer object
	if err := decoder.Decode(&answer); err != nil {
		return presented{}, fmt.Errorf("reading an answer: %w", err)
	}
	prune(answer)
	if err := begin(answer, offset); err != nil {
		return presented{}, err
	}
	data, err := encode(answer)
	if err != nil {
		return presented{}, err
	}
	list, _ := answer["data"].([]any)
	out := presented{text: string(data), items: len(list), full: len(data)}
	if out.full > maxResult {
		data, err = shorten(answer, offset)
		out.text = string(data)
	}
	return out, err
}

// begin has the text of a revision begin at a byte.
func begin(answer object, offset int) error {
	if offset == 0 {
		return nil
	}
	text, _ := answer[contentMember].(string)
	if offset > len(text) || (offset < len(text) && !utf8.RuneStart(text[offset])) {
		return problem.Invalid(problem.ErrorDetail{
			Field: offsetArgument, Message: fmt.Sprintf("must be one that a result has named, and not above %d", len(text)),
		})
	}
	answer[contentMember] = text[offset:]
	return nil
}

// contentMember is the text of an article.
const contentMember = "content_markdown"

// prune removes what takes much and says little: HTML beside Markdown, checks that a text has passed, and actions that are not possible.
func prune(value any) {
	switch v := value.(type) {
	case object:
		delete(v, "content_html")
		keep(v, "checks", func(check object) bool { return check["result"] != "passed" })
		keep(v, "actions", func(action object) bool { is, _ := action["allowed"].(bool); return is })
		for _, member := range v {
			prune(member)
		}
	case []any:
		for _, item := range v {
			prune(item)
		}
	}
}

// keep removes the items of a list that are not wanted.
func keep(in object, name string, wanted func(object) bool) {
	list, ok := in[name].([]any)
	if !ok {
		return
	}
	in[name] = slices.DeleteFunc(list, func(item any) bool {
		o, ok := item.(object)
		return ok && !wanted(o)
	})
}

// encode writes a value as JSON, in one line.
func encode(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("writing a result: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// shorten cuts the longest texts and lists of an answer until it is short enough, and says in the member cut which.
func shorten(answer object, offset int) ([]byte, error) {
	cuts := map[string]*cut{}
	for {
		data, err := encode(answer)
		if err != nil {
			return nil, err
		}
		excess := len(data) - (maxResult - cutNotes)
		if excess <= 0 {
			break
		}
		found := longest(answer)
		was, left := 0, 0
		switch v := found.value.(type) {
		case string:
			shorter := head(v, excess)
			was, left = len(v), len(shorter)
			found.set(shorter)
		case []any:
			was, left = len(v), len(v)/2
			found.set(v[:left])
		}
		if was == 0 {
			return nil, fmt.Errorf("a result of %d bytes has nothing that can be cut", len(data))
		}
		if cuts[found.path] == nil {
			cuts[found.path] = &cut{Member: found.path, Length: was}
		}
		cuts[found.path].Shown = left
	}
	if text := cuts[contentMember]; text != nil {
		text.Length += offset
		text.Rest = fmt.Sprintf("get_revision with text_offset %d; list_revisions has the number", offset+text.Shown)
	}
	notes := slices.SortedFunc(maps.Values(cuts), func(a, b *cut) int { return strings.Compare(a.Member, b.Member) })
	answer["cut"] = notes[:min(len(notes), maxNotes)]
	return encode(answer)
}

// maxNotes bounds the notes about what was cut, so that they fit into cutNotes.
const maxNotes = 10

// head returns the beginning of a text that is so many bytes of JSON shorter, or half of it if that is longer.
func head(text string, excess int) string {
	encoded, err := encode(text)
	if err != nil {
		return ""
	}
	end := len(text) / 2
	if left := len(encoded) - excess; left > len(encoded)/2 {
		end = len(text) * left / len(encoded)
	}
	end = min(end, max(len(text)-1, 0))
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// member is a value in an answer, by its path there, with the function that replaces it.
type member struct {
	path  string
	set   func(any)
	value any
}

// longItem is how many bytes an item of a list must have to be cut itself: shorter ones are left out.
const longItem = 4096

// longest finds the text or the list that takes most. Of a list whose items are long it is the longest item.
func longest(answer object) member {
	at := member{value: answer}
	for {
		var next member
		most := 0
		consider := func(m member) {
			if size := sizeOf(m.value); size > most {
				most, next = size, m
			}
		}
		switch v := at.value.(type) {
		case object:
			for name, child := range v {
				consider(member{strings.TrimPrefix(at.path+"."+name, "."), func(to any) { v[name] = to }, child})
			}
		case []any:
			for i, child := range v {
				consider(member{fmt.Sprintf("%s[%d]", at.path, i), func(to any) { v[i] = to }, child})
			}
			if most < max(longItem, sizeOf(v)/16) {
				return at
			}
		}
		if most == 0 {
			return at
		}
		at = next
	}
}

func sizeOf(value any) int {
	data, err := encode(value)
	if err != nil {
		return 0
	}
	return len(data)
}

// result is the result of a call that was done.
func result(text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

// refusal is the result of a call that was refused: the error of the REST API, and when a limit that is reached ends.
func refusal(e *problem.APIError, now time.Time) *sdk.CallToolResult {
	body := object{"success": false}
	problemOf := struct {
		problem.ErrorBody

		RetryAt string `json:"retry_at,omitempty"`
	}{ErrorBody: e.Problem}
	if wait := e.RetryAfter(); wait > 0 {
		problemOf.RetryAt = now.Add(wait).UTC().Format(time.RFC3339)
	}
	body["error"] = problemOf
	text, err := encode(body)
	if err != nil {
		text = []byte(e.Error())
	}
	out := result(string(text))
	out.IsError = true
	return out
}
