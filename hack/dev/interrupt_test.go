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

func TestTheFirstSignalEndsAndTheSecondKills(t *testing.T) {
	killed := make(chan struct{})
	ctx, cancel := interruptible(t.Context(), false, func() error { close(killed); return nil })
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
	case <-killed:
		t.Fatal("one signal kills already")
	default:
	}
	interrupt(t)
	select {
	case <-killed:
	case <-time.After(patience):
		t.Fatal("the second signal kills nothing")
	}
}

func interrupt(t *testing.T) {
	t.Helper()
	if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
}
