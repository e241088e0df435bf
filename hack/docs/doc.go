// Package docs runs the commands of README.md and of the pages in docs, as they stand, on a system that runs.
package docs
