package publish_test

import (
	"testing"

	"github.com/pressroom-dev/pressroom/internal/publish"
)

func TestADestinationHasOneSpelling(t *testing.T) {
	const want = "acme.example/hooks/blog"
	for _, raw := range []string{
		"https://acme.example/hooks/blog", "https://ACME.example:443/hooks/blog/", "HTTPS://acme.example./hooks/blog#part",
		"http://acme.example/hooks/blog", "http://acme.example:80/hooks/blog",
	} {
		if got := (publish.Connection{URL: raw}).Destination(); got != want {
			t.Errorf("Destination of %s = %q, want %q", raw, got, want)
		}
	}
}

func TestDestinationsDiffer(t *testing.T) {
	seen := map[string]publish.Connection{}
	for _, c := range []publish.Connection{
		{URL: "https://acme.example/a"}, {URL: "https://acme.example/b"}, {URL: "https://acme.example/A"}, {URL: "https://acme.example:8443/a"},
		{URL: "https://acme.example:80/a"},
		{URL: "https://acme.example/a?site=1"}, {URL: "https://acme.example/a?site=2"}, {URL: "https://blog.acme.example/a"},
		{URL: "https://acme.example/a", Collection: "posts"}, {URL: "https://acme.example/a", Collection: "news"},
	} {
		if before, ok := seen[c.Destination()]; ok {
			t.Errorf("%+v and %+v have one destination", c, before)
		}
		seen[c.Destination()] = c
	}
}
