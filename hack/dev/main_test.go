package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestASignalEndsTheContext(t *testing.T) {
	ctx := interruptible()
	if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ctx.Done():
	case <-time.After(30 * time.Second):
		t.Fatal("the signal ends nothing")
	}
	if cause := context.Cause(ctx); !errors.Is(cause, errInterrupted) {
		t.Errorf("cause = %v, want errInterrupted", cause)
	}
}

func TestAFolderInUseIsRefused(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data")
	unlock, err := lock(folder)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lock(folder); err == nil || !strings.Contains(err.Error(), folder+" is in use") {
		t.Errorf("err = %v, want one that says that the folder is in use", err)
	}
	if info, err := os.Stat(folder); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder is %v, %v; want it for its owner alone", info.Mode(), err)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	if _, err := lock(folder); err != nil {
		t.Error(err)
	}
}

func TestTheFirstPortIsThatOfTheEnvironment(t *testing.T) {
	for _, tt := range []struct {
		value   string
		want    int
		wantErr bool
	}{{"", 8080, false}, {"9080", 9080, false}, {"http", 0, true}, {"0", 0, true}, {"-1", 0, true}, {"65530", 0, true}} {
		t.Setenv("PRESSROOM_PORT", tt.value)
		if got, err := firstPort(); got != tt.want || (err != nil) != tt.wantErr {
			t.Errorf("%q: %d, %v, want %d, error %t", tt.value, got, err, tt.want, tt.wantErr)
		}
	}
}
