package dashboard_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

// wantScope says for each route which scope somebody must have, and is empty if any does. The rows are written from what people may do
// (docs/how-to/use-the-dashboard.md), and not from the routes: a new route fails until it has a row.
var wantScope = map[string]v1alpha1.Scope{
	"GET /app": "", "GET /app/account/settings": "", "POST /app/account/settings": "",
	"GET /app/w/:workspace/articles":                     v1alpha1.ScopeRead,
	"GET /app/w/:workspace/articles/new":                 v1alpha1.ScopeWrite,
	"GET /app/w/:workspace/articles/new/generate":        v1alpha1.ScopeRead,
	"POST /app/w/:workspace/articles/new/generate":       v1alpha1.ScopeWrite,
	"POST /app/w/:workspace/articles/new/write":          v1alpha1.ScopeWrite,
	"POST /app/w/:workspace/articles/new/preview":        v1alpha1.ScopeWrite,
	"POST /app/w/:workspace/articles/new/paste":          v1alpha1.ScopeWrite,
	"GET /app/w/:workspace/articles/new/links":           v1alpha1.ScopeRead,
	"GET /app/w/:workspace/articles/:uid":                v1alpha1.ScopeRead,
	"GET /app/w/:workspace/articles/:uid/preview":        v1alpha1.ScopeRead,
	"GET /app/w/:workspace/articles/:uid/changes":        v1alpha1.ScopeRead,
	"GET /app/w/:workspace/articles/:uid/deliveries":     v1alpha1.ScopeRead,
	"GET /app/w/:workspace/articles/:uid/confirm":        v1alpha1.ScopeWrite,
	"GET /app/w/:workspace/articles/:uid/edit":           v1alpha1.ScopeWrite,
	"POST /app/w/:workspace/articles/:uid/edit":          v1alpha1.ScopeWrite,
	"POST /app/w/:workspace/articles/:uid/edit/preview":  v1alpha1.ScopeWrite,
	"GET /app/w/:workspace/articles/:uid/share":          v1alpha1.ScopeWrite,
	"POST /app/w/:workspace/articles/:uid/share":         v1alpha1.ScopeWrite,
	"POST /app/w/:workspace/articles/:uid/share/end":     v1alpha1.ScopeWrite,
	"POST /app/w/:workspace/articles/:uid/approve":       v1alpha1.ScopeApprove,
	"POST /app/w/:workspace/articles/:uid/reject":        v1alpha1.ScopeApprove,
	"POST /app/w/:workspace/articles/:uid/submit":        v1alpha1.ScopeWrite,
	"POST /app/w/:workspace/articles/:uid/publish":       v1alpha1.ScopeWrite,
	"POST /app/w/:workspace/articles/:uid/schedule":      v1alpha1.ScopeWrite,
	"POST /app/w/:workspace/articles/:uid/unschedule":    v1alpha1.ScopeWrite,
	"POST /app/w/:workspace/articles/:uid/archive":       v1alpha1.ScopeWrite,
	"POST /app/w/:workspace/articles/:uid/discard":       v1alpha1.ScopeWrite,
	"POST /app/w/:workspace/articles/:uid/regenerate":    v1alpha1.ScopeWrite,
	"POST /app/w/:workspace/articles/:uid/restore":       v1alpha1.ScopeWrite,
	"POST /app/w/:workspace/articles/:uid/redeliver":     v1alpha1.ScopeWrite,
	"POST /app/w/:workspace/articles/:uid/unpublish":     v1alpha1.ScopeWrite,
	"POST /app/w/:workspace/articles/:uid/delete":        v1alpha1.ScopeWrite,
	"GET /app/w/:workspace/articles/bulk":                v1alpha1.ScopeRead,
	"POST /app/w/:workspace/articles/bulk":               v1alpha1.ScopeRead,
	"GET /app/w/:workspace/calendar":                     v1alpha1.ScopeRead,
	"GET /app/w/:workspace/calendar/:uid":                v1alpha1.ScopeWrite,
	"POST /app/w/:workspace/calendar/:uid":               v1alpha1.ScopeWrite,
	"POST /app/w/:workspace/calendar/:uid/unschedule":    v1alpha1.ScopeWrite,
	"GET /app/w/:workspace/sites":                        v1alpha1.ScopeRead,
	"GET /app/w/:workspace/sites/:uid":                   v1alpha1.ScopeRead,
	"POST /app/w/:workspace/sites/:uid/test":             v1alpha1.ScopeWrite,
	"GET /app/w/:workspace/sites/new":                    v1alpha1.ScopeManage,
	"POST /app/w/:workspace/sites/new":                   v1alpha1.ScopeManage,
	"GET /app/w/:workspace/sites/:uid/edit":              v1alpha1.ScopeManage,
	"POST /app/w/:workspace/sites/:uid/edit":             v1alpha1.ScopeManage,
	"POST /app/w/:workspace/sites/:uid/connection":       v1alpha1.ScopeManage,
	"POST /app/w/:workspace/sites/:uid/delete":           v1alpha1.ScopeManage,
	"GET /app/w/:workspace/deliveries":                   v1alpha1.ScopeRead,
	"POST /app/w/:workspace/deliveries/redeliver":        v1alpha1.ScopeWrite,
	"POST /app/w/:workspace/deliveries/redeliver-failed": v1alpha1.ScopeWrite,
	"GET /app/w/:workspace/briefs":                       v1alpha1.ScopeRead,
	"GET /app/w/:workspace/briefs/new":                   v1alpha1.ScopeWrite,
	"POST /app/w/:workspace/briefs/new":                  v1alpha1.ScopeWrite,
	"GET /app/w/:workspace/briefs/:uid":                  v1alpha1.ScopeRead,
	"GET /app/w/:workspace/briefs/:uid/edit":             v1alpha1.ScopeWrite,
	"POST /app/w/:workspace/briefs/:uid/edit":            v1alpha1.ScopeWrite,
	"POST /app/w/:workspace/briefs/:uid/delete":          v1alpha1.ScopeWrite,
	"GET /app/w/:workspace/events":                       v1alpha1.ScopeRead,
	"GET /app/w/:workspace/events/new":                   v1alpha1.ScopeWrite,
	"POST /app/w/:workspace/events/new":                  v1alpha1.ScopeWrite,
	"GET /app/w/:workspace/events/:uid":                  v1alpha1.ScopeRead,
	"GET /app/w/:workspace/events/:uid/edit":             v1alpha1.ScopeWrite,
	"POST /app/w/:workspace/events/:uid/edit":            v1alpha1.ScopeWrite,
	"POST /app/w/:workspace/events/:uid/delete":          v1alpha1.ScopeWrite,
	"POST /app/w/:workspace/events/:uid/test":            v1alpha1.ScopeWrite,
	"POST /app/w/:workspace/events/:uid/resume":          v1alpha1.ScopeWrite,
	"POST /app/w/:workspace/events/:uid/rotate":          v1alpha1.ScopeWrite,
	"POST /app/w/:workspace/events/:uid/redeliver":       v1alpha1.ScopeWrite,
	"GET /app/account/usage":                             v1alpha1.ScopeRead,
	"GET /app/account/apps":                              v1alpha1.ScopeRead,
	"GET /app/account/apps/new":                          v1alpha1.ScopeWrite,
	"POST /app/account/apps/new":                         v1alpha1.ScopeWrite,
	"GET /app/account/apps/app/:client":                  v1alpha1.ScopeRead,
	"POST /app/account/apps/app/:client/rotate":          v1alpha1.ScopeWrite,
	"POST /app/account/apps/app/:client/delete":          v1alpha1.ScopeWrite,
	"POST /app/account/apps/revoke":                      v1alpha1.ScopeWrite,
	"GET /app/account/keys":                              v1alpha1.ScopeManage,
	"GET /app/account/keys/:id":                          v1alpha1.ScopeManage,
	"GET /app/account/keys/new":                          v1alpha1.ScopeManage,
	"POST /app/account/keys/new":                         v1alpha1.ScopeManage,
	"POST /app/account/keys/revoke":                      v1alpha1.ScopeManage,
}

