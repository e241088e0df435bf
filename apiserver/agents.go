package apiserver

import (
	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/apiserver/mcp"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// agents returns the function that mounts the endpoint for agents.
func (s *Server) agents(local *operation.Local) func(gin.IRouter) {
	return mcp.New(mcp.Options{
		Local: local, Base: func() string { base, _ := s.addresses(); return base }, Log: s.options.Log.WithName("mcp"),
	}).Mount
}
