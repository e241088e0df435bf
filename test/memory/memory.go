// Package memory measures what parsers of hostile input allocate.
package memory

import (
	"runtime"
	"testing"
)

// Bound is the limit of bytes that a function may allocate for an input, including bytes that are freed meanwhile.
type Bound struct {
	// PerByte is for each byte of the input.
	PerByte uint64
	// Constant is for any input.
	Constant uint64
}

// Allocated returns the bytes that a function allocates. Nothing else may run in the process.
func Allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Check reports whether a function allocates at most what is allowed for an input of some bytes, and an error if it allocates more.
func (b Bound) Check(tb testing.TB, size int, f func()) bool {
	tb.Helper()
	got := Allocated(f)
	most := b.PerByte*uint64(size) + b.Constant
	if got > most {
		tb.Errorf("%d bytes of input allocate %d bytes, and may allocate %d", size, got, most)
	}
	return got <= most
}

// Ratio returns the bytes that a function allocates for each byte of an input.
func Ratio(size int, f func()) float64 { return float64(Allocated(f)) / float64(size) }
