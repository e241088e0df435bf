package clientdocument_test

import (
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/oauth/clientdocument"
)

func TestOnlyAPlainHTTPSAddressWithAPathIsTheURLOfADocument(t *testing.T) {
	for _, tt := range []struct {
		name, id string
		want     bool
	}{
		{"a document", "https://client.example/oauth/client.json", true},
		{"the root", "https://client.example/", true},
		{"a slash at the end", "https://client.example/oauth/", true},
		{"a port", "https://client.example:8443/client.json", true},
		{"an address", "https://203.0.113.5/client.json", true},
		{"an address of IPv6", "https://[2001:db8::5]/client.json", true},
		{"a name that is not ASCII, as it is looked up", "https://xn--bcher-kva.example/client.json", true},
		{"the most bytes", "https://client.example/" + strings.Repeat("x", 128-23), true},
		{"one byte more", "https://client.example/" + strings.Repeat("x", 128-22), false},
		{"nothing", "", false},
		{"a registered client", "pr_ci_aa3ntef7lzig6jmn", false},
		{"plain http", "http://client.example/client.json", false},
		{"a script", "javascript:alert(1)", false},
		{"no path", "https://client.example", false},
		{"a query", "https://client.example/client.json?x=1", false},
		{"an empty query", "https://client.example/client.json?", false},
		{"a fragment", "https://client.example/client.json#x", false},
		{"an empty fragment", "https://client.example/client.json#", false},
		{"user information", "https://bank.example@client.example/client.json", false},
		{"a password", "https://bank:x@client.example/client.json", false},
		{"a dot segment", "https://client.example/./client.json", false},
		{"two dots", "https://client.example/a/../client.json", false},
		{"two dots at the end", "https://client.example/a/..", false},
		{"two dots, escaped", "https://client.example/a/%2e%2e/client.json", false},
		{"any escape", "https://client.example/%63lient.json", false},
		{"a backslash", `https://client.example\@bank.example/client.json`, false},
		{"a blank", "https://client.example/client json", false},
		{"a line break", "https://client.example/client.json\n", false},
		{"a name that is not ASCII", "https://b\u00fccher.example/client.json", false},
		{"a letter that looks like another", "https://cl\u0456ent.example/client.json", false},
		{"upper case in the name", "https://Client.example/client.json", false},
		{"upper case in the scheme", "HTTPS://client.example/client.json", false},
		{"a dot at the end of the name", "https://client.example./client.json", false},
		{"an empty label", "https://client..example/client.json", false},
		{"the port of the scheme", "https://client.example:443/client.json", false},
		{"an empty port", "https://client.example:/client.json", false},
		{"a port with a zero before it", "https://client.example:08443/client.json", false},
		{"a port with too many digits", "https://client.example:844300/client.json", false},
		{"no host", "https:///client.json", false},
	} {
		if got := clientdocument.IsURL(tt.id); got != tt.want {
			t.Errorf("%s: %q: got %v", tt.name, tt.id, got)
		}
	}
}

func TestTheHostOfAClientHasItsPort(t *testing.T) {
	for id, want := range map[string]string{
		"https://client.example/a": "client.example", "https://client.example:8443/a": "client.example:8443", "https://[2001:db8::5]/a": "[2001:db8::5]",
	} {
		if got := clientdocument.Host(id); got != want {
			t.Errorf("%s: got %s, want %s", id, got, want)
		}
	}
}
