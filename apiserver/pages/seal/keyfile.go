package seal

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

// rereadAfter is how long the contents of a key file are used before it is read again.
const rereadAfter = 5 * time.Second

// KeyFile seals with the current keys in a file, so that keys are replaced without a restart. Its methods may be called from any
// goroutine.
type KeyFile struct {
	path  string
	clock clock.PassiveClock

	mu   sync.Mutex
	keys Keys
	err  error
	read time.Time
}

// OpenKeyFile returns the keys in a file. The file may be missing if its folder exists, because a Secret may be mounted before it
// is created: until then nothing can be sealed or opened, and Missing reports true. A file with anything but keys is an error.
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

// Missing reports whether the file did not exist when it was last read.
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

// Open returns the text that Seal was given for the same purpose. Without keys it always returns ErrInvalid.
func (f *KeyFile) Open(purpose, sealed string) ([]byte, error) {
	keys, err := f.now()
	if err != nil {
		return nil, ErrInvalid
	}
	return keys.Open(purpose, sealed)
}

// now returns the current keys.
func (f *KeyFile) now() (Keys, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if now := f.clock.Now(); f.read.IsZero() || now.Sub(f.read) >= rereadAfter {
		f.keys, f.err = readKeys(f.path)
		f.read = now
	}
	return f.keys, f.err
}
