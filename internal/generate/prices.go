package generate

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"regexp"
)

// Prices are those of a million tokens, in millionths of a currency. Nothing is charged by them. The zero value means that they are not
// known.
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
			return Prices{}, fmt.Errorf("a price must be a decimal number below 1000 with at most 6 digits behind the point, not %q", price.text)
		}
		value, _ := new(big.Rat).SetString(price.text)
		*price.to = value.Mul(value, big.NewRat(million, 1)).Num().Int64()
	}
	return p, nil
}

// Known reports whether there are prices.
func (p Prices) Known() bool { return p.Currency != "" }

// Cost returns what tokens cost, in millionths of the currency, rounded down.
func (p Prices) Cost(u Usage) int64 {
	fresh := max(u.InputTokens-u.CachedTokens, 0)
	return (fresh*p.Input + u.CachedTokens*p.Cached + u.OutputTokens*p.Output) / million
}

// Amount writes a cost as a decimal number.
func Amount(millionths int64) string {
	return fmt.Sprintf("%d.%06d", millionths/million, millionths%million)
}
