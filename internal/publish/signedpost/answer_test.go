package signedpost

import (
	"net/url"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

func TestIDAndURLAreTakenFromTheAnswer(t *testing.T) {
	long := strings.Repeat("é", 64)
	tests := map[string]struct{ body, wantID, wantURL string }{
		"both":                   {`{"id":"42","url":"https://acme.example/blog/a"}`, "42", "https://acme.example/blog/a"},
		"neither":                {`{}`, "", ""},
		"empty strings":          {`{"id":"","url":""}`, "", ""},
		"nulls":                  {`{"id":null,"url":null}`, "", ""},
		"id alone":               {`{"id":"a-b"}`, "a-b", ""},
		"url alone":              {`{"url":"http://acme.example"}`, "", "http://acme.example"},
		"more members":           {`{"ok":true,"post":{"id":1},"id":"7"}`, "7", ""},
		"spaces and line ends":   {" \r\n{ \"id\" :\t\"7\" }\n", "7", ""},
		"byte-order mark":        {"\uFEFF{\"id\":\"7\"}", "7", ""},
		"a number":               {`{"id":42}`, "42", ""},
		"a number over 2^53":     {`{"id":9007199254740993123456789}`, "9007199254740993123456789", ""},
		"a number as written":    {`{"id":-1.50e+3}`, "-1.50e+3", ""},
		"named twice":            {`{"id":"1","url":"https://a.example/","id":"2","URL":null}`, "2", "https://a.example/"},
		"long before and after":  {`{"html":"` + strings.Repeat("x", 30000) + `","id":"1","a":[[{"id":"2"}]],"b":"` + strings.Repeat("x", 30000) + `"}`, "1", ""},
		"missing brace":          {`{"id":"1"`, "", ""},
		"missing comma":          {`{"id":"1" "url":"https://a.example/"}`, "", ""},
		"comma too many":         {`{"id":"1",}`, "", ""},
		"a boolean id":           {`{"id":true}`, "", ""},
		"an object as id":        {`{"id":{"a":1}}`, "", ""},
		"a list as id":           {`{"id":["1"]}`, "", ""},
		"other spelling":         {`{"Id":"1","Url":"https://acme.example/"}`, "1", "https://acme.example/"},
		"escapes":                {`{"id":"\u0061\/b","url":"https:\/\/acme.example\/a"}`, "a/b", "https://acme.example/a"},
		"id of 128 bytes":        {`{"id":"` + long + `"}`, long, ""},
		"id of 130 bytes":        {`{"id":"` + long + `é"}`, "", ""},
		"number of 129 digits":   {`{"id":` + strings.Repeat("1", 129) + `}`, "", ""},
		"control character":      {`{"id":"a\u0000b"}`, "", ""},
		"line end":               {`{"id":"a\nb"}`, "", ""},
		"escape sequence":        {`{"id":"\u001b[31mred"}`, "", ""},
		"direction turned":       {`{"id":"a\u202eb"}`, "", ""},
		"blank id":               {`{"id":"   "}`, "", ""},
		"url with query":         {`{"url":"https://acme.example/?p=1&b=2#c"}`, "", "https://acme.example/?p=1&b=2#c"},
		"url in other letters":   {`{"url":"https://acme.example/статья"}`, "", "https://acme.example/статья"},
		"url with a port":        {`{"url":"http://127.0.0.1:8088/posts/a"}`, "", "http://127.0.0.1:8088/posts/a"},
		"upper-case scheme":      {`{"url":"HTTPS://acme.example/"}`, "", "HTTPS://acme.example/"},
		"javascript":             {`{"id":"1","url":"javascript:alert(1)"}`, "1", ""},
		"javascript in disguise": {`{"url":"java\nscript:alert(1)"}`, "", ""},
		"data":                   {`{"url":"data:text/html,<script>"}`, "", ""},
		"relative":               {`{"url":"/blog/a"}`, "", ""},
		"without scheme":         {`{"url":"acme.example/blog"}`, "", ""},
		"scheme-relative":        {`{"url":"//acme.example/blog"}`, "", ""},
		"without host":           {`{"url":"https:///blog"}`, "", ""},
		"port without host":      {`{"url":"https://:443/"}`, "", ""},
		"user information":       {`{"url":"https://user:pass@acme.example/"}`, "", ""},
		"space":                  {`{"url":"https://acme.example/a b"}`, "", ""},
		"leading space":          {`{"url":" https://acme.example/"}`, "", ""},
		"quote":                  {`{"url":"https://acme.example/\" onclick=\"x"}`, "", ""},
		"tag":                    {`{"url":"https://acme.example/<script>"}`, "", ""},
		"backslash":              {`{"url":"https://acme.example\\@evil.example/"}`, "", ""},
		"a number as url":        {`{"url":7}`, "", ""},
		"url of 512 bytes":       {`{"url":"` + urlOf(512) + `"}`, "", urlOf(512)},
		"url of 513 bytes":       {`{"url":"` + urlOf(513) + `"}`, "", ""},
		"nothing":                {``, "", ""},
		"text":                   {`OK`, "", ""},
		"broken":                 {`{"id":"1","url":`, "", ""},
		"wrong quotes":           {`{'id':'1'}`, "", ""},
		"a list":                 {`[{"id":"1"}]`, "", ""},
		"a string":               {`"1"`, "", ""},
		"null":                   {`null`, "", ""},
		"gzip":                   {"\x1f\x8b\x08\x00\x00\x00\x00\x00", "", ""},
		"nested without end":     {strings.Repeat(`{"id":`, 20000), "", ""},
		"lists without end":      {strings.Repeat(`[`, maxAnswer), "", ""},
		"what follows is junk":   {`{"id":"1"}<html>`, "1", ""},
		"just within the cap":    {strings.Repeat(" ", maxAnswer-10) + `{"id":"1"}`, "1", ""},
		"over the cap":           {strings.Repeat(" ", maxAnswer-9) + `{"id":"1"}`, "", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			id, link := readAnswer(strings.NewReader(tt.body))
			if id != tt.wantID || link != tt.wantURL {
				t.Errorf("readAnswer = %q, %q, want %q, %q", id, link, tt.wantID, tt.wantURL)
			}
			id, link = readAnswer(iotest.OneByteReader(strings.NewReader(tt.body)))
			if id != tt.wantID || link != tt.wantURL {
				t.Errorf("byte by byte: readAnswer = %q, %q, want %q, %q", id, link, tt.wantID, tt.wantURL)
			}
		})
	}
}

