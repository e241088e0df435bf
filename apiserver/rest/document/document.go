// Package document has the OpenAPI document of the REST API, which `make openapi` generates: what the code says of its operations,
// completed by overlay.yaml.
package document

import _ "embed" // for JSON

// JSON is the document.
//
//go:embed openapi.json
var JSON []byte
