package evaluate

import (
	"fmt"
	"math/big"

	"github.com/pressroom-dev/pressroom/internal/generate"
)

// Prices are those of a million tokens, in millionths of a currency.
type Prices struct {
	Currency              string
	Input, Cached, Output int64
}

// million tokens have one price.
const million = 1_000_000

// Cost returns what a run cost, in millionths of the currency, rounded down.
func (p Prices) Cost(u generate.Usage) int64 {
	fresh := u.InputTokens - u.CachedTokens
	return (fresh*p.Input + u.CachedTokens*p.Cached + u.OutputTokens*p.Output) / million
}

// maxPrice bounds the price of a million tokens, in units of the currency.
const maxPrice = 1_000_000

// ParsePrice reads a price, such as 0.15, in millionths.
func ParsePrice(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	price, ok := new(big.Rat).SetString(text)
	if !ok || price.Sign() < 0 || price.Cmp(big.NewRat(maxPrice, 1)) > 0 {
		return 0, fmt.Errorf("a price must be a decimal number from 0 to %d, not %q", maxPrice, text)
	}
	price.Mul(price, big.NewRat(million, 1))
	return new(big.Int).Quo(price.Num(), price.Denom()).Int64(), nil
}
