package seal_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	clocktesting "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
)

// keyFile is a key file in a folder of its own, which is read by a clock.
type keyFile struct {
	*seal.KeyFile

	t     *testing.T
	path  string
	clock *clocktesting.FakePassiveClock
}

func openKeyFile(t *testing.T, lines ...string) *keyFile {
	t.Helper()
	f := &keyFile{t: t, path: filepath.Join(t.TempDir(), "keys"), clock: clocktesting.NewFakePassiveClock(start)}
	if len(lines) > 0 {
		f.write(lines...)
	}
	var err error
	if f.KeyFile, err = seal.OpenKeyFile(f.path, f.clock); err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *keyFile) write(lines ...string) {
	f.t.Helper()
	if err := os.WriteFile(f.path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		f.t.Fatal(err)
	}
}

// later lets the time pass after which the file is read again.
func (f *keyFile) later() { f.clock.SetTime(f.clock.Now().Add(5 * time.Second)) }

func (f *keyFile) seal() string {
	f.t.Helper()
	sealed, err := f.Seal("p", []byte("x"))
	if err != nil {
		f.t.Fatal(err)
	}
	return sealed
}

func (f *keyFile) opens(sealed string) bool {
	text, err := f.Open("p", sealed)
	if err != nil && !errors.Is(err, seal.ErrInvalid) {
		f.t.Errorf("Open says too much: %v", err)
	}
	return err == nil && string(text) == "x"
}

func TestKeysThatComeLaterAreFound(t *testing.T) {
	f := openKeyFile(t)
	if _, err := f.Seal("p", nil); err == nil || !f.Missing() {
		t.Errorf("something is sealed without keys: %v, missing: %v", err, f.Missing())
	}
	key := newKey(t)
	f.write(key)
	f.later()
	if sealed := f.seal(); !f.opens(sealed) || f.Missing() {
		t.Error("the keys are not found")
	}
}

func TestAKeyFileRotatesWhileItIsUsed(t *testing.T) {
	older, newer := newKey(t), newKey(t)
	f := openKeyFile(t, older)
	sealed := f.seal()
	f.write(newer, older)
	f.later()
	if !f.opens(sealed) {
		t.Error("the key before does not open")
	}
	resealed := f.seal()
	f.write(newer)
	f.later()
	if f.opens(sealed) || !f.opens(resealed) {
		t.Error("a key that is gone opens, or the new one did not seal")
	}
	// Taking the keys away signs everybody out.
	if err := os.Remove(f.path); err != nil {
		t.Fatal(err)
	}
	if !f.opens(resealed) {
		t.Error("the file is read each time")
	}
	f.later()
	if f.opens(resealed) || !f.Missing() {
		t.Error("keys that were taken away open")
	}
	f.write("no key")
	f.later()
	if _, err := f.Seal("p", nil); err == nil || f.Missing() || strings.Contains(err.Error(), "no key") {
		t.Errorf("Seal = %v, missing: %v", err, f.Missing())
	}
}

func TestAKeyFileThatIsWrongIsToldAtOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(file, []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, filepath.Join(t.TempDir(), "misspelt", "keys"), t.TempDir()} {
		if _, err := seal.OpenKeyFile(path, clocktesting.NewFakePassiveClock(start)); err == nil {
			t.Errorf("%s is taken as a key file", path)
		}
	}
}
