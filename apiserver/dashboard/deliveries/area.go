// Package deliveries has the list of articles by the state of their last delivery, and the log of those of an article.
package deliveries

import (
	"embed"
	"slices"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
)

//go:embed *.html
var templates embed.FS

// Area returns the routes of these pages, and their templates.
func Area() page.Area {
	return page.Area{Routes: slices.Concat(deliveryRoutes(), deliveryLogRoutes()), Templates: templates}
}
