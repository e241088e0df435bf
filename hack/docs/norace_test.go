//go:build !race

package docs

// raceDetector is whether the test is built with it.
const raceDetector = false