var _ = Describe("Each route", func() {
	It("has a row that says who may use it, and each row has a route", func() {
		var routes []string
		for _, r := range dashboard.Routes() {
			routes = append(routes, r.Method+" "+r.Path)
		}
		var rows []string
		for row := range wantScope {
			rows = append(rows, row)
		}
		Expect(routes).To(ConsistOf(rows))
	})

	It("of signing in and out and of ending access is a page too, if somebody opens it", func() {
		for _, path := range []string{"/oauth/sign-in", "/oauth/sign-out", "/oauth/apps/revoke"} {
			page := facades.Visitor().Get(path)
			Expect(page.Header.Get("Content-Type")).To(HavePrefix("text/html"), path)
			Expect(page.Find("h1").Length()).To(Equal(1), path)
		}
	})

	It("does nothing for those who may not use it, and is open to those who may", func() {
		// A new tenant for a few routes each: the limits of requests are per key and per account.
		for routes := range slices.Chunk(dashboard.Routes(), 8) {
			v := newRouteVisitors()
			before := v.everything()
			for _, r := range routes {
				name := r.Method + " " + r.Path
				if r.Method == http.MethodGet {
					v.tryPage(name, v.path(r), wantScope[name])
				} else {
					v.tryForm(name, v.path(r), wantScope[name])
				}
			}
			Expect(v.everything()).To(Equal(before))
		}
	})
})

