// Package articles has the list of articles, and what can be done with many of them at once.
package articles

import (
	"embed"
	"slices"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
)

//go:embed *.html
var templates embed.FS

// Area returns the routes of these pages, and their templates.
func Area() page.Area {
	return page.Area{Routes: slices.Concat(listRoutes(), bulkRoutes()), Templates: templates}
}
