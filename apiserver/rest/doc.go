// Package rest is the outside contract over HTTP: one Go struct for each request and answer, from which huma makes the
// validation, the errors and the OpenAPI 3.1 document.
//
// A file holds one family of operations. What they need of the rest of the program is declared in deps.go.
package rest
