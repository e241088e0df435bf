// Package operation is what the operations of the REST API have in common, whatever resource they are about: who calls (Call), with which
// scope (Group), limits of requests and of bodies, repeats under an Idempotency-Key, the line in the log, and the answer to an error.
package operation
