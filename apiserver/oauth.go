package apiserver

import (
	"cmp"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/apiserver/oauth"
)

// oauth returns what mounts the endpoints that apps call.
func (s *Server) oauth(store oauth.Store) func(gin.IRouter) {
	clients := oauth.NewClients(s.lookup)
	return oauth.NewServer(oauth.Options{
		Clients: clients, Grants: oauth.NewGrants(store, clients), Addresses: s.addresses, Log: s.options.Log.WithName("oauth"),
	}).Mount
}

// addresses returns those of the REST API and of the pages, as the outside knows them.
func (s *Server) addresses() (base, app string) {
	base = s.options.BaseURL
	if base == "" {
		base = s.URL()
	}
	return base, cmp.Or(s.options.AppURL, base)
}
