// Package lifecycle decides, and does nothing else: from an Article, its Site and the clock it says the phase, the next
// step and the conditions. It reads no API and keeps no state; its table test is the specification of the state machine
// (design, section 2, and contract, section 3).
package lifecycle
