// Package seal encrypts what a browser carries for the facade, so that it can neither be read nor be made up: cookies, and
// tickets in forms. So replicas share only the keys.
package seal

import (
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/chacha20poly1305"
	"k8s.io/utils/clock"
)

const (
	// keyBytes is the length of a key.
	keyBytes = chacha20poly1305.KeySize
	// maxKeys is enough for a rotation: the new key and the one before it.
	maxKeys = 2
	// maxSealed bounds what Open looks at, in characters. It is more than any ticket or cookie has.
	maxSealed = 64 << 10
)

// ErrInvalid is the only error of Open. It never says why.
var ErrInvalid = errors.New("not sealed here for this purpose")

// Keys seal and open texts. The first key seals, and all of them open, so that a key can be replaced without signing anybody
// out.
type Keys struct {
	aeads []cipher.AEAD
}

func readKeys(file string) (Keys, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return Keys{}, fmt.Errorf("reading the session keys: %w", err)
	}
	keys, err := ParseKeys(data)
	if err != nil {
		return Keys{}, fmt.Errorf("reading the session keys in %s: %w", file, err)
	}
	return keys, nil
}

// ParseKeys reads the contents of a key file: one or two lines, each with 32 bytes in base64, the newest first. Empty lines and
// lines that begin with # are ignored. Its errors never contain keys.
func ParseKeys(data []byte) (Keys, error) {
	var keys Keys
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, err := base64.StdEncoding.DecodeString(line)
		if err != nil {
			return Keys{}, fmt.Errorf("line %d must be base64", i+1)
		}
		aead, err := chacha20poly1305.NewX(key)
		if err != nil {
			return Keys{}, fmt.Errorf("line %d must be %d bytes in base64", i+1, keyBytes)
		}
		keys.aeads = append(keys.aeads, aead)
	}
	if n := len(keys.aeads); n == 0 || n > maxKeys {
		return Keys{}, fmt.Errorf("there must be one key or two, not %d", n)
	}
	return keys, nil
}

// Seal encrypts and signs a text for one purpose.
func (k Keys) Seal(purpose string, text []byte) (string, error) {
	if len(k.aeads) == 0 {
		return "", errors.New("there are no session keys")
	}
	aead := k.aeads[0]
	// 24 random bytes never repeat, however many texts one key seals.
	nonce := make([]byte, aead.NonceSize(), aead.NonceSize()+len(text)+aead.Overhead())
	rand.Read(nonce)
	return base64.RawURLEncoding.EncodeToString(aead.Seal(nonce, nonce, text, []byte(purpose))), nil
}

// Open returns the text that Seal was given for the same purpose.
func (k Keys) Open(purpose, sealed string) ([]byte, error) {
	if len(sealed) > maxSealed {
		return nil, ErrInvalid
	}
	// Strict, so that a text has one form only.
	data, err := base64.RawURLEncoding.Strict().DecodeString(sealed)
	if err != nil {
		return nil, ErrInvalid
	}
	for _, aead := range k.aeads {
		if len(data) < aead.NonceSize() {
			return nil, ErrInvalid
		}
		nonce, box := data[:aead.NonceSize()], data[aead.NonceSize():]
		if text, err := aead.Open(nil, nonce, box, []byte(purpose)); err == nil {
			return text, nil
		}
	}
	return nil, ErrInvalid
}

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
