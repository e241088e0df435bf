package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"

	"github.com/spf13/cobra"

	"github.com/pressroom-dev/pressroom/hack/dev/demo"
	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/system"
	"github.com/pressroom-dev/pressroom/hack/dev/wordpress"
)

// newDemoWordPressCommand makes the command that shows an article on its way to a real WordPress.
func newDemoWordPressCommand() *cobra.Command {
	o, once := &options{}, false
	cmd := &cobra.Command{
		Use:   "demo-wordpress",
		Short: "Start a separate system with a WordPress, publish an article to it, and stay until Ctrl-C",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return o.demoWordPress(cmd, once) },
	}
	o.declare(cmd)
	cmd.Flags().BoolVar(&once, "once", false, "stop when the article is published")
	return cmd
}

func (o *options) demoWordPress(cmd *cobra.Command, once bool) (err error) {
	if err := wordpress.Missing(); err != nil {
		return fmt.Errorf("%w; `sh hack/need.sh wordpress` installs what is missing", err)
	}
	if o.data, err = os.MkdirTemp("", "pressroom-demo-"); err != nil {
		return fmt.Errorf("making a folder for the demonstration: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(o.data)) }()
	return o.start(cmd, func(ctx context.Context, s *system.System) error {
		if err := showWordPress(ctx, s); err != nil || once {
			return err
		}
		s.Say("Ctrl-C stops everything and removes it.")
		select {
		case <-ctx.Done():
			return nil
		case p := <-s.Group.Failed():
			return p.Err()
		}
	})
}

// showWordPress starts a WordPress, connects a Site to it, and takes an article from a keyword to its page.
func showWordPress(ctx context.Context, s *system.System) error {
	ctx, cancel := context.WithTimeoutCause(ctx, demoDeadline, fmt.Errorf("the demonstration takes longer than %s", demoDeadline))
	defer cancel()
	listener, err := ports.Free(ctx)
	if err != nil {
		return err
	}
	address, ok := listener.Addr().(*net.TCPAddr)
	if err := listener.Close(); err != nil || !ok {
		return errors.Join(errors.New("there is no free port for WordPress"), err)
	}
	s.Say("starting MariaDB, PHP and WordPress ...")
	w, err := wordpress.Start(ctx, wordpress.Options{Folder: s.Folder.Path("wordpress"), Group: s.Group, Port: address.Port})
	if err != nil {
		return err
	}
	if err := s.ConnectWordPress(ctx, w.URL(), w.Author.Username, w.Author.Password, "Manual"); err != nil {
		return err
	}
	s.Say("WordPress is ready on %s, and the Site %s is connected to it", w.URL(), system.WordPressSite)
	url, err := demo.RunWordPress(ctx, demo.Options{URL: s.APIURL(), APIKey: s.APIKey, Workspace: system.Workspace, Say: s.Say})
	if err != nil {
		return err
	}
	s.Say("The page that WordPress renders: open %s\n", url)
	return nil
}
