package dashboard_test

import (
	"fmt"
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard"
	"github.com/pressroom-dev/pressroom/internal/internalv1alpha1"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
	"github.com/pressroom-dev/pressroom/test/facadetest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// routeVisitors are a tenant with one of everything, and the people who try its routes.
type routeVisitors struct {
	t *dashboardtest.Tenant
	// paths are the values of parameters by the segment before them.
	paths map[string]string
	// owner has every scope, and stale is a token of an earlier session of theirs. elsewhere may open another workspace of the account
	// alone.
	owner, nobody, elsewhere, stranger *dashboardtest.Person
	stale                              string
	alone                              map[v1alpha1.Scope]*dashboardtest.Person
	tickets                            map[*dashboardtest.Person]string
}

func newRouteVisitors() *routeVisitors {
	GinkgoHelper()
	t := facades.NewTenant("Acme")
	v := &routeVisitors{t: t, nobody: facades.Visitor(), alone: map[v1alpha1.Scope]*dashboardtest.Person{}, tickets: map[*dashboardtest.Person]string{}}
	made := t.Ask(http.MethodPost, "/v1/api/event-subscriptions", map[string]any{"url": "https://example.com/hook", "events": []string{"*"}})
	app := t.Ask(http.MethodPost, "/v1/api/oauth/clients", map[string]any{"name": "Tool", "redirect_uris": []string{"https://tool.example/cb"}})
	brief := t.Ask(http.MethodPost, "/v1/api/briefs", map[string]any{"facts": []string{"Grip is all."}})
	uid := t.Written("Shoes", "Grip is all.")
	v.paths = map[string]string{
		"articles": uid, "calendar": uid, "sites": t.SiteUID, "events": made.Text("uid"), "briefs": brief.Text("uid"), "app": app.Text("client_id"),
	}
	key := t.NewKey("Mia", auth.Scopes()...)
	v.paths["keys"] = strings.Split(key, "_")[2]
	before := t.SignInWith(key)
	v.stale = ticketOf(before)
	before.Post("/oauth/sign-out", nil)
	v.owner = t.SignInWith(key)
	for _, scope := range auth.Scopes() {
		v.alone[scope] = t.SignInWith(t.NewKey("Only "+string(scope), scope))
	}
	t.NewSite(t.Workspace+"-2", "other")
	limited, other := testkit.NewAPIKey(t.Account, auth.Scopes()...)
	limited.Spec.Workspaces = []string{t.Workspace + "-2"}
	Expect(facades.API.Create(GinkgoT().Context(), limited)).To(Succeed())
	v.elsewhere = t.SignInWith(other)
	v.stranger = manager(facades.NewTenant("Rival"))
	return v
}

func ticketOf(p *dashboardtest.Person) string {
	GinkgoHelper()
	ticket := p.Get("/app/account/settings").Find("input[name=ticket]").First().AttrOr("value", "")
	Expect(ticket).NotTo(BeEmpty())
	return ticket
}

// ticket returns a token of somebody's session, which is good for as long as that.
func (v *routeVisitors) ticket(p *dashboardtest.Person) string {
	GinkgoHelper()
	if v.tickets[p] == "" {
		v.tickets[p] = ticketOf(p)
	}
	return v.tickets[p]
}

// path returns the path of a route for what the tenant has.
func (v *routeVisitors) path(r dashboard.Route) string {
	segments := strings.Split(r.Path, "/")
	for i, s := range segments {
		switch {
		case s == ":workspace":
			segments[i] = v.t.Workspace
		case strings.HasPrefix(s, ":"):
			segments[i] = v.paths[segments[i-1]]
		}
	}
	return strings.Join(segments, "/")
}

// everything is what the account has, with the version of each object.
func (v *routeVisitors) everything() []string {
	GinkgoHelper()
	var found []string
	for _, in := range []struct {
		list      client.ObjectList
		namespace string
	}{
		{&v1alpha1.SiteList{}, v.t.Workspace}, {&v1alpha1.ArticleList{}, v.t.Workspace}, {&v1alpha1.EventSubscriptionList{}, v.t.Workspace},
		{&internalv1alpha1.IdempotencyRecordList{}, v.t.Workspace}, {&corev1.SecretList{}, v.t.Workspace},
		{&v1alpha1.APIKeyList{}, ""}, {&v1alpha1.OAuthClientList{}, ""},
		{&internalv1alpha1.IdempotencyRecordList{}, facadetest.SystemNamespace},
	} {
		Expect(facades.API.List(GinkgoT().Context(), in.list, client.InNamespace(in.namespace))).To(Succeed())
		Expect(meta.EachListItem(in.list, func(item runtime.Object) error {
			o := item.(client.Object)
			found = append(found, fmt.Sprintf("%T %s %s", o, o.GetName(), o.GetResourceVersion()))
			return nil
		})).To(Succeed())
	}
	return found
}
