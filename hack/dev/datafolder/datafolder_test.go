package datafolder_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/hack/dev/datafolder"
)

func open(t *testing.T, path string) *datafolder.Folder {
	t.Helper()
	f, err := datafolder.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestASecondOpenIsRefusedWithTheProcessThatUsesTheFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data")
	first := open(t, path)
	_, err := datafolder.Open(path)
	if !errors.Is(err, datafolder.ErrInUse) {
		t.Fatalf("err = %v, want ErrInUse", err)
	}
	if want := "process " + strconv.Itoa(os.Getpid()); !strings.Contains(err.Error(), want) {
		t.Errorf("message %q lacks %q", err, want)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := open(t, path).Close(); err != nil {
		t.Error(err)
	}
}

func TestOnlyTheOwnerMayReadTheFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data")
	f := open(t, path)
	defer f.Close()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode().Perm(); got != 0o700 {
		t.Errorf("mode = %o, want 700", got)
	}
}

func TestDataOfAnotherMinorVersionIsRefusedWithWhatToDo(t *testing.T) {
	f := open(t, filepath.Join(t.TempDir(), "data"))
	defer f.Close()
	for range 2 {
		if err := f.CheckVersion("v1.37"); err != nil {
			t.Fatalf("data of the same version is refused: %v", err)
		}
	}
	err := f.CheckVersion("v1.38")
	if err == nil {
		t.Fatal("data of another minor version is accepted")
	}
	for _, want := range []string{"v1.37", "v1.38", "make clean-data", "rm -r " + f.Path()} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("message %q lacks %q", err, want)
		}
	}
}

func TestRemoveLeavesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data")
	f := open(t, path)
	if err := os.MkdirAll(f.Path("etcd", "member"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := f.Remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
}

func TestAShellReadsBackEveryValue(t *testing.T) {
	values := []string{
		"http://127.0.0.1:8080", "", "with space", "it's", `$(touch /tmp/never)`, "`id`", `back\slash`, `"quoted"`, "$HOME", "a'b'c''", "ä",
	}
	for _, value := range values {
		t.Run(value, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "env")
			if err := datafolder.WriteEnv(path, []datafolder.Variable{{Name: "OTHER", Value: "x"}, {Name: "VALUE", Value: value}}); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command("sh", "-c", `. "$0"; printf %s "$VALUE"`, path).Output()
			if err != nil || string(out) != value {
				t.Errorf("the shell reads %q, %v, want %q", out, err, value)
			}
			if got, err := datafolder.ReadEnv(path, "VALUE"); err != nil || got != value {
				t.Errorf("ReadEnv = %q, %v, want %q", got, err, value)
			}
		})
	}
}

func TestOnlyTheOwnerMayReadTheEnvFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "env")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := datafolder.WriteEnv(path, nil); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode().Perm(); got != 0o600 {
		t.Errorf("mode = %o, want 600", got)
	}
}

func TestTheEnvFileSaysHowToUseIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "env")
	if err := datafolder.WriteEnv(path, nil); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), "Use it with: . '"+path+"'\n") {
		t.Errorf("%s, %v", text, err)
	}
}

func TestReadEnvOfAMissingFileHasNoValue(t *testing.T) {
	if got, err := datafolder.ReadEnv(filepath.Join(t.TempDir(), "env"), "VALUE"); err != nil || got != "" {
		t.Errorf("ReadEnv = %q, %v, want nothing", got, err)
	}
}
