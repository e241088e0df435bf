// Package clients publishes an article with clients that are generated from the OpenAPI document, and with the kinds in Go.
package clients
