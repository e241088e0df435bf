// Package clients has the modules that a client made by ogen needs, in the versions that docs/how-to/generate-a-client.md names.
package clients

import (
	_ "github.com/go-faster/errors"
	_ "github.com/go-faster/jx"
	_ "github.com/google/uuid"
	_ "github.com/ogen-go/ogen/http"
	_ "go.opentelemetry.io/otel"
	_ "go.opentelemetry.io/otel/metric"
	_ "go.opentelemetry.io/otel/trace"
)
