package generate

import (
	"context"
	"fmt"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
)

// answerLengths are what a model is allowed to write in a turn, in tokens. One that cannot write as much gets the next.
var answerLengths = []int64{16384, 8192, 4096}

// anthropicBackend speaks messages to Anthropic and to endpoints like it.
type anthropicBackend struct {
	service anthropic.MessageService
	model   string
	format  format
	length  int
}

// newAnthropic returns what makes a backend for each run.
func newAnthropic(c Config) func() backend {
	options := []option.RequestOption{
		option.WithEnvironmentProduction(), option.WithHTTPClient(c.HTTPClient), option.WithMiddleware(exchange),
		// Retries are the controller's, which writes them down.
		option.WithMaxRetries(0), option.WithRequestTimeout(turnTimeout), option.WithoutOpenTelemetry(),
	}
	if c.BaseURL != "" {
		// The client adds the version itself, and many give it with the address.
		options = append(options, option.WithBaseURL(strings.TrimSuffix(strings.TrimRight(c.BaseURL, "/"), "/v1")))
	}
	if c.APIKey != "" {
		options = append(options, option.WithAPIKey(c.APIKey))
	}
	// The service alone, unlike the client, takes nothing from the environment.
	service := anthropic.NewMessageService(options...)
	return func() backend { return &anthropicBackend{service: service, model: c.Model} }
}

func (b *anthropicBackend) ask(ctx context.Context, p prompt) (answer, error) {
	for {
		message, err := b.service.New(ctx, b.params(p))
		switch {
		case err == nil:
			return readMessage(message), nil
		case refusesLength(err) && b.length+1 < len(answerLengths):
			b.length++
		case p.fields && b.format != formatPlain && refusesFormat(err):
			b.format++
		default:
			return answer{}, fmt.Errorf("asking for a message: %w", err)
		}
	}
}

func (b *anthropicBackend) params(p prompt) anthropic.MessageNewParams {
	params := anthropic.MessageNewParams{
		Model: b.model, MaxTokens: answerLengths[b.length], System: []anthropic.TextBlockParam{{Text: p.system}},
	}
	for _, t := range p.turns {
		message := anthropic.NewUserMessage
		if t.byModel {
			message = anthropic.NewAssistantMessage
		}
		params.Messages = append(params.Messages, message(anthropic.NewTextBlock(t.text)))
	}
	switch {
	case p.fields && b.format == formatSchema:
		params.OutputConfig.Format = anthropic.JSONOutputFormatParam{Schema: fieldsSchema()}
	case p.fields && b.format == formatObject:
		params.Tools = []anthropic.ToolUnionParam{{OfTool: fieldsTool()}}
		params.ToolChoice = anthropic.ToolChoiceParamOfTool(fieldsName)
	}
	return params
}

// fieldsTool is a tool that does nothing: what the model would call it with is the answer.
func fieldsTool() *anthropic.ToolParam {
	schema := fieldsSchema()
	return &anthropic.ToolParam{
		Name:        fieldsName,
		Description: anthropic.String("Takes the plan of the article."),
		InputSchema: anthropic.ToolInputSchemaParam{
			Properties: schema["properties"], Required: fieldsRequired,
			ExtraFields: map[string]any{"additionalProperties": false},
		},
	}
}

func readMessage(m *anthropic.Message) answer {
	if m == nil {
		return answer{}
	}
	a := answer{
		model: m.Model,
		usage: Usage{
			InputTokens:  m.Usage.InputTokens + m.Usage.CacheCreationInputTokens + m.Usage.CacheReadInputTokens,
			OutputTokens: m.Usage.OutputTokens,
		},
		cut: m.StopReason == anthropic.StopReasonMaxTokens ||
			m.StopReason == anthropic.StopReasonModelContextWindowExceeded,
		refused: m.StopReason == anthropic.StopReasonRefusal,
	}
	var text strings.Builder
	for _, block := range m.Content {
		switch block.Type {
		case "text":
			text.WriteString(block.Text)
		case "tool_use":
			text.Write(block.Input)
		}
	}
	a.text = text.String()
	return a
}
