package main

import (
	"runtime/debug"
	"testing"
)

func TestTheControllersHeapGrowsByHalfUnlessGOGCSaysOtherwise(t *testing.T) {
	for value, want := range map[string]int{"": heapGrowth, "80": 100} {
		before := debug.SetGCPercent(100)
		boundHeap(func(string) string { return value })
		if got := debug.SetGCPercent(before); got != want {
			t.Errorf("with GOGC=%q the heap grows by %d percent, want %d", value, got, want)
		}
	}
}
