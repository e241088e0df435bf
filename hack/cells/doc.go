// Package cells runs two installations behind one address: with nginx, and the configuration of docs/how-to/several-installations.md.
package cells
