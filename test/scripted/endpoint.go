package scripted

import (
	"encoding/json"
	"io"
	"net/http"
	"unicode/utf8"
)

// maxRequestBytes bounds a request.
const maxRequestBytes = 4 << 20

// charsPerToken is how models of this package count tokens.
const charsPerToken = 4

// endpoint speaks chat completions for a model.
type endpoint struct {
	name  string
	model model
}

type chatRequest struct {
	Messages []chatMessage `json:"messages"`
}

type chatMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// ServeHTTP implements http.Handler.
func (e endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var request chatRequest
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxRequestBytes)).Decode(&request); err != nil {
		http.Error(w, `{"error":{"code":"invalid_request"}}`, http.StatusBadRequest)
		return
	}
	answer := e.model(read(request.Messages))
	finish := "stop"
	if answer.cut {
		finish = "length"
	}
	in := 0
	for _, m := range request.Messages {
		in += utf8.RuneCountInString(m.Content)/charsPerToken + 4
	}
	w.Header().Set("Content-Type", "application/json")
	body := asJSON(map[string]any{
		"model": "scripted-" + e.name,
		"choices": []any{map[string]any{
			"message": map[string]string{"role": "assistant", "content": answer.text}, "finish_reason": finish,
		}},
		"usage": map[string]int{"prompt_tokens": in, "completion_tokens": utf8.RuneCountInString(answer.text)/charsPerToken + 1},
	})
	// Anyone who hung up needs no answer.
	_, _ = io.WriteString(w, body)
}
