package rest

import (
	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/pressroom-dev/pressroom/apiserver/rest/generation"
	"github.com/pressroom-dev/pressroom/apiserver/rest/oauthclient"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

// Deps are the dependencies of the REST API.
type Deps struct {
	operation.Deps

	Ledger generation.Ledger
	// Cell is the code of the installation, with which the ids of keys and clients begin.
	Cell credential.Cell
	// Registry takes the metrics.
	Registry prometheus.Registerer
	// OAuth are the dependencies of the operations on OAuth clients.
	OAuth oauthclient.Deps
	// Local is connected to the operations, for pages that call them. It may be nil.
	Local *Local
	// Home is the path that / leads to; the reference page if it is empty.
	Home string
	// NoPage answers a request for a page that does not exist, and returns whether it has. It may be nil.
	NoPage func(*gin.Context) bool
	// Mounts add routes that are not operations of the REST API, such as the token endpoint and the pages.
	Mounts []func(gin.IRouter)
}
