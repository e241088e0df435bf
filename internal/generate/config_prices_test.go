package generate_test

import (
	"testing"

	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/money"
)

func TestPricesAreDecimalNumbers(t *testing.T) {
	for _, tc := range []struct {
		currency, input, cached, output string
		want                            generate.Prices
	}{
		{"USD", "", "", "", generate.Prices{}},
		{"USD", "0.15", "0.075", "15", generate.Prices{Currency: "USD", Input: 150_000, Cached: 75_000, Output: 15_000_000}},
		{"EUR", "2", "", "999.999999", generate.Prices{Currency: "EUR", Input: 2_000_000, Cached: 2_000_000, Output: 999_999_999}},
		{"CHF", "0", "0", "0", generate.Prices{Currency: "CHF"}},
	} {
		if got, err := generate.ParsePrices(tc.currency, tc.input, tc.cached, tc.output); err != nil || got != tc.want {
			t.Errorf("%+v: got %+v, %v", tc, got, err)
		}
	}
	for name, tc := range map[string][4]string{
		"negative": {"USD", "-1", "", "1"}, "a word": {"USD", "cheap", "", "1"}, "an exponent": {"USD", "1e2", "", "1"}, "a fraction": {"USD", "1/3", "", "1"},
		"too dear": {"USD", "1000", "", "1"}, "too exact": {"USD", "0.0000001", "", "1"}, "no output": {"USD", "1", "1", ""}, "no input": {"USD", "", "", "1"},
		"no currency": {"", "1", "", "1"}, "a sign": {"$", "1", "", "1"},
	} {
		if got, err := generate.ParsePrices(tc[0], tc[1], tc[2], tc[3]); err == nil {
			t.Errorf("%s: got %+v and no error", name, got)
		}
	}
}

func TestCostsAreCountedInMillionths(t *testing.T) {
	p := generate.Prices{Currency: "USD", Input: 2_000_000, Cached: 1_000_000, Output: 10_000_000}
	if got := p.Cost(generate.Usage{InputTokens: 1000, CachedTokens: 400, OutputTokens: 100}); got != 600*2+400+1000 {
		t.Errorf("the cost is %d", got)
	}
	dear := generate.Prices{Currency: "USD", Input: 999_999_999, Cached: 999_999_999, Output: 999_999_999}
	most := generate.Usage{InputTokens: 1_000_000_000, OutputTokens: 1_000_000_000}
	if got, want := money.Format(dear.Cost(most)), "1999999.998000"; got != want {
		t.Errorf("the highest cost is %s, want %s", got, want)
	}
	if got := money.Format(42); got != "0.000042" {
		t.Errorf("42 millionths are %s", got)
	}
}
