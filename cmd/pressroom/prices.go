package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/pressroom-dev/pressroom/internal/generate"
)

// generatorPrefix begins the names of the flags of the controller's generator.
const generatorPrefix = "generator-"

// priceFlags are the prices of a million tokens.
type priceFlags struct{ input, cached, output, currency string }

// add adds the flags, whose names begin with a prefix.
func (f *priceFlags) add(flags *pflag.FlagSet, prefix string) {
	flags.StringVar(&f.input, prefix+"price-input", "", "price of a million input tokens, such as 0.15, to show costs")
	flags.StringVar(&f.cached, prefix+"price-cached", "", "price of a million input tokens from the endpoint's cache; that of input if empty")
	flags.StringVar(&f.output, prefix+"price-output", "", "price of a million output tokens")
	flags.StringVar(&f.currency, prefix+"currency", "USD", "currency of the prices")
}

// prices that the flags name; the zero value if they name none.
func (f *priceFlags) prices(prefix string) (generate.Prices, error) {
	p, err := generate.ParsePrices(f.currency, f.input, f.cached, f.output)
	if err != nil {
		return p, fmt.Errorf("--%sprice-input, --%[1]sprice-cached, --%[1]sprice-output, --%[1]scurrency: %w", prefix, err)
	}
	return p, nil
}
