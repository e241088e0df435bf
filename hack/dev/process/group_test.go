package process_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/hack/dev/process"
)

// patience bounds every wait: far longer than needed, and only spent where the test fails.
const patience = 30 * time.Second

type fixture struct {
	folder string
	group  *process.Group
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{folder: t.TempDir()}
	f.group = process.NewGroup(f.folder)
	t.Cleanup(func() {
		f.group.Hurry()
		if err := f.group.Stop(); err != nil {
			t.Error(err)
		}
	})
	return f
}

// start starts a process in a role and waits until it is ready for signals.
func (f *fixture) start(t *testing.T, name, role string) *process.Process {
	t.Helper()
	ready := filepath.Join(f.folder, name+".ready")
	p, err := f.group.Start(f.command(name, role, ready))
	if err != nil {
		t.Fatal(err)
	}
	await(t, name+" to be ready", func() bool { _, err := os.Stat(ready); return err == nil })
	return p
}

func (f *fixture) command(name, role, ready string) process.Command {
	return process.Command{
		Name:  name,
		Path:  os.Args[0],
		Env:   []string{roleVariable + "=" + role, "PRESSROOM_TEST_READY=" + ready},
		Log:   filepath.Join(f.folder, name+".log"),
		Grace: patience,
	}
}

func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

func TestStopEndsAProcessThatHonoursTheSignalAndIsNoFailure(t *testing.T) {
	f := newFixture(t)
	p := f.start(t, "polite", "polite")
	if err := f.group.Stop(); err != nil {
		t.Fatal(err)
	}
	if err := p.Err(); err != nil {
		t.Errorf("a process that was asked to stop reports %v", err)
	}
	log, err := os.ReadFile(filepath.Join(f.folder, "polite.log"))
	if err != nil || string(log) != "bye\n" {
		t.Errorf("log = %q, %v, want the process's last word", log, err)
	}
	select {
	case failed := <-f.group.Failed():
		t.Errorf("%s counts as failed", failed.Name())
	default:
	}
}

func TestHurryKillsAProcessThatIgnoresTheSignal(t *testing.T) {
	f := newFixture(t)
	p := f.start(t, "stubborn", "stubborn")
	f.group.Hurry()
	if err := f.group.Stop(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-p.Done():
	default:
		t.Error("Stop returned before the process had ended")
	}
}

func TestAGraceThatIsOverKillsTheProcess(t *testing.T) {
	f := newFixture(t)
	ready := filepath.Join(f.folder, "ready")
	c := f.command("stubborn", "stubborn", ready)
	c.Grace = time.Millisecond
	if _, err := f.group.Start(c); err != nil {
		t.Fatal(err)
	}
	await(t, "the process to be ready", func() bool { _, err := os.Stat(ready); return err == nil })
	if err := f.group.Stop(); err == nil || !strings.Contains(err.Error(), "stubborn has not stopped within 1ms") {
		t.Errorf("err = %v, want one that says that the process was killed", err)
	}
}

func TestAProcessThatStopsWithAnotherStatusThan0IsReported(t *testing.T) {
	f := newFixture(t)
	p := f.start(t, "racy", "racy")
	err := f.group.StopOne(p)
	if err == nil || !strings.Contains(err.Error(), "racy has not stopped in order (exit status 66)") {
		t.Errorf("err = %v, want the exit status", err)
	}
	if files, err := filepath.Glob(filepath.Join(f.folder, "*.pid.json")); err != nil || len(files) > 0 {
		t.Errorf("records left: %v, %v", files, err)
	}
}

func TestAProcessThatEndsByItselfIsReportedWithTheEndOfItsLog(t *testing.T) {
	f := newFixture(t)
	if _, err := f.group.Start(f.command("broken", "broken", "")); err != nil {
		t.Fatal(err)
	}
	select {
	case p := <-f.group.Failed():
		exit, ok := errors.AsType[*process.ExitError](p.Err())
		if !ok {
			t.Fatalf("Err() = %v, want an *ExitError", p.Err())
		}
		for _, want := range []string{"broken has stopped by itself", "exit status 3", "the data folder is on fire", "broken.log"} {
			if !strings.Contains(exit.Error(), want) {
				t.Errorf("message %q lacks %q", exit.Error(), want)
			}
		}
	case <-time.After(patience):
		t.Fatal("nobody said that the process has ended")
	}
}

func TestNothingStartsOnceTheGroupIsStopped(t *testing.T) {
	f := newFixture(t)
	if err := f.group.Stop(); err != nil {
		t.Fatal(err)
	}
	if _, err := f.group.Start(f.command("late", "polite", "")); err == nil {
		t.Error("a stopped group started a process")
	}
}

func TestTheLogOfTheStartBeforeIsKept(t *testing.T) {
	f := newFixture(t)
	log := filepath.Join(f.folder, "polite.log")
	if err := os.WriteFile(log, []byte("yesterday"), 0o600); err != nil {
		t.Fatal(err)
	}
	f.start(t, "polite", "polite")
	if kept, err := os.ReadFile(log + ".1"); err != nil || string(kept) != "yesterday" {
		t.Errorf("kept log = %q, %v, want yesterday's", kept, err)
	}
}

func TestAStoppedProcessLeavesNoRecord(t *testing.T) {
	f := newFixture(t)
	p := f.start(t, "polite", "polite")
	if got := left(t, f.folder); len(got) != 1 || got[0].Pid != p.Pid() {
		t.Fatalf("while it runs, Left = %v, want process %d", got, p.Pid())
	}
	if err := f.group.StopOne(p); err != nil {
		t.Fatal(err)
	}
	if files, err := filepath.Glob(filepath.Join(f.folder, "*.pid.json")); err != nil || len(files) > 0 {
		t.Errorf("records left: %v, %v", files, err)
	}
}

func TestChildrenDieWithAKilledParent(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux kills children with their parent")
	}
	f := newFixture(t)
	inner := t.TempDir()
	c := f.command("parent", "parent", filepath.Join(inner, "ready"))
	c.Env = append(c.Env, "PRESSROOM_TEST_RECORDS="+inner)
	parent, err := f.group.Start(c)
	if err != nil {
		t.Fatal(err)
	}
	await(t, "the child to run", func() bool { return len(left(t, inner)) == 1 })
	if err := f.group.Kill(parent); err != nil {
		t.Fatal(err)
	}
	await(t, "the child to die", func() bool { return len(left(t, inner)) == 0 })
}

func left(t *testing.T, folder string) []process.Record {
	t.Helper()
	records, err := process.Left(folder)
	if err != nil {
		t.Fatal(err)
	}
	return records
}
