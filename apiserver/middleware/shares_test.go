package middleware

import (
	"context"
	"errors"
	"testing"
)

func TestOneKeyTakesNoMoreThanItsTurns(t *testing.T) {
	turns := NewTurns(1)
	end, err := turns.Wait(t.Context(), "acme")
	if err != nil {
		t.Fatal(err)
	}
	gone, giveUp := context.WithCancel(t.Context())
	giveUp()
	if _, err := turns.Wait(gone, "acme"); !errors.Is(err, context.Canceled) {
		t.Errorf("a second turn at the same time: %v, want that it waits until its request is given up", err)
	}
	other, err := turns.Wait(t.Context(), "rival")
	if err != nil {
		t.Fatalf("another key waits, too: %v", err)
	}
	other()
	end()
	again, err := turns.Wait(t.Context(), "acme")
	if err != nil {
		t.Fatalf("after the turn: %v", err)
	}
	again()
	if len(turns.keys) != 0 {
		t.Errorf("%d keys are remembered that nobody uses", len(turns.keys))
	}
}
