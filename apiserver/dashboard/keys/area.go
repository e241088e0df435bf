// Package keys has the pages of API keys.
package keys

import (
	"embed"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
)

//go:embed *.html
var templates embed.FS

// Area returns the routes of these pages, and their templates.
func Area() page.Area {
	return page.Area{Routes: keyRoutes(), Templates: templates}
}
