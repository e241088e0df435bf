// Package clients generates clients of the REST API from its OpenAPI document, and publishes an article with each.
package clients
