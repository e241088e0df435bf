// Package testkit has what the suites of several packages share. Only tests, and helpers that only tests import, import it.
package testkit
