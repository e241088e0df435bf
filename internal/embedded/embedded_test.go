package embedded_test

import (
	"errors"
	"fmt"
	html "html/template"
	"strings"
	"testing"
	"testing/fstest"
	text "text/template"

	"github.com/pressroom-dev/pressroom/internal/embedded"
)

var files = fstest.MapFS{
	"words.yaml":    {Data: []byte("one: 1\ntwo: 2\n")},
	"unknown.yaml":  {Data: []byte("one: 1\nthree: 3\n")},
	"twice.yaml":    {Data: []byte("one: 1\none: 2\n")},
	"broken.yaml":   {Data: []byte("one: [")},
	"lists/b.txt":   {Data: []byte("b")},
	"lists/a.txt":   {Data: []byte("a")},
	"page.html":     {Data: []byte("<p>{{.}}</p>")},
	"unclosed.html": {Data: []byte("<p>{{.</p>")},
}

type words struct{ One, Two int }

func TestAFileIsRead(t *testing.T) {
	if got := embedded.MustYAML[words](files, "words.yaml"); got != (words{1, 2}) {
		t.Errorf("YAML: %v", got)
	}
	if got := embedded.MustText(files, "lists/a.txt") + string(embedded.MustBytes(files, "lists/b.txt")); got != "ab" {
		t.Errorf("text: %q", got)
	}
	var all []string
	for name, text := range embedded.MustTexts(files, "lists/*.txt") {
		all = append(all, name+"="+text)
	}
	if got := strings.Join(all, " "); got != "lists/a.txt=a lists/b.txt=b" {
		t.Errorf("texts: %s", got)
	}
	for want, execute := range map[string]func(*strings.Builder) error{
		"<p>&lt;</p>": func(b *strings.Builder) error {
			return embedded.MustParse(html.New(""), files, "page.html").ExecuteTemplate(b, "page.html", "<")
		},
		"<p><</p>": func(b *strings.Builder) error {
			return embedded.MustParse(text.New(""), files, "page.html").ExecuteTemplate(b, "page.html", "<")
		},
	} {
		var got strings.Builder
		if err := execute(&got); err != nil || got.String() != want {
			t.Errorf("template: %q, %v, want %q", got.String(), err, want)
		}
	}
}

func TestAFileThatCannotBeReadEndsTheProgramWithItsName(t *testing.T) {
	for name, read := range map[string]func(string){
		"missing.txt":   func(name string) { embedded.MustText(files, name) },
		"none/*.txt":    func(name string) { embedded.MustTexts(files, name) },
		"[":             func(name string) { embedded.MustTexts(files, name) },
		"missing.yaml":  func(name string) { embedded.MustYAML[words](files, name) },
		"broken.yaml":   func(name string) { embedded.MustYAML[words](files, name) },
		"unknown.yaml":  func(name string) { embedded.MustYAML[words](files, name) },
		"twice.yaml":    func(name string) { embedded.MustYAML[words](files, name) },
		"unclosed.html": func(name string) { embedded.MustParse(html.New(""), files, name) },
		"words.yaml": func(name string) {
			embedded.MustRead(files, name, func([]byte) (int, error) { return 0, errors.New("refused") })
		},
	} {
		if cause := recovered(func() { read(name) }); !strings.Contains(cause, "the embedded file "+name+": ") {
			t.Errorf("%s: %q", name, cause)
		}
	}
}

// recovered returns what a function panics with.
func recovered(do func()) (cause string) {
	defer func() { cause = fmt.Sprint(recover()) }()
	do()
	return ""
}
