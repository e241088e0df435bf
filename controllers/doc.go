// Package controllers sets up the controllers of a process: their options, the manager's cache and client, metrics, and the end of the
// calls in progress when the manager stops.
//
// There is a package for each kind of object, or family of kinds: article, post, event, site, account and access. They import package
// base and not each other, except that article claims slugs with package post. A reconciler reads an object, asks internal/lifecycle
// for the next step, does it and writes status once. Calls of external endpoints run outside of reconciles, in internal/inflight, so
// that a slow endpoint never delays a worker.
package controllers
