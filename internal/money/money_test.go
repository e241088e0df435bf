package money_test

import (
	"testing"

	"github.com/pressroom-dev/pressroom/internal/money"
)

func TestAmountsAreReadAsMillionths(t *testing.T) {
	for amount, want := range map[string]int64{
		"0": 0, "50": 50_000_000, "50.00": 50_000_000, "0.000001": 1, "4.21": 4_210_000, "007.5": 7_500_000,
		"999999999.999999": 999_999_999_999_999, "1999999.998000": 1_999_999_998_000,
	} {
		if got, ok := money.Parse(amount); !ok || got != want {
			t.Errorf("%s: got %d, %t, want %d", amount, got, ok, want)
		}
	}
	for _, amount := range []string{"", ".5", "5.", "-1", "1.0000001", "1e3", "12345678901", "1,5", " 1"} {
		if got, ok := money.Parse(amount); ok {
			t.Errorf("%q: got %d, want none", amount, got)
		}
	}
}

func TestAmountsAreWrittenWithSixDigits(t *testing.T) {
	for millionths, want := range map[int64]string{0: "0.000000", 42: "0.000042", 4_210_000: "4.210000"} {
		if got := money.Format(millionths); got != want {
			t.Errorf("%d: got %s, want %s", millionths, got, want)
		}
	}
}
