package main

import "runtime/debug"

// heapGrowth is by how many percent of what is in use the controller's heap grows before the garbage collector runs. Nearly all that is
// in use are cached objects, which stay: with Go's default of 100, as much memory again would be garbage.
const heapGrowth = 50

// boundHeap sets heapGrowth, unless the environment variable GOGC has another value.
func boundHeap(getenv func(string) string) {
	if getenv("GOGC") == "" {
		debug.SetGCPercent(heapGrowth)
	}
}
