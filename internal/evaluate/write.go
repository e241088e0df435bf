package evaluate

import (
	_ "embed"
	"encoding/json"
	"fmt"
	html "html/template"
	"io"
	"path/filepath"
	"strings"
	text "text/template"
)

//go:embed report.html.tmpl
var htmlText string

//go:embed report.md.tmpl
var markdownText string

var functions = map[string]any{
	"join": func(list []string) string { return strings.Join(list, ", ") },
	"money": func(micros int64, currency string) string {
		const unit = 1_000_000
		return fmt.Sprintf("%d.%06d %s", micros/unit, micros%unit, currency)
	},
	"cell": func(s string) string { return strings.NewReplacer("|", "\\|", "\n", " ").Replace(s) },
}

var (
	htmlReport     = html.Must(html.New("report").Funcs(functions).Parse(htmlText))
	markdownReport = text.Must(text.New("report").Funcs(functions).Parse(markdownText))
)

// CheckName returns an error if the name of a file says no format of a report.
func CheckName(name string) error {
	switch filepath.Ext(name) {
	case ".html", ".md", ".json":
		return nil
	default:
		return fmt.Errorf("the report's name must end in .html, .md or .json, not %q", filepath.Base(name))
	}
}

// Write writes a report in the format that the name of a file says: .html, .md or .json.
func (r Report) Write(w io.Writer, name string) error {
	var err error
	switch filepath.Ext(name) {
	case ".html":
		err = htmlReport.Execute(w, r)
	case ".md":
		err = markdownReport.Execute(w, r)
	case ".json":
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(r)
	default:
		return CheckName(name)
	}
	if err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}
