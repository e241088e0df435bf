// Package lifecycle is the state machine of articles, events and connection tests. From an object, the objects that it refers to and the
// clock it decides the next step, the phase, the conditions and what a person may do. When a step begins or ends, it changes status in
// memory. It does no I/O and has no state. Its tables are the specification (design, section 2, and contract, section 3): Next, Phase,
// Summarize, EventKinds, Reasons and Actions.
package lifecycle
