// Package clients has the modules that a client made by oapi-codegen needs, in the versions that docs/how-to/generate-a-client.md names.
package clients

import _ "github.com/oapi-codegen/runtime"
