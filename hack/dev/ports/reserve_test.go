package ports

import (
	"errors"
	"net"
	"syscall"
	"testing"
)

func TestAPortThatFreeHasGivenIsGivenToNobodyElse(t *testing.T) {
	l, err := Free(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	// Nothing listens there, as before the program starts that the port is for.
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	// A lock is that of an open file, so that a second one of the same process is refused as another process is.
	if l, err := listenReserved(t.Context(), port); !errors.Is(err, syscall.EWOULDBLOCK) {
		t.Errorf("choosing port %d again: %v, %v, want EWOULDBLOCK", port, l, err)
	}
}
