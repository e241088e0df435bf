package page

import (
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"strings"

	"github.com/pressroom-dev/pressroom/apiserver/pages"
)

//go:embed *.html
var files embed.FS

// Parse returns the templates of an area, with those that all areas use.
func Parse(area fs.FS) (*template.Template, error) {
	t, err := template.New("").Funcs(template.FuncMap{
		"name": pages.DisplayName, "word": StatusWord, "who": who, "lower": strings.ToLower, "plural": Plural,
		"sentence": Sentence, "cms": cmsName, "checkName": checkName, "scope": scopeWord, "lang": languageOf, "dir": directionOf,
	}).ParseFS(files, "*.html")
	if err == nil {
		t, err = t.ParseFS(area, "*.html")
	}
	if err != nil {
		return nil, fmt.Errorf("reading the templates of the dashboard: %w", err)
	}
	return t, nil
}
