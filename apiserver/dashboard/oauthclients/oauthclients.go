// Package oauthclients has the pages of OAuth clients, which the pages call apps, and of the access that people have given to them.
package oauthclients

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
		page.Show(clientsPath, v1alpha1.ScopeRead, showClients),
		page.Show(clientsPath+"/new", v1alpha1.ScopeWrite, newClient),
		page.Form(clientsPath+"/new", v1alpha1.ScopeWrite, "create-oauth-client", registerClient),
		page.Show(clientsPath+"/app/:client", v1alpha1.ScopeRead, showClient),
		page.Form(clientsPath+"/app/:client/rotate", v1alpha1.ScopeWrite, "rotate-oauth-client-secret", rotateClient),
		page.Form(clientsPath+"/app/:client/delete", v1alpha1.ScopeWrite, "delete-oauth-client", deleteClient),
		page.Form(clientsPath+"/revoke", v1alpha1.ScopeWrite, "revoke-oauth-grant", revokeGrant),
	}}
}

const clientsPath = "/account/apps"

func clientPath(clientID string) string { return page.Root + clientsPath + "/app/" + clientID }

// clientsView is the data of the page of registered clients, and of the access that people gave to them.
type clientsView struct {
	Clients []oauthclient.OAuthClient
	Grants  []oauthclient.OAuthGrant
	MayEdit bool
}

// grantsView is the data of a table of the access that people gave.
type grantsView struct {
	Rows    []grantRow
	MayEdit bool
	Ticket  string
}

type grantRow struct {
	oauthclient.OAuthGrant

	Used template.HTML
}

// GrantTable returns the access that people gave.
func (view clientsView) GrantTable(l *page.Layout) (grantsView, error) {
	ticket, err := l.Ticket()
	out := grantsView{MayEdit: view.MayEdit, Ticket: ticket}
	for _, g := range view.Grants {
		out.Rows = append(out.Rows, grantRow{g, l.When(g.LastUsedAt)})
	}
	return out, err
}

func showClients(v *page.Visit) (*page.Answer, error) {
	clients, err := page.Call[oauthclient.OAuthClientList](v, rest.Request{Operation: "list-oauth-clients"})
	if err != nil {
		return nil, err
	}
	grants, err := page.Call[oauthclient.OAuthGrantList](v, rest.Request{Operation: "list-oauth-grants"})
	if err != nil {
		return nil, err
	}
	return v.Page("oauthclients.html", "Apps", clientsView{clients.Data, grants.Data, v.May(v1alpha1.ScopeWrite)}), nil
}

// clientView is the data of the page of a registered client.
type clientView struct {
	clientsView
	oauthclient.OAuthClient
}

func showClient(v *page.Visit) (*page.Answer, error) {
	client, err := page.Call[oauthclient.OAuthClientAnswer](v, onClient(v, "get-oauth-client"))
	if err != nil {
		return nil, err
	}
	grants, err := page.Call[oauthclient.OAuthGrantList](v, rest.Request{
		Operation: "list-oauth-grants", Query: map[string][]string{"client_id": {client.ClientID}},
	})
	if err != nil {
		return nil, err
	}
	return v.Page("oauthclient.html", "App", clientView{clientsView{nil, grants.Data, v.May(v1alpha1.ScopeWrite)}, client.OAuthClient}), nil
}

func onClient(v *page.Visit, operation string) rest.Request {
	return rest.Request{Operation: operation, Path: map[string]string{"client_id": v.Param("client")}}
}

func rotateClient(v *page.Visit) (*page.Answer, error) {
	r := onClient(v, "rotate-oauth-client-secret")
	r.Header = v.Once()
	made, err := page.Call[oauthclient.OAuthClientAnswer](v, r)
	if err != nil {
		return v.ShownBefore(err, clientPath)
	}
	return showClientSecret(v, made.OAuthClient, "A new client secret"), nil
}

func deleteClient(v *page.Visit) (*page.Answer, error) {
	_, err := page.Call[operation.Envelope](v, onClient(v, "delete-oauth-client"))
	return v.Done(page.Root+clientsPath, "Deleted. Its tokens have ended.", err)
}

func revokeGrant(v *page.Visit) (*page.Answer, error) {
	grant := map[string]string{"grant_id": v.Form("id")}
	_, err := page.Call[operation.Envelope](v, rest.Request{Operation: "revoke-oauth-grant", Path: grant})
	// Access that has ended already needs no ending.
	if page.IsStatus(err, http.StatusNotFound) {
		err = nil
	}
	return v.Done(page.Root+clientsPath, "The access has ended.", err)
}
