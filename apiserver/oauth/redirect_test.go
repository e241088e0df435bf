package oauth_test

import (
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
)

func TestRedirectURIsAreComparedByteForByte(t *testing.T) {
	for _, tt := range []struct {
		name, registered, given string
		port                    v1alpha1.LoopbackPort
		want                    bool
	}{
		{name: "the same", registered: "https://a.example/cb?x=1", given: "https://a.example/cb?x=1", want: true},
		{name: "a slash more", registered: "https://a.example/cb", given: "https://a.example/cb/"},
		{name: "a query more", registered: "https://a.example/cb", given: "https://a.example/cb?x=1"},
		{name: "a fragment", registered: "https://a.example/cb#x", given: "https://a.example/cb#x"},
		{name: "other case", registered: "https://a.example/cb", given: "https://A.example/cb"},
		{name: "another escape", registered: "https://a.example/%7Ecb", given: "https://a.example/~cb"},
		{name: "the default port", registered: "https://a.example/cb", given: "https://a.example:443/cb"},
		{name: "a longer host", registered: "https://a.example", given: "https://a.example.evil.example"},
		{name: "user information", registered: "https://a.example@evil.example/", given: "https://a.example@evil.example/"},
		{name: "a script", registered: "javascript:alert(1)", given: "javascript:alert(1)"},
		{name: "http elsewhere", registered: "http://a.example/cb", given: "http://a.example/cb"},
		{name: "http on localhost by name", registered: "http://localhost/cb", given: "http://localhost/cb"},
		{name: "a line break", registered: "https://a.example/\ncb", given: "https://a.example/\ncb"},
		{name: "a backslash", registered: `https://a.example\@b.example/`, given: `https://a.example\@b.example/`},
		{name: "loopback", registered: "http://127.0.0.1:8000/cb", given: "http://127.0.0.1:8000/cb", want: true},
		{name: "loopback, another port", registered: "http://127.0.0.1:8000/cb", given: "http://127.0.0.1:9000/cb"},
		{name: "any port", registered: "http://127.0.0.1/cb", given: "http://127.0.0.1:9000/cb", port: v1alpha1.LoopbackPortAny, want: true},
		{name: "any port on IPv6", registered: "http://[::1]:1/cb", given: "http://[::1]:9000/cb", port: v1alpha1.LoopbackPortAny, want: true},
		{name: "any port, another path", registered: "http://127.0.0.1/cb", given: "http://127.0.0.1:9000/", port: v1alpha1.LoopbackPortAny},
		{name: "any port, another family", registered: "http://127.0.0.1/cb", given: "http://[::1]:9000/cb", port: v1alpha1.LoopbackPortAny},
		{name: "any port, elsewhere", registered: "https://a.example/cb", given: "https://a.example:9000/cb", port: v1alpha1.LoopbackPortAny},
		{name: "a host that begins so", registered: "http://127.0.0.1/cb", given: "http://127.0.0.1.evil.example/cb", port: v1alpha1.LoopbackPortAny},
	} {
		client := &v1alpha1.OAuthClient{Spec: v1alpha1.OAuthClientSpec{RedirectURIs: []string{tt.registered}, LoopbackPort: tt.port}}
		if err := oauth.CheckRedirect(client, tt.given); (err == nil) != tt.want {
			t.Errorf("%s: %q registered, %q given: got %v", tt.name, tt.registered, tt.given, err)
		}
	}
}
