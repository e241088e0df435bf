// Package scale measures Pressroom with 3,000, 30,000 and 100,000 articles: the real programs on a real control plane, of which etcd is
// filled directly. `make scale` runs it, and prints a table with what grows.
package scale
