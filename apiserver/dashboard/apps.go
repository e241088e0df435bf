package dashboard

import (
	"context"
	"html/template"
	"net/http"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

const appsPath = "/account/apps"

func appRoutes() []route {
	return []route{
		page(appsPath, v1alpha1.ScopeRead, showApps),
		page(appsPath+"/new", v1alpha1.ScopeWrite, newApp),
		form(appsPath+"/new", v1alpha1.ScopeWrite, "register-oauth-client", registerApp),
		page(appsPath+"/app/:client", v1alpha1.ScopeRead, showApp),
		form(appsPath+"/app/:client/rotate", v1alpha1.ScopeWrite, "rotate-oauth-client", rotateApp),
		form(appsPath+"/app/:client/delete", v1alpha1.ScopeWrite, "delete-oauth-client", deleteApp),
		form(appsPath+"/revoke", v1alpha1.ScopeWrite, "revoke-oauth-grant", revokeGrant),
	}
}

// wholeAccount reports whether somebody may manage apps: they belong to the account and not to a workspace.
func (v *visit) wholeAccount() bool { return len(v.person.Workspaces) == 0 }

// appsView is the data of the page of registered apps, and of the access that people gave to apps.
type appsView struct {
	Apps    []rest.App
	Grants  []rest.Grant
	MayEdit bool
}

// grantsView is the data of a table of the access that people gave.
type grantsView struct {
	Rows    []grantRow
	MayEdit bool
	Ticket  string
}

type grantRow struct {
	rest.Grant

	Used template.HTML
}

// GrantTable returns the access that people gave.
func (view appsView) GrantTable(l *layout) (grantsView, error) {
	ticket, err := l.Ticket()
	out := grantsView{MayEdit: view.MayEdit, Ticket: ticket}
	for _, g := range view.Grants {
		out.Rows = append(out.Rows, grantRow{g, l.When(g.LastUsedAt)})
	}
	return out, err
}

func showApps(v *visit) (*answer, error) {
	apps, err := call[rest.AppList](v, rest.Request{Operation: "list-oauth-clients"})
	if err != nil {
		return nil, err
	}
	grants, err := call[rest.GrantList](v, rest.Request{Operation: "list-oauth-grants"})
	if err != nil {
		return nil, err
	}
	return v.page("apps.html", "Apps", appsView{apps.Data, grants.Data, v.may(v1alpha1.ScopeWrite)}), nil
}

// appView is the data of the page of a registered app.
type appView struct {
	appsView
	rest.App
}

func showApp(v *visit) (*answer, error) {
	app, err := call[rest.AppAnswer](v, v.onApp("get-oauth-client"))
	if err != nil {
		return nil, err
	}
	grants, err := call[rest.GrantList](v, rest.Request{
		Operation: "list-oauth-grants", Query: map[string][]string{"client_id": {app.Data.ClientID}},
	})
	if err != nil {
		return nil, err
	}
	return v.page("app.html", "App", appView{appsView{nil, grants.Data, v.may(v1alpha1.ScopeWrite)}, app.Data}), nil
}

func (v *visit) onApp(operation string) rest.Request {
	return rest.Request{Operation: operation, Path: map[string]string{"client_id": v.param("client")}}
}

func rotateApp(v *visit) (*answer, error) {
	r := v.onApp("rotate-oauth-client")
	r.Header = v.once()
	made, err := call[rest.AppAnswer](v, r)
	if err != nil {
		return nil, err
	}
	return v.showAppSecret(made.Data, "A new client secret"), nil
}

func deleteApp(v *visit) (*answer, error) {
	if _, err := call[rest.Envelope](v, v.onApp("delete-oauth-client")); err != nil {
		return nil, err
	}
	return v.redirect(Root+appsPath, "Deleted. Its tokens have ended."), nil
}

func revokeGrant(v *visit) (*answer, error) {
	id := v.form("id")
	_, err := call[rest.Envelope](v, rest.Request{Operation: "revoke-oauth-grant", Path: map[string]string{"id": id}})
	// Access that has ended already needs no ending.
	if err != nil && !isStatus(err, http.StatusNotFound) {
		return nil, err
	}
	v.awaitRevoked(id)
	return v.redirect(Root+appsPath, "The access has ended."), nil
}

// awaitRevoked waits a moment until the list that is shown next no longer has a grant, which is ended already.
func (v *visit) awaitRevoked(id string) {
	// If it takes longer, the list is right the next time.
	_ = wait.PollUntilContextTimeout(v.ctx(), revokedEvery, revokedWithin, true, func(context.Context) (bool, error) {
		list, err := call[rest.GrantList](v, rest.Request{Operation: "list-oauth-grants"}) //nolint:contextcheck // a visit has its own
		return err == nil && !slices.ContainsFunc(list.Data, func(g rest.Grant) bool { return g.ID == id }), nil
	})
}

// How often and how long it is looked whether a list has a revocation.
const (
	revokedEvery  = 50 * time.Millisecond
	revokedWithin = 2 * time.Second
)
