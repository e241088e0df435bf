package generate

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// ending is how an answer ended.
type ending int

// The endings. Only an answer that is whole is read.
const (
	whole ending = iota
	// truncated is an answer that ended at a limit of its length.
	truncated
	// unfinished is one that ended for any other reason, such as a failure of the server or a call of a tool.
	unfinished
	// refused is one that the model, or a filter, would not write.
	refused
)

// endings are the reasons that endpoints give. A server that gives none has no other way to end. Beside those of OpenAI and Anthropic, they
// are of Text Generation Inference (eos_token, stop_sequence), Together (eos), Cohere (complete), Qianfan (normal), AI21 (endoftext),
// Mistral (model_length), Z.ai (sensitive) and Gemini.
var endings = map[ending][]string{
	whole: {
		"", "stop", "eos", "eos_token", "end_turn", "stop_sequence", "complete", "completed", "tool_use", "normal", "endoftext",
	},
	truncated: {"length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded"},
	refused: {
		"content_filter", "content_filtered", "refusal", "sensitive", "safety", "prohibited_content", "blocklist", "recitation", "spii",
	},
}

// endingOf reads a finish reason. One that is not known may mean that half of the text is missing.
func endingOf(reason string) ending {
	for end, reasons := range endings {
		if slices.Contains(reasons, strings.ToLower(reason)) {
			return end
		}
	}
	return unfinished
}

// parts are the text of a message: a string, or the texts of a list of parts. Of a tool that is called, the input counts. Anything else
// counts as absent, such as reasoning.
type parts string

// UnmarshalJSON implements json.Unmarshaler.
func (p *parts) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, (*string)(p)) == nil {
		return nil
	}
	*p = ""
	var list []json.RawMessage
	// As decode does, it reads a member of another type as absent.
	_ = json.Unmarshal(data, &list)
	for _, raw := range list {
		var part struct {
			Type  string          `json:"type"`
			Text  string          `json:"text"`
			Input json.RawMessage `json:"input"`
		}
		switch err := json.Unmarshal(raw, &part); {
		case err == nil && slices.Contains([]string{"text", "output_text"}, part.Type):
			*p += parts(part.Text)
		case err == nil && part.Type == "tool_use" && string(part.Input) != "null":
			*p += parts(part.Input)
		}
	}
	return nil
}

// errorIn returns the error that an answer with the status 200 has instead of a text or beside one; nil if it has none. Gateways answer so
// if the server behind them fails after they have begun to answer.
func errorIn(answer []byte) *statusError {
	var body struct {
		Object  string          `json:"object"`
		Error   json.RawMessage `json:"error"`
		Choices []struct {
			Error json.RawMessage `json:"error"`
		} `json:"choices"`
	}
	// What cannot be read is not an error that can.
	_ = decode(answer, &body)
	found := body.Error
	if body.Object == "error" {
		found = answer
	}
	if len(body.Choices) > 0 && isNothing(found) {
		found = body.Choices[0].Error
	}
	if isNothing(found) {
		return nil
	}
	return &statusError{status: statusOf(found), body: slices.Concat([]byte(`{"error":`), found, []byte("}")), inside: true}
}

func isNothing(raw json.RawMessage) bool {
	return slices.Contains([]string{"", "null", "false", `""`, "{}", "[]", "0"}, string(raw))
}

// statusWords are words of errors with the status that they would have of their own.
var statusWords = []struct {
	status int
	words  []string
}{
	{http.StatusTooManyRequests, []string{"rate_limit", "ratelimit", "rate limit", "too_many", "throttl", "quota", "billing"}},
	{http.StatusUnauthorized, []string{"auth", "api_key", "api key", "permission"}},
	{http.StatusNotFound, []string{"not_found", "notfound", "not found"}},
	{http.StatusBadRequest, []string{"invalid", "badrequest", "bad_request", "unsupported", "content_filter", "content_policy"}},
	{http.StatusGatewayTimeout, []string{"timeout", "timed out"}},
}

// statusOf returns the status of an error: the one that it names, or the one that its words mean, or that of a failure behind a gateway.
func statusOf(raw json.RawMessage) int {
	var e struct {
		Code   any `json:"code"`
		Status any `json:"status"`
		Type   any `json:"type"`
	}
	var words string
	if json.Unmarshal(raw, &words) != nil && json.Unmarshal(raw, &e) == nil {
		words = fmt.Sprint(e.Code, " ", e.Status, " ", e.Type)
	}
	for word := range strings.FieldsSeq(words) {
		if n, err := strconv.Atoi(word); err == nil && n/100 >= 4 && n/100 <= 5 {
			return n
		}
	}
	for _, s := range statusWords {
		if slices.ContainsFunc(s.words, func(word string) bool { return strings.Contains(strings.ToLower(words), word) }) {
			return s.status
		}
	}
	return http.StatusBadGateway
}
