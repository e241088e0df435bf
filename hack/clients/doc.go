// Package clients publishes an article with clients that are generated from the OpenAPI document, with the kinds in Go, and over /mcp.
package clients
