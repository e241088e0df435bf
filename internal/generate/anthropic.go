package generate

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"
)

// anthropicVersion is the version of the API that requests are written for.
const anthropicVersion = "2023-06-01"

// answerLengths are how much a model may write in a turn, in tokens. A model that cannot write as much gets the next.
var answerLengths = []int64{16384, 8192, 4096}

// anthropic speaks messages to Anthropic and to endpoints like it.
type anthropic struct {
	endpoint endpoint
	model    string
	format   format
	length   int
}

// newAnthropic returns a function that makes a backend for each run.
func newAnthropic(c Config) func() backend {
	base := cmp.Or(c.BaseURL, "https://api.anthropic.com")
	// Addresses are given with and without the version.
	base = strings.TrimRight(strings.TrimSuffix(strings.TrimRight(base, "/"), "/v1"), "/")
	e := endpoint{client: c.HTTPClient, url: base + "/v1/messages", header: http.Header{}}
	e.header.Set("Anthropic-Version", anthropicVersion)
	if c.APIKey != "" {
		e.header.Set("X-Api-Key", c.APIKey)
	}
	return func() backend { return &anthropic{endpoint: e, model: c.Model} }
}

func (b *anthropic) ask(ctx context.Context, p prompt) (answer, error) {
	for {
		var m message
		err := b.endpoint.post(ctx, b.request(p), &m)
		switch {
		case err == nil:
			return m.answer(), nil
		case refusesLength(err) && b.length+1 < len(answerLengths):
			b.length++
		case p.fields && b.format != formatPlain && refusesFormat(err):
			b.format++
		default:
			return answer{}, fmt.Errorf("asking for a message: %w", err)
		}
	}
}

// messageRequest is the body of POST /v1/messages.
type messageRequest struct {
	Model        string           `json:"model"`
	MaxTokens    int64            `json:"max_tokens"`
	System       []textBlock      `json:"system"`
	Messages     []messageTurn    `json:"messages"`
	OutputConfig map[string]any   `json:"output_config,omitempty"`
	Tools        []map[string]any `json:"tools,omitempty"`
	ToolChoice   map[string]any   `json:"tool_choice,omitempty"`
}

type messageTurn struct {
	Role    string      `json:"role"`
	Content []textBlock `json:"content"`
}

type textBlock struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

func textBlocks(text string) []textBlock { return []textBlock{{Type: "text", Text: text}} }

func (b *anthropic) request(p prompt) messageRequest {
	r := messageRequest{Model: b.model, MaxTokens: answerLengths[b.length], System: textBlocks(p.system)}
	for _, t := range p.turns {
		r.Messages = append(r.Messages, messageTurn{Role: t.role(), Content: textBlocks(t.text)})
	}
	switch {
	case p.fields && b.format == formatSchema:
		r.OutputConfig = map[string]any{"format": map[string]any{"type": "json_schema", "schema": fieldsSchema}}
	case p.fields && b.format == formatObject:
		// A tool that does nothing: the input that the model calls it with is the answer.
		r.Tools = []map[string]any{
			{"name": fieldsName, "description": "Takes the plan of the article.", "input_schema": fieldsSchema},
		}
		r.ToolChoice = map[string]any{"type": "tool", "name": fieldsName}
	}
	return r
}

// message is an answer to POST /v1/messages.
type message struct {
	Model      string `json:"model"`
	Content    parts  `json:"content"`
	StopReason string `json:"stop_reason"`
	Usage      struct {
		Input         float64 `json:"input_tokens"`
		CacheCreation float64 `json:"cache_creation_input_tokens"`
		CacheRead     float64 `json:"cache_read_input_tokens"`
		Output        float64 `json:"output_tokens"`
	} `json:"usage"`
}

func (m message) answer() answer {
	return answer{
		text: string(m.Content), model: m.Model, end: endingOf(m.StopReason),
		usage: Usage{
			InputTokens: tokens(m.Usage.Input + m.Usage.CacheCreation + m.Usage.CacheRead), OutputTokens: tokens(m.Usage.Output),
			CachedTokens: tokens(m.Usage.CacheRead),
		},
	}
}
