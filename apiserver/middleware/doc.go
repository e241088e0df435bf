// Package middleware has what happens to every request to the facade: its id, metrics, spans, recovery from panics, and the
// headers of its answer.
package middleware
