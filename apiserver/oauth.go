package apiserver

import (
	"cmp"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/apiserver/oauth"
)

// oauth returns the function that mounts the endpoints for OAuth clients.
func (s *Server) oauth(store oauth.Store) func(gin.IRouter) {
	clients := oauth.NewClients(s.lookup)
	return oauth.NewServer(oauth.Options{
		Clients: clients, Grants: oauth.NewGrants(store, clients), Addresses: s.addresses, Log: s.options.Log.WithName("oauth"),
	}).Mount
}

// addresses returns the external addresses of the REST API and of the pages.
func (s *Server) addresses() (base, app string) {
	base = s.options.BaseURL
	if base == "" {
		base = s.URL()
	}
	return base, cmp.Or(s.options.AppURL, base)
}
