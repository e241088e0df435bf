// Package rest has the operations of the REST API: one Go struct for each request and answer, from which huma makes the
// validation, the errors and the OpenAPI 3.1 document.
//
// A file has one family of operations. Their dependencies on the rest of the program are declared in deps.go. The error body is
// package problem, and what happens to every request is package middleware.
package rest
