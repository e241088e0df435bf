package process_test

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
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
	f := &fixture{folder: t.TempDir()}
	f.group = process.NewGroup(f.records())
	t.Cleanup(func() {
		if err := f.group.KillAll(); err != nil {
			t.Error(err)
		}
		if err := f.group.Stop(); err != nil {
			t.Error(err)
		}
	})
	return f
}

func (f *fixture) records() string { return filepath.Join(f.folder, "run") }

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
		Env:   []string{roleVariable + "=" + role, readyVariable + "=" + ready},
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
		t.Errorf("log = %q, %v, want what the process prints at its end", log, err)
	}
	select {
	case failed := <-f.group.Failed():
		t.Errorf("%s counts as failed", failed.Name())
	default:
	}
}

func TestKillAllEndsAStopThatWaitsForAProcessThatIgnoresTheSignal(t *testing.T) {
	f := newFixture(t)
	p := f.start(t, "stubborn", "stubborn")
	stopped := make(chan error, 1)
	go func() { stopped <- f.group.Stop() }()
	if err := f.group.KillAll(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-stopped:
	case <-time.After(patience):
		t.Fatal("Stop still waits")
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
	if left := records(t, f.records()); len(left) > 0 {
		t.Errorf("records left: %v", left)
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
	if got := records(t, f.records()); len(got) != 1 || got[0] != p.Pid() {
		t.Fatalf("while it runs, the records are %v, want process %d", got, p.Pid())
	}
	if err := f.group.StopOne(p); err != nil {
		t.Fatal(err)
	}
	if left := records(t, f.records()); len(left) > 0 {
		t.Errorf("records left: %v", left)
	}
}

func TestAProcessThatAnotherPackageStartedIsStopped(t *testing.T) {
	f := newFixture(t)
	p := f.adopt(t, "polite")
	if err := f.group.Stop(); err != nil {
		t.Fatal(err)
	}
	if err := p.Err(); err != nil {
		t.Errorf("a process that was asked to stop reports %v", err)
	}
}

func TestAProcessThatAnotherPackageStartedAndThatEndsByItselfIsReported(t *testing.T) {
	f := newFixture(t)
	p := f.adopt(t, "polite")
	if err := syscall.Kill(p.Pid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case failed := <-f.group.Failed():
		if failed != p || failed.Err() == nil {
			t.Errorf("%s has failed with %v", failed.Name(), failed.Err())
		}
	case <-time.After(patience):
		t.Fatal("nobody said that the process has ended")
	}
}

// adopt starts a process as a package does that knows the launcher alone, and takes it into the group.
func (f *fixture) adopt(t *testing.T, role string) *process.Process {
	t.Helper()
	ready := filepath.Join(f.folder, "adopted.ready")
	c := f.command("adopted", role, ready)
	launcher, err := f.group.Launcher(c.Name, c.Path)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(launcher)
	cmd.Env = append(os.Environ(), c.Env...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go cmd.Wait()
	await(t, "the process to be ready", func() bool { _, err := os.Stat(ready); return err == nil })
	p, err := f.group.Adopt(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestALauncherThatComesTooLateStartsNothing(t *testing.T) {
	f := newFixture(t)
	launcher, err := f.group.Launcher("late", "/bin/echo")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.group.KillAll(); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(launcher, "started").CombinedOutput(); err == nil || len(out) > 0 {
		t.Errorf("the launcher has printed %q, %v; want an error and nothing", out, err)
	}
}

func TestALauncherTakesAnyPathAndAnyArguments(t *testing.T) {
	f := newFixture(t)
	program := filepath.Join(f.folder, "it's $HOME")
	if err := os.Symlink("/bin/echo", program); err != nil {
		t.Fatal(err)
	}
	launcher, err := f.group.Launcher("odd", program)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(launcher, "two words", "$HOME").Output()
	if want := "two words $HOME\n"; err != nil || string(out) != want {
		t.Errorf("printed %q, %v, want %q", out, err, want)
	}
}

func TestNothingOutlivesAKilledParent(t *testing.T) {
	f := newFixture(t)
	inner := t.TempDir()
	c := f.command("parent", "parent", filepath.Join(inner, "ready"))
	c.Env = append(c.Env, "PRESSROOM_TEST_FOLDER="+inner)
	parent, err := f.group.Start(c)
	if err != nil {
		t.Fatal(err)
	}
	var address string
	await(t, "the child to listen", func() bool {
		text, err := os.ReadFile(filepath.Join(inner, "child.ready"))
		address = string(text)
		return err == nil && listens(address)
	})
	if err := f.group.Kill(parent); err != nil {
		t.Fatal(err)
	}
	await(t, "the child to die", func() bool { return !listens(address) })
}

func listens(address string) bool {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return false
	}
	conn.Close()
	return true
}

// records returns the process ids that a group has on record.
func records(t *testing.T, folder string) []int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.pid"))
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	return pids
}
