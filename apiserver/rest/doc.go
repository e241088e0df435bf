// Package rest assembles the REST API: its router, its OpenAPI document, and Local for the pages of this process.
//
// The operations are in a package for each resource: article, site, subscription, key, oauthclient and account (workspaces, usage, whoami).
// Each has one Go struct for each request and answer, from which huma makes the validation, the errors and the OpenAPI 3.1 document, and a
// function Register, which rest calls. What it needs of the rest of the program, beyond operation.Deps, is declared in its own Deps.
//
//	rest -> article, site, subscription, key, oauthclient, account -> attempt -> operation -> middleware, problem, jsonbody, index, auth
//
// Resources do not import each other. What two of them show is in a package below them, such as attempt. Documents of webhooks and events,
// and the examples, are in package rest, which knows all resources.
//
// The error body is package problem, and what happens to every request is package middleware.
package rest
