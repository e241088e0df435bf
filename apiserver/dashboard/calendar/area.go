// Package calendar has the calendar of what was published and what is planned.
package calendar

import (
	"embed"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
)

//go:embed *.html
var templates embed.FS

// Area returns the routes of these pages, and their templates.
func Area() page.Area {
	return page.Area{Routes: calendarRoutes(), Templates: templates}
}
