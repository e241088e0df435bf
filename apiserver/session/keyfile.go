package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"k8s.io/utils/clock"
)

// rereadAfter is how long what a key file holds is believed.
const rereadAfter = 5 * time.Second

// KeyFile seals with the keys in a file, as it stands: keys are replaced, added and taken away without a restart. Its methods
// may be called from any goroutine.
type KeyFile struct {
	path  string
	clock clock.PassiveClock

	mu   sync.Mutex
	keys Keys
	err  error
	read time.Time
}

// OpenKeyFile returns the keys in a file. The file may be missing as long as its folder is there, since a Secret may be mounted
// before it exists: until it comes, nothing can be sealed or opened, and Missing says so. A file that holds anything but keys
// is an error.
func OpenKeyFile(path string, c clock.PassiveClock) (*KeyFile, error) {
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("looking for the session keys: %w", err)
	}
	f := &KeyFile{path: path, clock: c}
	if _, err := f.now(); err != nil && !f.Missing() {
		return nil, err
	}
	return f, nil
}

// Missing reports whether the file was not there when it was last looked for.
func (f *KeyFile) Missing() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return errors.Is(f.err, fs.ErrNotExist)
}

// Seal encrypts and signs a text for one purpose, as Keys do.
func (f *KeyFile) Seal(purpose string, text []byte) (string, error) {
	keys, err := f.now()
	if err != nil {
		return "", err
	}
	return keys.Seal(purpose, text)
}

// Open returns the text that Seal was given for the same purpose. Without keys nothing is sealed here.
func (f *KeyFile) Open(purpose, sealed string) ([]byte, error) {
	keys, err := f.now()
	if err != nil {
		return nil, ErrSealed
	}
	return keys.Open(purpose, sealed)
}

// now returns the keys of the moment.
func (f *KeyFile) now() (Keys, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if now := f.clock.Now(); f.read.IsZero() || now.Sub(f.read) >= rereadAfter {
		f.keys, f.err = readKeys(f.path)
		f.read = now
	}
	return f.keys, f.err
}
