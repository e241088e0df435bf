package system

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/receiver"
)

// startReceiver starts the demonstration receiver with the secret that the Site of the samples signs with.
func (s *System) startReceiver(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, shortly)
	defer cancel()
	secret, err := s.signingSecret(ctx)
	if err != nil {
		return err
	}
	s.receiver, err = Receive(ctx, s.Ports.Receiver, secret, s.Folder.Path("receiver"), s.Say)
	if err != nil {
		return err
	}
	s.Say("the receiver is ready on %s", s.ReceiverURL())
	return nil
}

// Receive serves the demonstration receiver on a loopback port.
func Receive(ctx context.Context, port int, secret []byte, folder string, say func(string, ...any)) (*http.Server, error) {
	store, err := receiver.OpenStore(folder)
	if err != nil {
		return nil, err
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", ports.Address(port))
	if err != nil {
		return nil, fmt.Errorf("starting the receiver: %w", err)
	}
	server := &http.Server{
		Handler: receiver.New(receiver.Options{
			Secret: secret, BaseURL: ports.URL(port), Store: store, Clock: clock.RealClock{}, Say: say,
		}),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      30 * time.Second,
	}
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			say("the receiver has stopped: %v", err)
		}
	}()
	return server, nil
}

// signingSecret reads the secret that a customer copies into their receiver.
func (s *System) signingSecret(ctx context.Context) ([]byte, error) {
	const reference = "jsonpath={.spec.cms.headless.signingSecretRef.name} {.spec.cms.headless.signingSecretRef.key}"
	answer, err := s.Cluster.Kubectl(ctx, nil, "get", "sites.pressroom.dev", "-n", Workspace, SiteName, "-o", reference)
	if err != nil {
		return nil, err
	}
	name, key, ok := strings.Cut(strings.TrimSpace(answer), " ")
	if !ok {
		return nil, fmt.Errorf("the Site %s/%s names no signing secret", Workspace, SiteName)
	}
	// A dot in the key would be a step in the path.
	value := "jsonpath={.data." + strings.ReplaceAll(key, ".", `\.`) + "}"
	encoded, err := s.Cluster.Kubectl(ctx, nil, "get", "secret", "-n", Workspace, name, "-o", value)
	if err != nil {
		return nil, err
	}
	secret, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || len(secret) == 0 {
		return nil, fmt.Errorf("the Secret %s/%s holds no signing secret under %s", Workspace, name, key)
	}
	return secret, nil
}
