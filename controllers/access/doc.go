// Package access holds the controllers of the objects that give access to the REST API: API keys, OAuth clients and grants. It also has
// those of the event subscriptions of OAuth clients, and of the records of Idempotency-Keys.
package access
