package page

import (
	"io/fs"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Route is a page, or a form that is sent.
type Route struct {
	Method string
	// Path below Root, in gin's form.
	Path string
	// Scope that a person must have; empty if any does.
	Scope v1alpha1.Scope
	// Operation of the REST API that a form sends; empty for pages, and for forms that only change what the browser keeps.
	Operation string
	Handle    Handler
}

// Area is a part of the dashboard that somebody would look for by its name.
type Area struct {
	Routes []Route
	// Templates are those of its pages. They may use the ones of this package.
	Templates fs.FS
}

// Handler answers a visit. It reads only the visit and the REST API.
type Handler func(*Visit) (*Answer, error)

// AnyScope is the scope of pages that everybody may see.
const AnyScope v1alpha1.Scope = ""

// Show is the route of a page.
func Show(path string, scope v1alpha1.Scope, h Handler) Route {
	return Route{http.MethodGet, path, scope, "", h}
}

// Form is the route of a form that sends an operation.
func Form(path string, scope v1alpha1.Scope, operation string, h Handler) Route {
	return Route{http.MethodPost, path, scope, operation, h}
}
