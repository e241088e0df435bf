package receiver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/hack/dev/ports"
)

// Serve serves a receiver on a loopback port, with its posts in a folder.
func Serve(ctx context.Context, port int, secret []byte, folder string, say func(string, ...any)) (*http.Server, error) {
	store, err := OpenStore(folder)
	if err != nil {
		return nil, err
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", ports.Address(port))
	if err != nil {
		return nil, fmt.Errorf("starting the receiver: %w", err)
	}
	server := &http.Server{
		Handler:           New(Options{Secret: secret, BaseURL: ports.URL(port), Store: store, Clock: clock.RealClock{}, Say: say}),
		ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: 30 * time.Second,
	}
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			say("the receiver has stopped: %v", err)
		}
	}()
	return server, nil
}
