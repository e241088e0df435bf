package dashboard

import (
	"context"
	"net/http"
	"net/url"
	"strings"
)

// madePage is the answer of a page's handler to a visit.
type madePage struct {
	visit  *visit
	answer *answer
}

// find makes the page of an address, which must be one of the workspace, and returns the status of the stream.
func (l *live) find(address, workspace string) int {
	page, err := url.Parse(address)
	if err != nil || page.Host != "" || len(l.state.rows) > 2*listLimit {
		return http.StatusNotFound
	}
	var ok bool
	l.page = page
	if l.route, l.params, ok = l.dashboard.find(page.Path); !ok || l.params["workspace"] != workspace {
		return http.StatusNotFound
	}
	for _, row := range l.state.rows {
		if uid, isArticle := strings.CutPrefix(row, rowPrefix); isArticle {
			l.shown = append(l.shown, uid)
		}
	}
	if l.first, err = l.make(l.context.Request.Context()); err != nil {
		return http.StatusServiceUnavailable
	}
	if !mayBeLive(l.first.answer) {
		return http.StatusNotFound
	}
	return http.StatusOK
}

// mayBeLive reports whether an address has a page, or will have it in a moment: there is no editor while a change of the text is being
// stored, and a page that is open by then waits for it to come back.
func mayBeLive(a *answer) bool {
	if a.template == "" {
		return false
	}
	switch a.status {
	case http.StatusOK, http.StatusConflict, http.StatusTooManyRequests:
		return true
	}
	return a.status >= http.StatusInternalServerError
}

// make has the page's handler make the page again.
func (l *live) make(ctx context.Context) (*madePage, error) {
	v, err := l.dashboard.visit(l.context.Request.WithContext(ctx), l.params, l.person) //nolint:contextcheck // it has the request's
	if err != nil {
		return nil, err
	}
	v.url, v.shown = l.page, l.shown
	return &madePage{v, l.dashboard.answer(v, l.route)}, nil
}

// now returns the page as it is: at first the one that was made already.
func (l *live) now(ctx context.Context) (made *madePage, err error) {
	if made, l.first = l.first, nil; made != nil {
		return made, nil
	}
	return l.make(ctx)
}
