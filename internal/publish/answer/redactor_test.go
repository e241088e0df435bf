package answer

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

const (
	odd       = `a-long/random "string" <of> the customer's & more`
	signature = "5d41402abc4b2a76b9719d911017c592a1b2c3d4e5f60718293a4b5c6d7e8f90"
)

func TestSnippets(t *testing.T) {
	tests := map[string]struct{ body, want string }{
		"nothing":          {"", ""},
		"text":             {"no such post", "no such post"},
		"the contract's":   {`{"id":"42","url":"https://acme.example/blog/a"}`, `{"id":"42","url":"https://acme.example/blog/a"}`},
		"line ends":        {"<h1>Error</h1>\r\n\r\n\t<p>down</p>\n", "<h1>Error</h1> <p>down</p>"},
		"other letters":    {"Fehler: Größe – 大きすぎる", "Fehler: Größe – 大きすぎる"},
		"escape sequences": {"a\x1b[31mred\x07 bell", "a[31mred bell"},
		"direction":        {"a\u202eb\u200bc", "abc"},
		"Latin-1":          {"Erreur: acc\xe8s refus\xe9", "Erreur: accs refus"},
		"a picture":        {"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "[binary content]"},

		"the secret":                {"key is " + odd + ".", "key is [redacted]."},
		"the secret in JSON":        {`{"k":"a-long/random \"string\" <of> the customer's & more"}`, `{"k":"[redacted]"}`},
		"the secret in PHP's JSON":  {`{"k":"a-long\/random \"string\" <of> the customer's & more"}`, `{"k":"[redacted]"}`},
		"the secret in HTML":        {`<td>a-long/random &#34;string&#34; &lt;of&gt; the customer&#39;s &amp; more</td>`, `<td>[redacted]</td>`},
		"the secret in a query":     {`/hook?k=a-long%2Frandom+%22string%22+%3Cof%3E+the+customer%27s+%26+more`, `/hook?k=[redacted]`},
		"the secret over two lines": {"a-long/random\n\t\"string\" <of> the customer's & more", "[redacted]"},
		"the signature":             {"got " + signature + ", want other", "got [redacted], want other"},
		"the signature in capitals": {"got " + strings.ToUpper(signature), "got [redacted]"},
		"another signature":         {"want " + strings.Repeat("0f", 32), "want [redacted]"},

		"a bearer":            {"sent Bearer abc.def/ghi= to us", "sent Bearer [redacted] to us"},
		"a basic":             {"Authorization: Basic dXNlcjpwYXNz\nHost: x", "Authorization: Basic [redacted] Host: x"},
		"our credentials":     {"key pr_ak_abcdefghij234567_0123456789abcdefABCDEFGHIJ is bad", "key [redacted] is bad"},
		"an event signature":  {"v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4= v1,x", "v1,[redacted] v1,x"},
		"long base64":         {"blob dGhpcyBpcyBhIHNlY3JldCB0aGF0IGlzIGxvbmcgZW5vdWdo1 end", "blob [redacted] end"},
		"a long slug":         {"/blog/trail-running-shoes-that-last-for-a-long-long-time", "/blog/trail-running-shoes-that-last-for-a-long-long-time"},
		"a UUID":              {"post 0198f0a1-b2c3-7d4e-8f5a-6b7c8d9e0f1a", "post 0198f0a1-b2c3-7d4e-8f5a-6b7c8d9e0f1a"},
		"a word of a message": {"the token is missing", "the token is missing"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := NewRedactor([]string{odd, signature}).Snippet([]byte(tt.body), false); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestALongAnswerIsCutAtTheBorderOfACharacter(t *testing.T) {
	for shift := range 4 {
		body := []byte(strings.Repeat("x", shift) + strings.Repeat("日本", 200))
		got := NewRedactor(nil).Snippet(body[:MaxKept], true)
		if len(got) > v1alpha1.MaxSnippetBytes || len(got) < v1alpha1.MaxSnippetBytes-3 || !utf8.ValidString(got) || !strings.HasSuffix(got, "…") {
			t.Errorf("%d bytes, ending in %q", len(got), got[max(len(got)-10, 0):])
		}
	}
	exact := strings.Repeat("ab cd ", 33) + "ab"
	if got := NewRedactor(nil).Snippet([]byte(exact), false); got != exact {
		t.Errorf("200 bytes became %d", len(got))
	}
}

// A word at the end of what was read may be half of a secret, which no pattern matches.
func TestTheLastWordOfAnAnswerThatGoesOnIsLeftOut(t *testing.T) {
	for body, want := range map[string]string{
		"all is well but hunt":              "all is well but…",
		`{"ok":true,"x":"hunt`:              `{"ok":true,"x":…`,
		"key is " + odd[:30]:                "key is…",
		"key is " + odd[:3]:                 "key is…",
		strings.Repeat("0f", 400) + " 0f0f": "[redacted]…",
	} {
		if got := NewRedactor([]string{odd}).Snippet([]byte(body), true); got != want {
			t.Errorf("%.40q: got %q, want %q", body, got, want)
		}
	}
}

func TestShortSecretsAreHiddenToo(t *testing.T) {
	if got := NewRedactor([]string{"z"}).Snippet([]byte("zap zip"), false); got != "[redacted]ap [redacted]ip" {
		t.Errorf("got %q", got)
	}
}

func TestAnAnswerThatNamesAPostByASecretNamesNone(t *testing.T) {
	for name, tt := range map[string]struct{ id, url, wantID, wantURL string }{
		"neither": {"17", "https://acme.example/p/a", "17", "https://acme.example/p/a"},
		"the id":  {"p-" + signature, "https://acme.example/p/a", "", "https://acme.example/p/a"},
		"the URL": {"17", "https://acme.example/?k=a-long%2Frandom+%22string%22+%3Cof%3E+the+customer%27s+%26+more", "17", ""},
	} {
		o := NewRedactor([]string{odd, signature}).Clean(publish.Outcome{ID: tt.id, URL: tt.url}, nil, false)
		if o.ID != tt.wantID || o.URL != tt.wantURL {
			t.Errorf("%s: %q, %q, want %q, %q", name, o.ID, o.URL, tt.wantID, tt.wantURL)
		}
	}
}

func TestTheAddressIsRemovedFromTextsAndNotFromWhatNamesAPost(t *testing.T) {
	const hook = "https://hooks.example/hooks/catch/1234567/3abcd12/"
	for name, tt := range map[string]struct{ address, body, want string }{
		"the path":             {hook, "Cannot POST /hooks/catch/1234567/3abcd12/", "Cannot POST /[redacted]"},
		"the path in HTML":     {hook + "?a=b&amp", "<pre>Cannot POST /hooks/catch/1234567/3abcd12/</pre>", "<pre>Cannot POST /[redacted]/</pre>"},
		"the path in JSON":     {hook, `{"path":"\/hooks\/catch\/1234567\/3abcd12"}`, `{"path":"\/[redacted]"}`},
		"the path in a query":  {hook, "/login?next=hooks%2Fcatch%2F1234567%2F3abcd12", "/login?next=[redacted]"},
		"of nine bytes":        {"https://a.example/abcde-fgh", "at abcde-fgh", "at [redacted]"},
		"a short one":          {"https://a.example/articles", "at /articles", "at /articles"},
		"escaped":              {"https://a.example/k%C3%B6nig/geheim", "at /könig/geheim or /k%C3%B6nig/geheim", "at /[redacted] or /[redacted]"},
		"path and query":       {"https://a.example/hooks/in?key=1234", "no route for /hooks/in?key=1234", "no route for /[redacted]"},
		"the query":            {"https://a.example/in?site=acme-blog", "unknown: site=acme-blog", "unknown: [redacted]"},
		"a value of the query": {"https://a.example/in?v=1&sig=Q7r-9x_Zk2P", "the signature Q7r-9x_Zk2P is wrong", "the signature [redacted] is wrong"},
		"a part of the path":   {"https://a.example/services/T0001/B0002/abcdEFGH1234ijkl", "no_service abcdEFGH1234ijkl", "no_service [redacted]"},
		"a word of the path":   {hook, "nothing to catch", "nothing to catch"},
		"the root":             {"https://a.example/", "Cannot POST /", "Cannot POST /"},
		"one that is none":     {"https://a.example/%zz", "Cannot POST /%zz", "Cannot POST /%zz"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := NewRedactor(nil).WithAddress(tt.address).Snippet([]byte(tt.body), false); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
	o := publish.Outcome{ID: "hooks/catch/1234567/3abcd12", URL: hook + "a-post"}
	o.Message = "no route for " + hook
	got := NewRedactor(nil).WithAddress(hook).WithoutSecrets(o)
	if got.Message != "no route for https://hooks.example/"+redacted || got.ID != o.ID || got.URL != o.URL {
		t.Errorf("got %+v", got)
	}
}

// marks replace what is left out.
const marks = "[redacted][binary content]…"

func FuzzSnippet(f *testing.F) {
	f.Add([]byte("key is "+odd), true, odd)
	f.Add([]byte(`{"password":"hunter2"}`), false, "hunter2")
	f.Add([]byte("\xff\xfe\x00"), true, "\xff")
	f.Add([]byte("Bearer abc <b>10.0.0.1</b>"), false, "")
	f.Add([]byte("::ffff:1.2.3.4:::"), true, "é")
	f.Fuzz(func(t *testing.T, body []byte, more bool, known string) {
		got := NewRedactor([]string{known}).Snippet(body, more)
		if len(got) > v1alpha1.MaxSnippetBytes || !utf8.ValidString(got) {
			t.Errorf("%d bytes: %q", len(got), got)
		}
		if strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("not printable: %q", got)
		}
		// A mark may hold a short secret by chance, alone or with the text beside it.
		if known = strings.TrimSpace(known); len(known) > 3 && !strings.Contains(got, "[") && !strings.Contains(marks, known) && strings.Contains(got, known) {
			t.Errorf("%q has the secret %q in it", got, known)
		}
	})
}
