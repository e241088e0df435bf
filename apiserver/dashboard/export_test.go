package dashboard

// Route is a route of the dashboard, for tests.
type Route struct{ Method, Path, Scope, Operation string }

// Routes returns all routes.
func Routes() []Route {
	all := allRoutes()
	out := make([]Route, 0, len(all))
	for _, r := range all {
		out = append(out, Route{r.method, Root + r.path, string(r.scope), r.operation})
	}
	return out
}

// Sizes returns the style and the script.
func Sizes() (style, script []byte, err error) {
	s, err := readStatic()
	return s.style.content, s.script.content, err
}
