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
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/dashboardtest"
	"github.com/pressroom-dev/pressroom/apiserver/facadetest"
	"github.com/pressroom-dev/pressroom/internal/testkit"
)

// routeWorld is a tenant with one of everything, and the people who try its routes.
type routeWorld struct {
	t *dashboardtest.Tenant
	// paths are the values of parameters by the segment before them.
	paths map[string]string
	// owner has every scope, and stale is a token of an earlier session of theirs. elsewhere may open another workspace of the account alone.
	owner, nobody, elsewhere, stranger *dashboardtest.Person
	stale                              string
	alone                              map[v1alpha1.Scope]*dashboardtest.Person
	tickets                            map[*dashboardtest.Person]string
}

func newRouteWorld() *routeWorld {
	GinkgoHelper()
	t := world.NewTenant("Acme")
	w := &routeWorld{t: t, nobody: world.Visitor(), alone: map[v1alpha1.Scope]*dashboardtest.Person{}, tickets: map[*dashboardtest.Person]string{}}
	made := t.Ask(http.MethodPost, "/v1/api/event-subscriptions", map[string]any{"url": "https://example.com/hook", "events": []string{"*"}})
	app := t.Ask(http.MethodPost, "/v1/api/oauth/clients", map[string]any{"name": "Tool", "redirect_uris": []string{"https://tool.example/cb"}})
	uid := t.Written("Shoes", "Grip is all.")
	w.paths = map[string]string{
		"articles": uid, "calendar": uid, "sites": t.SiteUID, "events": made.Text("uid"), "app": app.Body["data"].(map[string]any)["client_id"].(string),
	}
	key := t.NewKey("Mia", auth.Scopes()...)
	before := t.SignInWith(key)
	w.stale = ticketOf(before)
	before.Post("/oauth/sign-out", nil)
	w.owner = t.SignInWith(key)
	for _, scope := range auth.Scopes() {
		w.alone[scope] = t.SignInWith(t.NewKey("Only "+string(scope), scope))
	}
	t.NewSite(t.Workspace+"-2", "other")
	limited, other := testkit.NewAPIKey(facadetest.SystemNamespace, t.Account, auth.Scopes()...)
	limited.Spec.Workspaces = []string{t.Workspace + "-2"}
	Expect(world.API.Create(GinkgoT().Context(), limited)).To(Succeed())
	w.elsewhere = t.SignInWith(other)
	w.stranger = manager(world.NewTenant("Rival"))
	return w
}

func ticketOf(p *dashboardtest.Person) string {
	GinkgoHelper()
	ticket := p.Get("/app/account/settings").Find("input[name=ticket]").First().AttrOr("value", "")
	Expect(ticket).NotTo(BeEmpty())
	return ticket
}

// ticket returns a token of somebody's session, which is good for as long as that.
func (w *routeWorld) ticket(p *dashboardtest.Person) string {
	GinkgoHelper()
	if w.tickets[p] == "" {
		w.tickets[p] = ticketOf(p)
	}
	return w.tickets[p]
}

// path returns the path of a route for what the tenant has.
func (w *routeWorld) path(r dashboard.Route) string {
	segments := strings.Split(r.Path, "/")
	for i, s := range segments {
		switch {
		case s == ":workspace":
			segments[i] = w.t.Workspace
		case strings.HasPrefix(s, ":"):
			segments[i] = w.paths[segments[i-1]]
		}
	}
	return strings.Join(segments, "/")
}

// everything is what the account has, with the version of each object.
func (w *routeWorld) everything() []string {
	GinkgoHelper()
	var found []string
	for _, in := range []struct {
		list      client.ObjectList
		namespace string
	}{
		{&v1alpha1.SiteList{}, w.t.Workspace}, {&v1alpha1.ArticleList{}, w.t.Workspace}, {&v1alpha1.EventSubscriptionList{}, w.t.Workspace},
		{&v1alpha1.IdempotencyRecordList{}, w.t.Workspace}, {&corev1.SecretList{}, w.t.Workspace},
		{&v1alpha1.APIKeyList{}, facadetest.SystemNamespace}, {&v1alpha1.OAuthClientList{}, facadetest.SystemNamespace},
		{&v1alpha1.IdempotencyRecordList{}, facadetest.SystemNamespace},
	} {
		Expect(world.API.List(GinkgoT().Context(), in.list, client.InNamespace(in.namespace))).To(Succeed())
		Expect(meta.EachListItem(in.list, func(item runtime.Object) error {
			o := item.(client.Object)
			found = append(found, fmt.Sprintf("%T %s %s", o, o.GetName(), o.GetResourceVersion()))
			return nil
		})).To(Succeed())
	}
	return found
}
