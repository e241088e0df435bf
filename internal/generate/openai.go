package generate

import (
	"context"
	"fmt"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"
)

// openAI speaks chat completions to any endpoint that knows them. It sends only the model, the messages and the format: what
// else there is, some endpoint or model refuses.
type openAI struct {
	service openai.ChatCompletionService
	model   string
	format  format
}

// newOpenAI returns what makes a backend for each run.
func newOpenAI(c Config) func() backend {
	options := []option.RequestOption{
		option.WithEnvironmentProduction(), option.WithHTTPClient(c.HTTPClient), option.WithMiddleware(exchange),
		// Retries are the controller's, which writes them down.
		option.WithMaxRetries(0), option.WithRequestTimeout(turnTimeout),
	}
	if c.BaseURL != "" {
		options = append(options, option.WithBaseURL(c.BaseURL))
	}
	if c.APIKey != "" {
		options = append(options, option.WithAPIKey(c.APIKey))
	}
	// The service alone, unlike the client, takes nothing from the environment.
	service := openai.NewChatCompletionService(options...)
	return func() backend { return &openAI{service: service, model: c.Model} }
}

func (o *openAI) ask(ctx context.Context, p prompt) (answer, error) {
	for {
		completion, err := o.service.New(ctx, o.params(p))
		if err == nil {
			return readCompletion(completion), nil
		}
		if !p.fields || o.format == formatPlain || !refusesFormat(err) {
			return answer{}, fmt.Errorf("asking for a chat completion: %w", err)
		}
		o.format++
	}
}

func (o *openAI) params(p prompt) openai.ChatCompletionNewParams {
	params := openai.ChatCompletionNewParams{
		Model:    o.model,
		Messages: []openai.ChatCompletionMessageParamUnion{openai.SystemMessage(p.system)},
	}
	for _, t := range p.turns {
		message := openai.UserMessage(t.text)
		if t.byModel {
			message = openai.AssistantMessage(t.text)
		}
		params.Messages = append(params.Messages, message)
	}
	switch {
	case p.fields && o.format == formatSchema:
		params.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{
			JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{
				Name: fieldsName, Strict: openai.Bool(true), Schema: fieldsSchema(),
			},
		}
	case p.fields && o.format == formatObject:
		params.ResponseFormat.OfJSONObject = &shared.ResponseFormatJSONObjectParam{}
	}
	return params
}

// readCompletion takes what matters of a completion. One without choices is an empty answer.
func readCompletion(c *openai.ChatCompletion) answer {
	if c == nil {
		return answer{}
	}
	a := answer{
		model: c.Model, usage: Usage{InputTokens: c.Usage.PromptTokens, OutputTokens: c.Usage.CompletionTokens},
	}
	if len(c.Choices) > 0 {
		choice := c.Choices[0]
		a.text = choice.Message.Content
		a.cut = choice.FinishReason == "length"
		a.refused = choice.Message.Refusal != "" || choice.FinishReason == "content_filter"
	}
	return a
}
