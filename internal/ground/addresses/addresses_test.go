package addresses_test

import (
	"slices"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/ground/addresses"
)

func TestFind(t *testing.T) {
	for text, want := range map[string][]string{
		"Nothing. At all, e.g. here.":                 nil,
		"See https://survey.example/2025.":            {"https://survey.example/2025"},
		"Write to info@ridge.example, or call.":       {"info@ridge.example"},
		"(www.ridge.example) and acme.co.uk's shop":   {"www.ridge.example", "acme.co.uk"},
		"Use Node.js, file.txt, 3.14 and v1.2.":       nil,
		"[more](https://a.example/x_(y)), b.example:": {"https://a.example/x_(y)", "b.example"},
		"見てください：https://ja.example/a。":                {"https://ja.example/a"},
	} {
		var got []string
		for _, s := range addresses.Find(text) {
			got = append(got, text[s.Start:s.End])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestNormal(t *testing.T) {
	for address, want := range map[string][2]string{
		"https://www.Ridge.example/Path/": {"ridge.example/Path", "ridge.example"},
		"ridge.example":                   {"ridge.example", "ridge.example"},
		"mailto:Info@Ridge.example":       {"info@ridge.example", "ridge.example"},
		"http://a.example/x%20y?q=1":      {"a.example/x y?q=1", "a.example"},
	} {
		if normal, host := addresses.Normal(address); normal != want[0] || host != want[1] {
			t.Errorf("%s: got %q of %q, want %q of %q", address, normal, host, want[0], want[1])
		}
	}
}
