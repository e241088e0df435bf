package page

import (
	"net/http"
	"strings"
)

// headerUpdate is in the request of a page that fetches itself. Its value lists the uids of the articles whose rows the page has.
const headerUpdate = "Pressroom-Update"

// IsUpdate reports whether a page fetches itself.
func IsUpdate(q *http.Request) bool {
	return q.Method == http.MethodGet && len(q.Header[headerUpdate]) > 0
}

// shownRows are the uids of the articles whose rows a page has that fetches itself: at most as many as two pages of the list.
func shownRows(q *http.Request) []string {
	uids := strings.Fields(q.Header.Get(headerUpdate))
	return uids[:min(len(uids), 2*ListLimit)]
}

// Stays reports whether the page stays when its form has been sent: the script of the editor sends it.
func (v *Visit) Stays() bool { return v.request.Header.Get("Pressroom-Save") != "" }
