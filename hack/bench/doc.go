// Package bench measures the whole of Pressroom: the real binary with the rights of its ServiceAccount and its default flags, a
// real control plane, and receivers on loopback that behave well or badly. `make bench` runs it.
package bench
