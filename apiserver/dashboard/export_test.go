package dashboard

import "github.com/pressroom-dev/pressroom/apiserver/dashboard/page"

// Route is a route of the dashboard, for tests.
type Route struct{ Method, Path, Scope, Operation string }

// Routes returns all routes.
func Routes() []Route {
	var out []Route
	for _, area := range areas() {
		for _, r := range area.Routes {
			out = append(out, Route{r.Method, page.Root + r.Path, string(r.Scope), r.Operation})
		}
	}
	return out
}

// Sizes returns the style and the script.
func Sizes() (style, script []byte) {
	s := readStatic()
	return s[styleName].content, s[scriptName].content
}
