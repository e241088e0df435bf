package main

import (
	"context"
	"errors"
	"os"
	"syscall"
	"testing"
	"time"
)

const patience = 30 * time.Second

func TestTheFirstSignalEndsAndTheSecondHurries(t *testing.T) {
	hurried := make(chan struct{})
	ctx, cancel := interruptible(t.Context(), false, func() { close(hurried) })
	defer cancel()
	interrupt(t)
	select {
	case <-ctx.Done():
	case <-time.After(patience):
		t.Fatal("the first signal ends nothing")
	}
	if cause := context.Cause(ctx); !errors.Is(cause, errInterrupted) {
		t.Errorf("cause = %v, want errInterrupted", cause)
	}
	select {
	case <-hurried:
		t.Fatal("one signal hurries already")
	default:
	}
	interrupt(t)
	select {
	case <-hurried:
	case <-time.After(patience):
		t.Fatal("the second signal hurries nobody")
	}
}

func interrupt(t *testing.T) {
	t.Helper()
	if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
}
