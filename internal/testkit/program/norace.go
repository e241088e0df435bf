//go:build !race

package program

// raceDetector is whether the test is built with it.
const raceDetector = false
