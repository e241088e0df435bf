// Package events has the pages of event subscriptions, and of what was sent to them.
package events

import (
	"embed"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
)

//go:embed *.html
var templates embed.FS

// Area returns the routes of these pages, and their templates.
func Area() page.Area {
	return page.Area{Routes: eventRoutes(), Templates: templates}
}
