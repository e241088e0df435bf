package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/pressroom-dev/pressroom/hack/dev/demo"
	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/system"
	"github.com/pressroom-dev/pressroom/hack/dev/wordpress"
)

// demoDeadline ends a demonstration that hangs; an idle machine with two cores needs ten seconds.
const demoDeadline = 10 * time.Minute

// runDemo takes an article through all steps.
func runDemo(ctx context.Context) error {
	began := time.Now()
	ctx, cancel := context.WithTimeoutCause(ctx, demoDeadline, fmt.Errorf("the demonstration takes longer than %s", demoDeadline))
	defer cancel()
	err := withTemporary(ctx, func(ctx context.Context, s *system.System) error {
		return demo.Run(ctx, optionsOf(s))
	})
	if err == nil {
		sayf("The demonstration has taken %s.", time.Since(began).Round(time.Second))
	}
	return err
}

// runDemoWordPress publishes an article to a real WordPress, and stays until Ctrl-C.
func runDemoWordPress(ctx context.Context) error {
	if err := wordpress.Missing(); err != nil {
		return fmt.Errorf("%w; `sh hack/need.sh wordpress` installs what is missing", err)
	}
	return withTemporary(ctx, func(ctx context.Context, s *system.System) error {
		if err := showWordPress(ctx, s); err != nil {
			return err
		}
		sayf("Ctrl-C stops everything and removes it.")
		return stay(ctx)
	})
}

// withTemporary passes a system to use that has a folder and ports of its own: it does not disturb a `make run`. The logs of one that has
// failed stay.
func withTemporary(ctx context.Context, use func(context.Context, *system.System) error) error {
	at, err := ports.Free(ctx)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "pressroom-demo-")
	if err != nil {
		return fmt.Errorf("making a folder for the demonstration: %w", err)
	}
	if err = withSystem(ctx, folder, at, use); err != nil && !errors.Is(err, errInterrupted) {
		return fmt.Errorf("%w\nThe demonstration has failed; its logs are in %s/logs", err, folder)
	}
	return errors.Join(err, os.RemoveAll(folder))
}

// showWordPress starts a WordPress, connects a Site to it, and takes an article from a keyword to its page, through an update, an edit in
// WordPress and its unpublishing.
func showWordPress(ctx context.Context, s *system.System) error {
	ctx, cancel := context.WithTimeoutCause(ctx, demoDeadline, fmt.Errorf("the demonstration takes longer than %s", demoDeadline))
	defer cancel()
	sayf("starting MariaDB, PHP and WordPress ...")
	w, err := wordpress.Start(ctx, wordpress.Options{Folder: filepath.Join(s.Folder, "wordpress"), Group: s.Group, Port: s.Ports.WordPress})
	if err != nil {
		return err
	}
	if err := s.ConnectWordPress(ctx, w.URL(), w.Author.Username, w.Author.Password, "Manual"); err != nil {
		return err
	}
	sayf("WordPress is ready on %s, and the Site %s is connected to it", w.URL(), system.WordPressSite)
	options := optionsOf(s)
	options.WordPress = demo.Login{URL: w.URL(), Username: w.Editor.Username, Password: w.Editor.Password}
	url, err := demo.RunWordPress(ctx, options)
	if err == nil {
		sayf("\nThe page that WordPress renders: open %s\n", url)
	}
	return err
}

func optionsOf(s *system.System) demo.Options {
	return demo.Options{URL: s.APIURL(), APIKey: s.APIKey, Workspace: system.Workspace, ReceiverURL: s.ReceiverURL(), Say: sayf}
}
