package snippet_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/pressroom-dev/pressroom/internal/publish/snippet"
)

const (
	secret    = `a-long/random "string" <of> the customer's & more`
	signature = "5d41402abc4b2a76b9719d911017c592a1b2c3d4e5f60718293a4b5c6d7e8f90"
)

func TestSnippets(t *testing.T) {
	jwt := "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"
	tests := map[string]struct{ body, want string }{
		"nothing":          {"", ""},
		"text":             {"no such post", "no such post"},
		"the contract's":   {`{"id":"42","url":"https://acme.example/blog/a"}`, `{"id":"42","url":"https://acme.example/blog/a"}`},
		"line ends":        {"<h1>Error</h1>\r\n\r\n\t<p>down</p>\n", "<h1>Error</h1> <p>down</p>"},
		"other letters":    {"Fehler: Größe – 大きすぎる", "Fehler: Größe – 大きすぎる"},
		"escape sequences": {"a\x1b[31mred\x07 bell, and much more of plain text after it", "a[31mred bell, and much more of plain text after it"},
		"direction":        {"a\u202eb\u200bc", "abc"},
		"Latin-1":          {"Erreur: acc\xe8s refus\xe9 par le serveur de la maison", "Erreur: acc\ufffds refus\ufffd par le serveur de la maison"},
		"a picture":        {"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "[binary content]"},
		"gzip":             {"\x1f\x8b\x08\xff\xfe\xfd\xfc\xfb\x99", "[binary content]"},

		"the secret":                {"key is " + secret + ".", "key is [redacted]."},
		"the secret in JSON":        {`{"k":"a-long/random \"string\" \u003cof\u003e the customer's \u0026 more"}`, `{"k":"[redacted]"}`},
		"the secret in PHP's JSON":  {`{"k":"a-long\/random \"string\" <of> the`, `{"k":"[redacted]`},
		"the secret in HTML":        {`<td>a-long/random &quot;string&quot; &lt;of&gt; the customer&#039;s &amp; more</td>`, `<td>[redacted]</td>`},
		"the secret over two lines": {"a-long/random\n\t\"string\" <of> the customer's & more", "[redacted]"},
		"the secret, cut off":       {"x " + secret[:20], "x [redacted]"},
		"the secret in base64":      {"YS1sb25nL3JhbmRvbSAic3RyaW5nIiA8b2Y+IHRoZSBjdXN0b21lcidzICYgbW9yZQ==", "[redacted]"},
		"the secret after a name":   {"token=" + secret + "!", "token=[redacted]!"},
		"the signature":             {"got " + signature + ", want other", "got [redacted], want other"},
		"the signature in capitals": {"got " + strings.ToUpper(signature), "got [redacted]"},
		"another signature":         {"want " + strings.Repeat("0f", 32), "want [redacted]"},

		"our credentials":    {"key pr_ak_abcdefghij234567_0123456789abcdefABCDEFGHIJ is bad; pr_ci_app is not", "key [redacted] is bad; pr_ci_app is not"},
		"a signing secret":   {"whsec_MDEyMzQ1Njc4OTAx", "[redacted]"},
		"an event signature": {"v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4= v1,x", "[redacted] v1,x"},
		"a bearer":           {"sent Bearer abc.def/ghi= to us", "sent Bearer [redacted] to us"},
		"a basic":            {"Authorization: Basic dXNlcjpwYXNz\nHost: x", "Authorization: [redacted] [redacted] Host: x"},
		"a JWT":              {"jwt=" + jwt + " expired", "jwt=[redacted] expired"},
		"half a JWT":         {jwt[:30], "[redacted]"},
		"a vendor's key":     {"sk-abcdefghijklmnopqrst and AKIAIOSFODNN7EXAMPLE", "[redacted] and [redacted]"},
		"a URL's password":   {"postgres://admin:hunter2@db/x", "postgres://[redacted]@db/x"},
		"a private key":      {"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- end", "[redacted] end"},
		"half a private key": {"-----BEGIN PRIVATE KEY-----\nMIIE\nabc", "[redacted]"},
		"long base64":        {"blob dGhpcyBpcyBhIHNlY3JldCB0aGF0IGlzIGxvbmcgZW5vdWdo1 end", "blob [redacted] end"},
		"a long slug":        {"/blog/trail-running-shoes-that-last-for-a-long-long-time", "/blog/trail-running-shoes-that-last-for-a-long-long-time"},

		"JSON":             {`{"password":"hun\"ter2","user":"mara","apiKey":"x"}`, `{"password":[redacted],"user":"mara","apiKey":[redacted]}`},
		"JSON in JSON":     {`{"m":"{\"client_secret\":\"abc\",\"a\":1}"}`, `{"m":"{\"client_secret\":[redacted],\"a\":1}"}`},
		"a number":         {`{"token": 12345, "n": 1}`, `{"token": [redacted], "n": 1}`},
		"a form":           {"user=mara&passwd=hunter2&x-api-key=abc&x=1", "user=mara&passwd=[redacted]&x-api-key=[redacted]&x=1"},
		"environment":      {"DB_PASSWORD=hunter2\nDB_HOST=db", "DB_PASSWORD=[redacted] DB_HOST=db"},
		"PHP":              {"[password] => hunter2\n[user] => mara", "[password] => [redacted] [user] => mara"},
		"a table":          {`<td class="e">API_KEY </td><td class="v">abc def</td>`, `<td class="e">API_KEY </td><td class="v">[redacted] def</td>`},
		"HTML":             {`&quot;secret&quot;: &quot;abc def&quot;, &quot;a&quot;: 1`, `&quot;secret&quot;: [redacted], &quot;a&quot;: 1`},
		"single quotes":    {`{'api_key': 'a b'}`, `{'api_key': [redacted]}`},
		"a header":         {"X-SERVICE-Signature: abc\nX-Other: 1", "X-SERVICE-Signature: [redacted] X-Other: 1"},
		"its own mark":     {"X-SERVICE-Signature: " + signature + "\nX-Other: 1", "X-SERVICE-Signature: [redacted] X-Other: 1"},
		"cookies":          {"Set-Cookie: a=b; c=d\nHost: x", "Set-Cookie: [redacted] Host: x"},
		"no secret":        {"the token is missing; author: mara", "the token is missing; author: mara"},
		"an e-mail":        {"tell admin+web@mail.acme.example now", "tell [e-mail] now"},
		"IPv4":             {"upstream 10.1.2.3:8080 failed, 203.0.113.7.", "upstream [address]:8080 failed, [address]."},
		"IPv6":             {"to [2001:db8::1]:443, fe80::1 and ::ffff:10.0.0.1", "to [[address]]:443, [address] and [address]"},
		"no address":       {"at 12:30:45 std::string v1.2.3 Foo::Bar", "at 12:30:45 std::string v1.2.3 Foo::Bar"},
		"cut off password": {`{"password":"hun`, `{"password":[redacted]`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := snippet.Of([]byte(tt.body), false, secret, signature); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestALongAnswerIsCutAtACharactersBorder(t *testing.T) {
	for shift := range 4 {
		got := snippet.Of([]byte(strings.Repeat("x", shift)+strings.Repeat("日本 ", 500)), true)
		if len(got) > 1024 || len(got) < 1000 || !utf8.ValidString(got) || !strings.HasSuffix(got, "…") {
			t.Errorf("%d bytes, ending in %q", len(got), got[len(got)-10:])
		}
	}
	exact := strings.Repeat("ab cd ", 170) + "abcd"
	if got := snippet.Of([]byte(exact), false); got != exact {
		t.Errorf("1024 bytes became %d", len(got))
	}
}

// A word at the end of what was read may be half of a secret, and then has no form to tell it by.
func TestTheLastWordOfAnAnswerThatGoesOnIsLeftOut(t *testing.T) {
	for _, body := range []string{"all is well but hunt", `{"ok":true,"x":"hunt`, strings.Repeat("y", 600) + "hunt"} {
		if got := snippet.Of([]byte(body), true); strings.Contains(got, "hunt") || !strings.HasSuffix(got, "…") {
			t.Errorf("got %q", got)
		}
	}
}

func TestASecretThatIsLongerThanWhatIsReadIsHidden(t *testing.T) {
	long := strings.Repeat("0123456789abcdefghij", 400)
	if got := snippet.Of([]byte("echo "+long[:snippet.SourceBytes-5]), true, long); strings.Contains(got, "0123456789abcdef") {
		t.Errorf("got %q", got)
	}
}

func TestShortSecretsAreHiddenToo(t *testing.T) {
	if got := snippet.Of([]byte("zap zip"), false, "z"); got != "[redacted]ap [redacted]ip" {
		t.Errorf("got %q", got)
	}
}

// marks stand in the place of what is taken out.
const marks = "[redacted][address][e-mail][binary content]…"

func FuzzSnippet(f *testing.F) {
	f.Add([]byte("key is "+secret), true, secret)
	f.Add([]byte(`{"password":"hunter2"}`), false, "hunter2")
	f.Add([]byte("\xff\xfe\x00"), true, "\xff")
	f.Add([]byte("Bearer abc <b>10.0.0.1</b>"), false, "")
	f.Add([]byte("::ffff:1.2.3.4:::"), true, "é")
	f.Fuzz(func(t *testing.T, body []byte, more bool, known string) {
		got := snippet.Of(body, more, known)
		if len(got) > snippet.MaxBytes || !utf8.ValidString(got) {
			t.Errorf("%d bytes: %q", len(got), got)
		}
		if strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("not printable: %q", got)
		}
		// What stands in the place of a secret may hold a short one by chance.
		if known = strings.TrimSpace(known); len(known) > 3 && !strings.Contains(marks, known) && strings.Contains(got, known) {
			t.Errorf("%q tells the secret %q", got, known)
		}
	})
}
