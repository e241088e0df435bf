// Package base holds what all controllers share: clients and clock, Secrets, writes of status and how a reconcile ends, watches, spans
// and metrics. It imports no other package of the controllers.
package base