// tryPage asks for a page as everybody.
func (v *routeVisitors) tryPage(name, path string, scope v1alpha1.Scope) {
	GinkgoHelper()
	Expect(v.nobody.Get(path).Text("h1")).To(Equal("Sign in"), name)
	v.tryForeign(name, path, func(p *dashboardtest.Person) *dashboardtest.Page { return p.Get(path) })
	for held, p := range v.alone {
		got := p.Get(path)
		if scope != "" && held != scope {
			Expect(got.Status).To(Equal(http.StatusForbidden), "%s with %s", name, held)
			Expect(got.Text("main")).To(ContainSubstring("It needs the scope "+strings.ToLower(string(scope))), "%s with %s", name, held)
		} else {
			Expect(got.Text("main")).NotTo(ContainSubstring("It needs the scope "+strings.ToLower(string(scope))+"."), "%s with %s", name, held)
			Expect(got.Status).To(BeNumerically("<", http.StatusInternalServerError), "%s with %s", name, held)
		}
	}
}

// tryForeign tries a path of the tenant's workspace as people to whom that is not open: it does not exist for them.
func (v *routeVisitors) tryForeign(name, path string, send func(*dashboardtest.Person) *dashboardtest.Page) {
	GinkgoHelper()
	if !strings.HasPrefix(path, "/app/w/") {
		return
	}
	for _, p := range []*dashboardtest.Person{v.elsewhere, v.stranger} {
		Expect(send(p).Status).To(Equal(http.StatusNotFound), name)
	}
}

// tryForm sends a form as everybody who may not send it, and without a valid token.
func (v *routeVisitors) tryForm(name, path string, scope v1alpha1.Scope) {
	GinkgoHelper()
	fresh := url.Values{"ticket": {v.ticket(v.owner)}}
	Expect(v.nobody.Post(path, fresh).Status).To(Equal(http.StatusUnauthorized), "%s without a session", name)
	v.tryForeign(name, path, func(p *dashboardtest.Person) *dashboardtest.Page {
		return p.Post(path, url.Values{"ticket": {v.ticket(p)}})
	})
	for held, p := range v.alone {
		if scope != "" && held != scope {
			got := p.Post(path, url.Values{"ticket": {v.ticket(p)}})
			Expect(got.Status).To(Equal(http.StatusForbidden), "%s with %s", name, held)
			Expect(got.Text("main")).To(ContainSubstring("It needs the scope "+strings.ToLower(string(scope))), "%s with %s", name, held)
			continue
		}
		// Anyone who has the scope reaches the check of the token.
		Expect(p.Post(path, nil).Text("h1")).To(Equal("This did not come from our page"), "%s with %s", name, held)
	}
	foreign := v.owner.PostRequest(path, fresh)
	foreign.Header.Set("Sec-Fetch-Site", "cross-site")
	Expect(v.owner.Do(foreign).Status).To(Equal(http.StatusForbidden), "%s from another origin", name)
	for _, ticket := range []url.Values{nil, {"ticket": {""}}, {"ticket": {"made up"}}, {"ticket": {fresh.Get("ticket") + "x"}}} {
		Expect(v.owner.Post(path, ticket).Status).To(Equal(http.StatusForbidden), "%s with the token %v", name, ticket)
	}
	for _, ticket := range []string{v.stale, v.ticket(v.stranger)} {
		got := v.owner.Post(path, url.Values{"ticket": {ticket}})
		Expect(got.Status).To(Equal(http.StatusConflict), "%s with the token of another session", name)
		Expect(got.Text("h1")).To(Equal("Not sent yet"), name)
	}
}
