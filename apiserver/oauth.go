package apiserver

import (
	"cmp"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/apiserver/oauth/clientdocument"
	"github.com/pressroom-dev/pressroom/internal/egress"
)

// clients returns the OAuth clients of a store.
func (s *Server) clients(store oauth.Store) *oauth.Clients {
	all := oauth.NewClients(s.lookup)
	if s.options.ClientMetadataDocuments {
		reader := egress.NewClient(s.options.Egress, clientdocument.Timeout)
		all.Documents = oauth.NewDocuments(store, reader, s.options.Log.WithName("oauth"))
	}
	return all
}

// oauth returns the function that mounts the endpoints for OAuth clients.
func (s *Server) oauth(grants *oauth.Grants) func(gin.IRouter) {
	return oauth.NewServer(oauth.Options{
		Grants: grants, Addresses: s.addresses, Clock: s.options.Clock, Log: s.options.Log.WithName("oauth"),
	}).Mount
}

// addresses returns the external addresses of the REST API and of the pages; empty ones if they are not known: without --base-url, only
// programs of the same machine can use the address of the listener, if that is a loopback address.
func (s *Server) addresses() (base, app string) {
	base = s.options.BaseURL
	if base == "" && bindsLoopback(s.api.Addr().String()) {
		base = s.URL()
	}
	if base == "" {
		return "", ""
	}
	return base, cmp.Or(s.options.AppURL, base)
}

// hasAddress reports whether the address that clients and people use is known. Without it, links and the issuer would be wrong.
func (s *Server) hasAddress() bool {
	base, _ := s.addresses()
	return base != ""
}
