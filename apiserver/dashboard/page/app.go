// Package page has what all areas of the dashboard share: a visit and its answer, routes, the frame of all pages, forms and their tickets,
// times, and words. It knows no area.
package page

import (
	"github.com/go-logr/logr"
	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/apiserver/pages"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// Root is the path of the dashboard. All its other paths are below.
const Root = "/app"

// App is what all pages are made with.
type App struct {
	Frame *pages.Frame
	// API is what pages read and change with.
	API   *rest.Local
	Clock clock.PassiveClock
	Log   logr.Logger
	// Style and Script are the paths of the files that all pages load, and Toolbar is that of the script with the buttons above a text
	// (github/markdown-toolbar-element), which editors alone load.
	Style, Script, Toolbar string
}
