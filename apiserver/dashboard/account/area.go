// Package account has the pages that belong to no workspace: the choice of one, the usage of the account, and what a person has set for
// themselves.
package account

import (
	"embed"
	"slices"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
)

//go:embed *.html
var templates embed.FS

// Area returns the routes of these pages, and their templates.
func Area() page.Area {
	return page.Area{Routes: slices.Concat(homeRoutes(), settingsRoutes(), usageRoutes()), Templates: templates}
}
