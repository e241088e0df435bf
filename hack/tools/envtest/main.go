// Command envtest installs the etcd, kube-apiserver and kubectl that envtest publishes, by the packages of setup-envtest: its
// index, its checksums and its store.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/tools/setup-envtest/remote"
	"sigs.k8s.io/controller-runtime/tools/setup-envtest/store"
	"sigs.k8s.io/controller-runtime/tools/setup-envtest/versions"
)

// downloadPatience bounds the download of an archive of about 100 MB.
const downloadPatience = 10 * time.Minute

var binaries = []string{"etcd", "kube-apiserver", "kubectl"}

func main() {
	var i installer
	flag.StringVar(&i.index, "index", "", "URL of the index (default that of setup-envtest)")
	flag.StringVar(&i.version, "version", "", "which version, as setup-envtest selects one: 1.37.x")
	flag.StringVar(&i.folder, "folder", "", "where the binaries are installed")
	flag.DurationVar(&i.patience, "patience", 5*time.Second, "how long the index may take to answer")
	flag.Parse()
	i.say = func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
	ctx := logr.NewContext(context.Background(), logr.Discard())
	if err := i.install(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type installer struct {
	index, version, folder string
	patience               time.Duration
	say                    func(format string, args ...any)
}

// install installs the newest published version that is selected. After an error the folder is as it was.
func (i installer) install(ctx context.Context) error {
	client := &remote.HTTPClient{Log: logr.Discard(), IndexURL: i.index}
	item, platform, err := i.find(ctx, client)
	if err != nil {
		return fmt.Errorf("looking for published envtest binaries: %w", err)
	}
	i.say("      downloading the published binaries of Kubernetes %s", item.Version)
	temporary, err := os.MkdirTemp(i.folder, ".envtest-")
	if err != nil {
		return fmt.Errorf("making a folder for the download: %w", err)
	}
	err = i.download(ctx, client, item, platform, temporary)
	return errors.Join(err, os.RemoveAll(temporary))
}

// find returns the newest version of the index for this platform.
func (i installer) find(ctx context.Context, client remote.Client) (store.Item, versions.PlatformItem, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, i.patience, fmt.Errorf("the index does not answer within %s", i.patience))
	defer cancel()
	selector, err := versions.FromExpr(i.version)
	if err != nil {
		return store.Item{}, versions.PlatformItem{}, err
	}
	sets, err := client.ListVersions(ctx)
	if err != nil {
		return store.Item{}, versions.PlatformItem{}, cmp.Or(context.Cause(ctx), err)
	}
	here := versions.Platform{OS: runtime.GOOS, Arch: runtime.GOARCH}
	// The newest comes first.
	for _, set := range sets {
		for _, platform := range set.Platforms {
			if selector.Matches(set.Version) && platform.Platform == here {
				return store.Item{Version: set.Version, Platform: here}, platform, nil
			}
		}
	}
	return store.Item{}, versions.PlatformItem{}, fmt.Errorf("there is none of version %s for %s", i.version, here)
}

// download puts the binaries of an archive, whose checksum is right, into the folder.
func (i installer) download(
	ctx context.Context, client remote.Client, item store.Item, platform versions.PlatformItem, temporary string,
) error {
	ctx, cancel := context.WithTimeout(ctx, downloadPatience)
	defer cancel()
	archive, err := os.Create(filepath.Join(temporary, "archive"))
	if err != nil {
		return fmt.Errorf("downloading: %w", err)
	}
	defer archive.Close()
	if err := client.GetVersion(ctx, item.Version, platform, archive); err != nil {
		return fmt.Errorf("downloading: %w", err)
	}
	if _, err := archive.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("reading the download: %w", err)
	}
	unpacked := store.NewAt(temporary)
	if err := errors.Join(unpacked.Initialize(ctx), unpacked.Add(ctx, item, archive)); err != nil {
		return fmt.Errorf("unpacking: %w", err)
	}
	from, err := unpacked.Path(item)
	if err != nil {
		return fmt.Errorf("unpacking: %w", err)
	}
	return i.move(from)
}

// move moves all binaries or, if one is missing, none. The store has made their folder read-only.
func (i installer) move(from string) error {
	const writable = 0o755
	if err := os.Chmod(from, writable); err != nil {
		return fmt.Errorf("unpacking: %w", err)
	}
	for _, name := range binaries {
		if _, err := os.Stat(filepath.Join(from, name)); err != nil {
			return fmt.Errorf("the archive lacks a binary: %w", err)
		}
	}
	for _, name := range binaries {
		if err := os.Rename(filepath.Join(from, name), filepath.Join(i.folder, name)); err != nil {
			return fmt.Errorf("installing %s: %w", name, err)
		}
	}
	return nil
}
