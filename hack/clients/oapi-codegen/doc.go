// Package clients has the modules that a client made by oapi-codegen needs, in the versions that docs/how-to/generate-a-client.md names.
package clients

import (
	_ "github.com/getkin/kin-openapi/openapi3"
	_ "github.com/labstack/echo/v4"
	_ "github.com/oapi-codegen/runtime"
)
