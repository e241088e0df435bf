// Package controllers holds the reconcilers, one for each kind of object. A reconciler reads an object, asks internal/lifecycle
// for the next step, does it and writes status once. Calls of external endpoints run apart from reconciles, in
// internal/inflight, so a slow endpoint never delays a worker.
//
// The Article controller has one handler for each lifecycle.Step, in three parts: content, generation and publication.
package controllers
