// Package oauthclients has the pages of OAuth clients, which the pages call apps, and of the access that people have given to them.
package oauthclients

import (
	"embed"
	"html/template"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/rest/oauthclient"
)

//go:embed *.html
var templates embed.FS

// Area returns the routes of these pages, and their templates.
func Area() page.Area {
	return page.Area{Templates: templates, Routes: []page.Route{
		page.Show(clientsPath, v1alpha1.ScopeRead, showClients),
		page.Show(clientsPath+"/new", v1alpha1.ScopeWrite, newClient),
		page.Form(clientsPath+"/new", oauthclient.Create, page.Sent(registerClient)),
		page.Show(clientsPath+"/app/:client", v1alpha1.ScopeRead, showClient),
		page.Form(clientsPath+"/app/:client/rotate", oauthclient.RotateSecret, rotateClient),
		page.Form(clientsPath+"/app/:client/delete", oauthclient.Delete, deleteClient),
		page.Form(clientsPath+"/revoke", oauthclient.RevokeGrant, page.Sent(revokeGrant)),
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
	clients, err := page.Call(v, oauthclient.List, struct{}{})
	if err != nil {
		return nil, err
	}
	grants, err := page.Call(v, oauthclient.ListGrants, oauthclient.ListGrantsInput{})
	if err != nil {
		return nil, err
	}
	return v.Page("oauthclients.html", "Apps", clientsView{clients.Body.Data, grants.Body.Data, v.May(v1alpha1.ScopeWrite)}), nil
}

// clientView is the data of the page of a registered client.
type clientView struct {
	clientsView
	oauthclient.OAuthClient
}

func showClient(v *page.Visit) (*page.Answer, error) {
	client, err := page.Call(v, oauthclient.Get, onClient(v))
	if err != nil {
		return nil, err
	}
	grants, err := page.Call(v, oauthclient.ListGrants, oauthclient.ListGrantsInput{ClientID: client.Body.ClientID})
	if err != nil {
		return nil, err
	}
	given := clientsView{Grants: grants.Body.Data, MayEdit: v.May(v1alpha1.ScopeWrite)}
	return v.Page("oauthclient.html", "App", clientView{given, client.Body.OAuthClient}), nil
}

// onClient names the client of the page.
func onClient(v *page.Visit) oauthclient.OnClient {
	return oauthclient.OnClient{ClientID: v.Param("client")}
}

func rotateClient(v *page.Visit) (*page.Answer, error) {
	made, err := page.Call(v, oauthclient.RotateSecret, oauthclient.RotateSecretInput{OnClient: onClient(v), Idempotent: v.Once()})
	if err != nil {
		return v.ShownBefore(err, clientPath)
	}
	return showClientSecret(v, made.Body.OAuthClient, "A new client secret"), nil
}

func deleteClient(v *page.Visit) (*page.Answer, error) {
	_, err := page.Call(v, oauthclient.Delete, oauthclient.DeleteInput{OnClient: onClient(v)})
	return v.Done(page.Root+clientsPath, "Deleted. Its tokens have ended.", err)
}

func revokeGrant(v *page.Visit, on oauthclient.OnGrant) (*page.Answer, error) {
	_, err := page.Call(v, oauthclient.RevokeGrant, on)
	// Access that has ended already needs no ending.
	if page.IsStatus(err, http.StatusNotFound) {
		err = nil
	}
	return v.Done(page.Root+clientsPath, "The access has ended.", err)
}
