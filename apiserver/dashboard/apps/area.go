// Package apps has the pages of registered apps (OAuth clients), and of the access that people have given to apps.
package apps

import (
	"embed"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
)

//go:embed *.html
var templates embed.FS

// Area returns the routes of these pages, and their templates.
func Area() page.Area {
	return page.Area{Routes: appRoutes(), Templates: templates}
}
