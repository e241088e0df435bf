// Package sites has the pages of sites: their list, a site with its connection, and the forms that connect, change and delete it.
package sites

import (
	"embed"
	"slices"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
)

//go:embed *.html
var templates embed.FS

// Area returns the routes of these pages, and their templates.
func Area() page.Area {
	return page.Area{Routes: slices.Concat(siteManageRoutes(), siteRoutes()), Templates: templates}
}
