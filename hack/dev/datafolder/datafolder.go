// Package datafolder is the folder in which a development system keeps its data, certificates and logs. One system at a time
// uses it.
package datafolder

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Folder is an opened and locked data folder.
type Folder struct {
	path string
	lock *os.File
}

// ErrInUse means that another process uses the folder.
var ErrInUse = errors.New("in use")

// Open makes the folder if it is missing, and locks it. The lock ends with the process, however it ends.
func Open(path string) (*Folder, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("finding the data folder: %w", err)
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, fmt.Errorf("making the data folder: %w", err)
	}
	lock, err := os.OpenFile(filepath.Join(path, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("opening the lock of the data folder: %w", err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		defer lock.Close()
		return nil, refusal(path, lock, err)
	}
	f := &Folder{path: path, lock: lock}
	if err := f.sign(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// refusal names the process that uses the folder.
func refusal(path string, lock io.Reader, err error) error {
	if !errors.Is(err, syscall.EWOULDBLOCK) {
		return fmt.Errorf("locking %s: %w", path, err)
	}
	holder := "another process"
	if pid, err := io.ReadAll(io.LimitReader(lock, 20)); err == nil && len(pid) > 0 {
		holder = "process " + strings.TrimSpace(string(pid))
	}
	return fmt.Errorf("%s is %w by %s: stop that first, with Ctrl-C where it runs", path, ErrInUse, holder)
}

// sign writes this process's id into the lock file, for the message of refusal.
func (f *Folder) sign() error {
	if err := f.lock.Truncate(0); err != nil {
		return fmt.Errorf("signing the lock of the data folder: %w", err)
	}
	if _, err := f.lock.WriteAt(fmt.Appendf(nil, "%d\n", os.Getpid()), 0); err != nil {
		return fmt.Errorf("signing the lock of the data folder: %w", err)
	}
	return nil
}

// Path returns the path of the folder, or of something in it.
func (f *Folder) Path(elements ...string) string {
	return filepath.Join(append([]string{f.path}, elements...)...)
}

// Close releases the lock.
func (f *Folder) Close() error {
	if err := f.lock.Close(); err != nil {
		return fmt.Errorf("unlocking the data folder: %w", err)
	}
	return nil
}

// Remove removes the folder with everything in it, and releases the lock.
func (f *Folder) Remove() error {
	if err := os.RemoveAll(f.path); err != nil {
		return fmt.Errorf("removing the data folder: %w", err)
	}
	return f.Close()
}

// versionFile holds the minor version of Kubernetes that wrote the data.
const versionFile = "kubernetes-version"

// CheckVersion returns an error if another minor version of Kubernetes wrote the data, and records the version of a new
// folder.
func (f *Folder) CheckVersion(minor string) error {
	found, err := os.ReadFile(f.Path(versionFile))
	switch {
	case errors.Is(err, os.ErrNotExist):
		if err := os.WriteFile(f.Path(versionFile), []byte(minor+"\n"), 0o600); err != nil {
			return fmt.Errorf("remembering the Kubernetes version: %w", err)
		}
		return nil
	case err != nil:
		return fmt.Errorf("reading the Kubernetes version of the data: %w", err)
	}
	if old := strings.TrimSpace(string(found)); old != minor {
		return fmt.Errorf("the data in %s is of Kubernetes %s, and this is %s: `make clean-data` (or rm -r %s) starts from nothing",
			f.path, old, minor, f.path)
	}
	return nil
}
