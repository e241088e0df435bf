// Package lifecycle is the state machine: from an object, what it refers to and the clock it decides the next step, the phase and
// the conditions, and it changes status in memory when a step begins or ends. It does no I/O and keeps no state; its table test
// is the specification (design, section 2, and contract, section 3).
package lifecycle
