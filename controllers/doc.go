// Package controllers sets up the controllers of a process: their options, the manager's cache and client, metrics, and the end of the
// calls in progress when the manager stops.
//
// There is a package for each kind of object, or family of kinds: article, post, event, site, account and access. They stand on package
// base and do not know each other, except that article claims slugs by package post. A reconciler reads an object, asks
// internal/lifecycle for the next step, does it and writes status once. Calls of external endpoints run apart from reconciles, in
// internal/inflight, so a slow endpoint never delays a worker.
package controllers
