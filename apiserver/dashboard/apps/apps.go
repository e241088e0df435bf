// Package apps has the pages of registered apps (OAuth clients), and of the access that people have given to apps.
package apps

import (
	"embed"
	"html/template"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
	"github.com/pressroom-dev/pressroom/apiserver/rest/oauthclient"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

//go:embed *.html
var templates embed.FS

// Area returns the routes of these pages, and their templates.
func Area() page.Area {
	return page.Area{Templates: templates, Routes: []page.Route{
		page.Show(appsPath, v1alpha1.ScopeRead, showApps),
		page.Show(appsPath+"/new", v1alpha1.ScopeWrite, newApp),
		page.Form(appsPath+"/new", v1alpha1.ScopeWrite, "create-oauth-client", registerApp),
		page.Show(appsPath+"/app/:client", v1alpha1.ScopeRead, showApp),
		page.Form(appsPath+"/app/:client/rotate", v1alpha1.ScopeWrite, "rotate-oauth-client-secret", rotateApp),
		page.Form(appsPath+"/app/:client/delete", v1alpha1.ScopeWrite, "delete-oauth-client", deleteApp),
		page.Form(appsPath+"/revoke", v1alpha1.ScopeWrite, "revoke-oauth-grant", revokeGrant),
	}}
}

const appsPath = "/account/apps"

func appPath(clientID string) string { return page.Root + appsPath + "/app/" + clientID }

// appsView is the data of the page of registered apps, and of the access that people gave to apps.
type appsView struct {
	Apps    []oauthclient.App
	Grants  []oauthclient.Grant
	MayEdit bool
}

// grantsView is the data of a table of the access that people gave.
type grantsView struct {
	Rows    []grantRow
	MayEdit bool
	Ticket  string
}

type grantRow struct {
	oauthclient.Grant

	Used template.HTML
}

// GrantTable returns the access that people gave.
func (view appsView) GrantTable(l *page.Layout) (grantsView, error) {
	ticket, err := l.Ticket()
	out := grantsView{MayEdit: view.MayEdit, Ticket: ticket}
	for _, g := range view.Grants {
		out.Rows = append(out.Rows, grantRow{g, l.When(g.LastUsedAt)})
	}
	return out, err
}

func showApps(v *page.Visit) (*page.Answer, error) {
	apps, err := page.Call[oauthclient.AppList](v, rest.Request{Operation: "list-oauth-clients"})
	if err != nil {
		return nil, err
	}
	grants, err := page.Call[oauthclient.GrantList](v, rest.Request{Operation: "list-oauth-grants"})
	if err != nil {
		return nil, err
	}
	return v.Page("apps.html", "Apps", appsView{apps.Data, grants.Data, v.May(v1alpha1.ScopeWrite)}), nil
}

// appView is the data of the page of a registered app.
type appView struct {
	appsView
	oauthclient.App
}

func showApp(v *page.Visit) (*page.Answer, error) {
	app, err := page.Call[oauthclient.AppAnswer](v, onApp(v, "get-oauth-client"))
	if err != nil {
		return nil, err
	}
	grants, err := page.Call[oauthclient.GrantList](v, rest.Request{
		Operation: "list-oauth-grants", Query: map[string][]string{"client_id": {app.ClientID}},
	})
	if err != nil {
		return nil, err
	}
	return v.Page("app.html", "App", appView{appsView{nil, grants.Data, v.May(v1alpha1.ScopeWrite)}, app.App}), nil
}

func onApp(v *page.Visit, operation string) rest.Request {
	return rest.Request{Operation: operation, Path: map[string]string{"client_id": v.Param("client")}}
}

func rotateApp(v *page.Visit) (*page.Answer, error) {
	r := onApp(v, "rotate-oauth-client-secret")
	r.Header = v.Once()
	made, err := page.Call[oauthclient.AppAnswer](v, r)
	if err != nil {
		return v.ShownBefore(err, appPath)
	}
	return showAppSecret(v, made.App, "A new client secret"), nil
}

func deleteApp(v *page.Visit) (*page.Answer, error) {
	_, err := page.Call[operation.Envelope](v, onApp(v, "delete-oauth-client"))
	return v.Done(page.Root+appsPath, "Deleted. Its tokens have ended.", err)
}

func revokeGrant(v *page.Visit) (*page.Answer, error) {
	grant := map[string]string{"grant_id": v.Form("id")}
	_, err := page.Call[operation.Envelope](v, rest.Request{Operation: "revoke-oauth-grant", Path: grant})
	// Access that has ended already needs no ending.
	if page.IsStatus(err, http.StatusNotFound) {
		err = nil
	}
	return v.Done(page.Root+appsPath, "The access has ended.", err)
}
