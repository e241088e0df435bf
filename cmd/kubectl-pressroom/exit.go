package main

import (
	"errors"
	"fmt"
	"io"
)

// Exit codes are those of kubectl: 1 for an error, except that diff ends with 1 if there are differences and with more if it fails.
const (
	exitFailed     = 1
	exitDiffers    = 1
	exitDiffFailed = 2
)

// exitError ends the program with a code of its own. Without a cause nothing is printed.
type exitError struct {
	code  int
	cause error
}

func (e *exitError) Error() string {
	if e.cause == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.cause.Error()
}

func (e *exitError) Unwrap() error { return e.cause }

// exitCode prints an error, if there is something to say, and returns the code to end with.
func exitCode(err error, w io.Writer) int {
	if err == nil {
		return 0
	}
	code := exitFailed
	if exit, ok := errors.AsType[*exitError](err); ok {
		code = exit.code
		if exit.cause == nil {
			return code
		}
	}
	fmt.Fprintln(w, "error:", err)
	return code
}
