// Package problem is the error body of the REST API: one type that is a Go error, an HTTP answer and a schema of the OpenAPI
// document. It also translates the errors of kube-apiserver, the ledger and the HTTP framework.
package problem
