// Package article has the pages of one article: the one on which it is reviewed and published, its preview and changes, the editor, and
// the forms that generate or write new ones.
package article

import (
	"embed"
	"slices"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
)

//go:embed *.html
var templates embed.FS

// Area returns the routes of these pages, and their templates.
func Area() page.Area {
	return page.Area{Routes: slices.Concat(articleRoutes(), editRoutes(), makeRoutes()), Templates: templates}
}
