//go:build race

package install

// raceDetector is whether the test is built with it.
const raceDetector = true
