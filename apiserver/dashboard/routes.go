package dashboard

import (
	"net/http"
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// route is a page, or a form that is sent.
type route struct {
	method string
	// path below Root, in gin's form.
	path string
	// scope that a person must have; empty if any does.
	scope v1alpha1.Scope
	// operation of the REST API that a form sends; empty for pages, and for forms that only change what the browser keeps.
	operation string
	handle    handler
}

// handler answers a visit. It reads nothing but the visit and the REST API: live updates call the handler of a page again.
type handler func(*visit) (*answer, error)

// anyScope is the scope of pages that everybody may see.
const anyScope v1alpha1.Scope = ""

// allRoutes lists the routes of all areas.
func allRoutes() []route {
	return slices.Concat(
		homeRoutes(), settingsRoutes(), listRoutes(), bulkRoutes(), calendarRoutes(),
		siteManageRoutes(), keyRoutes(), siteRoutes(), deliveryRoutes(), deliveryLogRoutes(), eventRoutes(), usageRoutes(), appRoutes(),
		makeRoutes(), editRoutes(), articleRoutes(),
	)
}

// page is the route of a page.
func page(path string, scope v1alpha1.Scope, h handler) route {
	return route{http.MethodGet, path, scope, "", h}
}

// form is the route of a form that sends an operation.
func form(path string, scope v1alpha1.Scope, operation string, h handler) route {
	return route{http.MethodPost, path, scope, operation, h}
}

// find returns the page at a path, with the parameters of that.
func (d *Dashboard) find(path string) (route, map[string]string, bool) {
	for _, r := range d.routes {
		if params, ok := match(Root+r.path, path); ok && r.method == http.MethodGet {
			return r, params, true
		}
	}
	return route{}, nil, false
}

// match reports whether a path is one of a pattern, and its parameters.
func match(pattern, path string) (map[string]string, bool) {
	want, got := strings.Split(pattern, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return nil, false
	}
	params := map[string]string{}
	for i, segment := range want {
		if name, ok := strings.CutPrefix(segment, ":"); ok {
			params[name] = got[i]
		} else if segment != got[i] {
			return nil, false
		}
	}
	return params, true
}