func urlOf(bytes int) string {
	const start = "https://acme.example/"
	return start + strings.Repeat("a", bytes-len(start))
}

func TestReadingEndsWithTheObject(t *testing.T) {
	body := strings.NewReader(`{"id":"1"}`)
	trickle := iotest.OneByteReader(body)
	id, _ := readAnswer(readerFunc(func(p []byte) (int, error) {
		if body.Len() == 0 {
			t.Fatal("more was read than the object")
		}
		return trickle.Read(p)
	}))
	if id != "1" {
		t.Errorf("id is %q, want 1", id)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"id":"42","url":"https://acme.example/blog/a"}`, `{"id":-1e5}`, "\uFEFF{}", `{"url":"javascript:alert(1)"}`, `{"id":"a\u202eb"}`, `[[[`, ``,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		id, link := readAnswer(strings.NewReader(body))
		if len(id) > 128 || !utf8.ValidString(id) || strings.ContainsAny(id, "\x00\r\n\t\x1b\u202e") {
			t.Errorf("id is %q", id)
		}
		if link == "" {
			return
		}
		u, err := url.Parse(link)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" || u.User != nil || len(link) > 512 ||
			strings.ContainsAny(link, "\x00\r\n\t \"<>") {
			t.Errorf("url is %q, %v", link, err)
		}
	})
}
