// Package lifecycle is the state machine of articles. From an article, the objects that it refers to and the clock it decides the next
// step, the phase, the conditions and what a person may do. When a step begins or ends, it changes status in memory. It does no I/O and has
// no state. Its tables are the specification (design, section 2, and contract, section 3): Next, Phase, Summarize, EventKinds and Actions,
// and the table of reasons in its package conditions. Packages eventdelivery and connectiontest decide for the other objects that are sent
// to a receiver.
package lifecycle
