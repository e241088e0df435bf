package process_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/hack/dev/process"
)

// patience bounds every wait: far longer than needed, and only spent if the test fails.
const patience = 30 * time.Second

type fixture struct {
	folder string
	group  *process.Group
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	group, err := process.NewGroup()
	if err != nil {
		t.Fatal(err)
	}
	return &fixture{folder: t.TempDir(), group: group}
}

// shell starts a shell with a script.
func (f *fixture) shell(t *testing.T, name, script string, grace time.Duration) *process.Process {
	t.Helper()
	p, err := f.group.Start(process.Command{
		Name: name, Path: "/bin/sh", Args: []string{"-c", script}, Dir: f.folder, Log: f.path(name + ".log"), Grace: grace,
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// ready waits until the script has made the file "ready".
func (f *fixture) ready(t *testing.T, p *process.Process) {
	t.Helper()
	err := p.AwaitReady(t.Context(), func(context.Context) error { _, err := os.Stat(f.path("ready")); return err })
	if err != nil {
		t.Fatal(err)
	}
}

func (f *fixture) path(name string) string { return filepath.Join(f.folder, name) }

func TestStopAsksAProgramToEnd(t *testing.T) {
	for _, tt := range []struct{ name, script, wantErr string }{
		{"polite", `trap 'echo bye; exit 0' TERM; : >ready; while :; do sleep 0.01; done`, ""},
		{"unprepared", `: >ready; exec sleep 1000`, ""},
		{"racy", `trap 'exit 66' TERM; : >ready; while :; do sleep 0.01; done`, "racy has not stopped in order (exit status 66)"},
		{"stubborn", `trap '' TERM; : >ready; while :; do sleep 0.01; done`, "stubborn has not stopped within 1ms"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, grace := newFixture(t), patience
			if tt.name == "stubborn" {
				grace = time.Millisecond
			}
			f.ready(t, f.shell(t, tt.name, tt.script, grace))
			err := f.group.Stop()
			if (tt.wantErr == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), tt.wantErr) {
				t.Errorf("err = %v, want %q", err, tt.wantErr)
			}
			select {
			case failed := <-f.group.Failed():
				t.Errorf("a program that was asked to end counts as failed: %v", failed)
			default:
			}
		})
	}
}

// Programs stop before those that they use, even if one of these was started again.
func TestAProgramThatIsStartedAgainKeepsItsPlaceInTheOrder(t *testing.T) {
	f := newFixture(t)
	start := func(name string) *process.Process {
		if err := os.RemoveAll(f.path("ready")); err != nil {
			t.Fatal(err)
		}
		p := f.shell(t, name, `trap 'echo `+name+` >>stopped; exit 0' TERM; : >ready; while :; do sleep 0.01; done`, patience)
		f.ready(t, p)
		return p
	}
	server := start("server")
	start("client")
	if err := server.Kill(); err != nil {
		t.Fatal(err)
	}
	start("server")
	if err := f.group.Stop(); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(f.path("stopped")); err != nil || string(got) != "client\nserver\n" {
		t.Errorf("stopped in the order %q, %v", got, err)
	}
}

func TestAProgramThatEndsByItselfIsReportedWithTheEndOfItsLog(t *testing.T) {
	f := newFixture(t)
	f.shell(t, "broken", "echo first line; echo the data folder is on fire >&2; exit 3", 0)
	select {
	case err := <-f.group.Failed():
		for _, want := range []string{"broken has stopped by itself (exit status 3)", "the data folder is on fire", f.path("broken.log")} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("message %q lacks %q", err, want)
			}
		}
	case <-time.After(patience):
		t.Fatal("nobody said that the program has ended")
	}
	if err := f.group.Stop(); err != nil {
		t.Error(err)
	}
}

func TestWaitingForAProgramEndsWithIt(t *testing.T) {
	f := newFixture(t)
	p := f.shell(t, "broken", "exit 3", 0)
	err := p.AwaitReady(t.Context(), func(context.Context) error { return errors.New("not yet") })
	if err == nil || !strings.Contains(err.Error(), "broken has stopped by itself") {
		t.Errorf("err = %v", err)
	}
	slow := f.shell(t, "slow", "exec sleep 1000", 0)
	ctx, cancel := context.WithCancelCause(t.Context())
	interrupted := errors.New("interrupted")
	cancel(interrupted)
	err = slow.AwaitReady(ctx, func(context.Context) error { return errors.New("not yet") })
	if !errors.Is(err, interrupted) || !strings.Contains(err.Error(), "slow is not ready: not yet") {
		t.Errorf("err = %v", err)
	}
	if err := f.group.Stop(); err != nil {
		t.Error(err)
	}
}

func TestTheLogOfTheStartBeforeIsThere(t *testing.T) {
	f := newFixture(t)
	if err := os.WriteFile(f.path("polite.log"), []byte("yesterday"), 0o600); err != nil {
		t.Fatal(err)
	}
	f.shell(t, "polite", "exec sleep 1000", 0)
	if before, err := os.ReadFile(f.path("polite.log.1")); err != nil || string(before) != "yesterday" {
		t.Errorf("log = %q, %v, want yesterday's", before, err)
	}
	if err := f.group.Stop(); err != nil {
		t.Error(err)
	}
}

// The test binary plays the program that is killed, if this variable has a folder.
const killedVariable = "PRESSROOM_TEST_KILLED"

func TestNothingOutlivesAProgramThatIsKilled(t *testing.T) {
	if folder := os.Getenv(killedVariable); folder != "" {
		startFamily(t, folder)
		select {}
	}
	folder := t.TempDir()
	alive := filepath.Join(folder, "alive")
	if err := syscall.Mkfifo(alive, 0o600); err != nil {
		t.Fatal(err)
	}
	program := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^"+t.Name()+"$")
	program.Env = append(os.Environ(), killedVariable+"="+folder)
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	pipe, err := os.Open(alive)
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	reader := bufio.NewReader(pipe)
	if line, err := reader.ReadString('\n'); err != nil || line != "started\n" {
		t.Fatalf("the program has printed %q, %v", line, err)
	}
	if err := program.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	// The pipe ends when the last process that has it open has ended.
	if rest, err := io.ReadAll(reader); err != nil || len(rest) > 0 {
		t.Errorf("the program has printed %q, %v", rest, err)
	}
	_ = program.Wait()
}

// startFamily starts a program with a child of its own. Both have a pipe in the folder open until they end.
func startFamily(t *testing.T, folder string) {
	t.Helper()
	group, err := process.NewGroup()
	if err == nil {
		_, err = group.Start(process.Command{
			Name: "family", Path: "/bin/sh", Args: []string{"-c", "exec 3>alive; echo started >&3; sleep 1000 & wait"}, Dir: folder,
			Log: filepath.Join(folder, "family.log"),
		})
	}
	if err != nil {
		t.Fatal(err)
	}
}
