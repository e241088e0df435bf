// Package site holds the controller of Sites: their conditions, and the tests of their connections.
package site
