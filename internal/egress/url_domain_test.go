package egress

import "testing"

func TestRegistrableDomain(t *testing.T) {
	for host, want := range map[string]string{
		"example.com:443":                  "example.com",
		"a.b.example.com:8443":             "example.com",
		"shop.example.co.uk:443":           "example.co.uk",
		"example.com":                      "example.com",
		"acme.myshopify.com:443":           "acme.myshopify.com", // each shop is a customer of its own
		"blog.acme.github.io:443":          "acme.github.io",
		"co.uk:443":                        "co.uk",
		"localhost:8080":                   "localhost",
		"192.0.2.1:80":                     "192.0.2.1",
		"192.0.2.1:8080":                   "192.0.2.1",
		"[2001:db8::1]:443":                "2001:db8::1",
		"OpenAI":                           "OpenAI",
		"default generator":                "default generator",
		"xn--bcher-kva.example.com.au:443": "example.com.au",
	} {
		if got := RegistrableDomain(host); got != want {
			t.Errorf("%s: %s, want %s", host, got, want)
		}
	}
}
