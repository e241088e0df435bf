package generate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode"

	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// turnTimeout bounds one turn, unless the context or the client ends it earlier. A local model takes minutes.
const turnTimeout = 10 * time.Minute

// Config configures a generator.
type Config struct {
	// Type of the backend.
	Type v1alpha1.GeneratorType
	// Model as the endpoint names it; required except for BuiltIn.
	Model string
	// BaseURL of the endpoint; the provider's own if empty.
	BaseURL string
	// APIKey is sent to the endpoint if it is set. Keys in the process's environment are never sent.
	APIKey string
	// HTTPClient decides which addresses may be reached, and is required except for BuiltIn.
	HTTPClient *http.Client
	// Prices of the model's tokens, if they are known.
	Prices Prices
	// Clock is needed to read a date in Retry-After; the real clock if nil.
	Clock clock.PassiveClock
}

// New makes a generator. A configuration that cannot work is an *Error with the reason BackendRejected, which never quotes
// the key or the URL.
func New(c Config) (Generator, error) {
	if c.Type == v1alpha1.GeneratorBuiltIn {
		return outliner{}, nil
	}
	c.APIKey, c.Model, c.BaseURL = strings.TrimSpace(c.APIKey), strings.TrimSpace(c.Model), strings.TrimSpace(c.BaseURL)
	if c.Clock == nil {
		c.Clock = clock.RealClock{}
	}
	if problem := c.problem(); problem != "" {
		return nil, &Error{Reason: v1alpha1.ReasonBackendRejected, Message: problem}
	}
	w := writer{model: c.Model, clock: c.Clock}
	if c.Type == v1alpha1.GeneratorOpenAI {
		w.connect = newOpenAI(c)
	} else {
		w.connect = newAnthropic(c)
	}
	return w, nil
}

func (c Config) problem() string {
	switch {
	case c.Type != v1alpha1.GeneratorOpenAI && c.Type != v1alpha1.GeneratorAnthropic:
		return "the generator's type must be OpenAI, Anthropic or BuiltIn"
	case c.Model == "":
		return "the generator's model must be set"
	case c.HTTPClient == nil:
		return "the generator has no HTTP client"
	case strings.ContainsFunc(c.APIKey, func(r rune) bool { return r > unicode.MaxASCII || unicode.IsControl(r) }):
		return "the generator's API key has characters that may not be in an HTTP header"
	case c.BaseURL != "" && !isEndpoint(c.BaseURL):
		return "the generator's base URL must be an http or https URL with a host, without user information, query and fragment"
	default:
		return ""
	}
}

func isEndpoint(raw string) bool {
	u, err := url.Parse(raw)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.User == nil &&
		u.RawQuery == "" && !u.ForceQuery && u.Fragment == ""
}

// backend asks a model. Each run has its own, because it remembers what the endpoint refused.
type backend interface {
	ask(ctx context.Context, p prompt) (answer, error)
}

// prompt is one question to a model, with the conversation before it.
type prompt struct {
	system string
	turns  []turn
	// fields is whether the answer must be the JSON object that fieldsSchema describes.
	fields bool
}

// turn is one message of a conversation. User and model alternate, and the user begins.
type turn struct {
	byModel bool
	text    string
}

// role names the side that speaks, as both APIs do.
func (t turn) role() string {
	if t.byModel {
		return "assistant"
	}
	return "user"
}

type answer struct {
	text  string
	model string
	usage Usage
	end   ending
}

// Prices are the prices of a million tokens, in millionths of a currency. Nothing is charged by them. The zero value means that they are
// not known.
type Prices struct {
	// Currency as an ISO 4217 code; empty if the prices are not known.
	Currency string
	// Input, Cached and Output are the prices of input that is not in the endpoint's cache, of input that is, and of output.
	Input, Cached, Output int64
}

// million tokens have one price.
const million = 1_000_000

var (
	priceForm    = regexp.MustCompile(`^[0-9]{1,3}(\.[0-9]{1,6})?$`)
	currencyForm = regexp.MustCompile(`^[A-Z]{3}$`)
)

// errCurrency and errIncomplete say what prices must be.
var (
	errCurrency   = errors.New("the currency must be three capital letters, such as USD")
	errIncomplete = errors.New("prices need that of input and that of output")
)

// ParsePrices reads prices of a million tokens such as 0.15. Without any of them, prices are not known. That of cached input is that of
// input if it is empty.
func ParsePrices(currency, input, cached, output string) (Prices, error) {
	switch {
	case input == "" && cached == "" && output == "":
		return Prices{}, nil
	case input == "" || output == "":
		return Prices{}, errIncomplete
	case !currencyForm.MatchString(currency):
		return Prices{}, errCurrency
	}
	p := Prices{Currency: currency}
	for _, price := range []struct {
		to   *int64
		text string
	}{{&p.Input, input}, {&p.Cached, cmp.Or(cached, input)}, {&p.Output, output}} {
		if !priceForm.MatchString(price.text) {
			return Prices{}, fmt.Errorf("a price must be a decimal number below 1000 with at most 6 digits behind the point, not %q",
				price.text)
		}
		value, _ := new(big.Rat).SetString(price.text)
		*price.to = value.Mul(value, big.NewRat(million, 1)).Num().Int64()
	}
	return p, nil
}

// Known reports whether there are prices.
func (p Prices) Known() bool { return p.Currency != "" }

// Dearest returns the highest of the prices.
func (p Prices) Dearest() int64 { return max(p.Input, p.Cached, p.Output) }

// Cost returns the cost of tokens in millionths of the currency, rounded down.
func (p Prices) Cost(u Usage) int64 {
	fresh := max(u.InputTokens-u.CachedTokens, 0)
	return (fresh*p.Input + u.CachedTokens*p.Cached + u.OutputTokens*p.Output) / million
}

// Bill returns what tokens are counted as in a budget: their cost, and those that are estimated at the dearest price.
func (p Prices) Bill(u Usage) int64 { return p.Cost(u) + u.EstimatedTokens*p.Dearest()/million }
