// Package access holds the controllers of what clients of the REST API have: API keys, OAuth clients and grants, the event subscriptions
// of OAuth clients, and the records of Idempotency-Keys.
package access
