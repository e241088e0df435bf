package generate

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"
)

// openAI speaks chat completions to any endpoint that supports them. It sends only the model, the messages and the format:
// every other member is refused by some endpoint or model.
type openAI struct {
	endpoint endpoint
	model    string
	format   format
}

// newOpenAI returns a function that makes a backend for each run.
func newOpenAI(c Config) func() backend {
	base := cmp.Or(c.BaseURL, "https://api.openai.com/v1")
	e := endpoint{client: c.HTTPClient, url: strings.TrimRight(base, "/") + "/chat/completions", header: http.Header{}}
	if c.APIKey != "" {
		e.header.Set("Authorization", "Bearer "+c.APIKey)
	}
	return func() backend { return &openAI{endpoint: e, model: c.Model} }
}

func (o *openAI) ask(ctx context.Context, p prompt) (answer, error) {
	for {
		var c completion
		err := o.endpoint.post(ctx, o.request(p), &c)
		if err == nil {
			return c.answer(), nil
		}
		if !p.fields || o.format == formatPlain || !refusesFormat(err) {
			return answer{}, fmt.Errorf("asking for a chat completion: %w", err)
		}
		o.format++
	}
}

// completionRequest is the body of POST /chat/completions.
type completionRequest struct {
	Model          string              `json:"model"`
	Messages       []completionMessage `json:"messages"`
	ResponseFormat map[string]any      `json:"response_format,omitempty"`
}

type completionMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

func (o *openAI) request(p prompt) completionRequest {
	r := completionRequest{Model: o.model, Messages: []completionMessage{{Role: "system", Content: p.system}}}
	for _, t := range p.turns {
		r.Messages = append(r.Messages, completionMessage{Role: t.role(), Content: t.text})
	}
	switch {
	case p.fields && o.format == formatSchema:
		r.ResponseFormat = map[string]any{
			"type": "json_schema", "json_schema": map[string]any{"name": fieldsName, "strict": true, "schema": fieldsSchema},
		}
	case p.fields && o.format == formatObject:
		r.ResponseFormat = map[string]any{"type": "json_object"}
	}
	return r
}

// completion is an answer to POST /chat/completions. One without choices is an empty answer.
type completion struct {
	Model   string `json:"model"`
	Choices []struct {
		Message struct {
			Content parts  `json:"content"`
			Refusal string `json:"refusal"`
		} `json:"message"`
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
	Usage struct {
		PromptTokens     float64 `json:"prompt_tokens"`
		CompletionTokens float64 `json:"completion_tokens"`
		Details          struct {
			Cached float64 `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	} `json:"usage"`
}

func (c completion) answer() answer {
	a := answer{
		model: c.Model, usage: Usage{
			InputTokens: tokens(c.Usage.PromptTokens), OutputTokens: tokens(c.Usage.CompletionTokens),
			CachedTokens: tokens(c.Usage.Details.Cached),
		},
	}
	if len(c.Choices) > 0 {
		choice := c.Choices[0]
		a.text, a.end = string(choice.Message.Content), endingOf(choice.FinishReason)
		if choice.Message.Refusal != "" {
			a.end = refused
		}
	}
	return a
}
