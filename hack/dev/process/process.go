package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// DefaultGrace is how long a process may take to stop if its Command sets nothing.
const DefaultGrace = time.Minute

// pollInterval is how often a process that another package waits for is looked at.
const pollInterval = 100 * time.Millisecond

// Command says what to start.
type Command struct {
	// Name of the process, for people and for the names of its files.
	Name string
	// Path of the binary, and its arguments.
	Path string
	Args []string
	// Env is added to the environment of this process.
	Env []string
	// Log is the file that takes both outputs. The one of the start before is kept beside it as <Log>.1.
	Log string
	// Grace is how long the process may take to stop before it is killed.
	Grace time.Duration
}

// Process is a member of a Group.
type Process struct {
	command  Command
	process  *os.Process
	done     chan struct{}
	expected chan struct{}
	// state is the exit status as an error, if there is one. It is set before done is closed.
	state error
}

func newProcess(c Command) *Process {
	if c.Grace == 0 {
		c.Grace = DefaultGrace
	}
	return &Process{command: c, done: make(chan struct{}), expected: make(chan struct{})}
}

// Name returns the name of the command.
func (p *Process) Name() string { return p.command.Name }

// Pid returns the id of the process.
func (p *Process) Pid() int { return p.process.Pid }

// Done is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err returns, once Done is closed, nil if the process was asked to stop, else an *ExitError.
func (p *Process) Err() error {
	select {
	case <-p.expected:
		return nil
	default:
		return p.exitError("has stopped by itself", p.state)
	}
}

// ExitError is the end of a process that nobody asked to stop, or that did not stop in order when asked.
type ExitError struct {
	Name string
	// How it ended, in words that follow the name.
	How string
	// LogEnd names the log, with its last lines.
	LogEnd string
	Err    error
}

func (e *ExitError) Error() string {
	text := e.Name + " " + e.How
	if e.Err != nil {
		text += " (" + e.Err.Error() + ")"
	}
	return text + "; " + e.LogEnd
}

func (e *ExitError) Unwrap() error { return e.Err }

func (p *Process) exitError(how string, err error) *ExitError {
	return &ExitError{Name: p.command.Name, How: how, LogEnd: p.LogEnd(), Err: err}
}

// OpenLog opens the log for a new start, and keeps the one of the start before.
func (c Command) OpenLog() (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(c.Log), 0o700); err != nil {
		return nil, fmt.Errorf("making the folder of the log of %s: %w", c.Name, err)
	}
	if err := os.Rename(c.Log, c.Log+".1"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("keeping the last log of %s: %w", c.Name, err)
	}
	log, err := os.OpenFile(c.Log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("opening the log of %s: %w", c.Name, err)
	}
	return log, nil
}

// prepare makes the exec.Cmd, with the log opened as its output.
func (c Command) prepare(launcher string) (*exec.Cmd, *os.File, error) {
	log, err := c.OpenLog()
	if err != nil {
		return nil, nil, err
	}
	// The process outlives every context that could be given here: its group ends it.
	return &exec.Cmd{
		Path: "/bin/sh",
		Args: append([]string{"sh", launcher}, c.Args...),
		Env:  append(os.Environ(), c.Env...),
		// In a process group of its own, a Ctrl-C at the terminal does not reach it: this program stops the processes in order.
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true},
		Stdout:      log,
		Stderr:      log,
	}, log, nil
}

// poll returns when the process has ended. Whoever has started it takes its exit status.
func (p *Process) poll() error {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for !p.Ended() {
		<-tick.C
	}
	return nil
}

// Ended reports whether the process has ended, which Done may report a moment later.
func (p *Process) Ended() bool { return p.process.Signal(syscall.Signal(0)) != nil }

func (p *Process) end(state error) {
	p.state = state
	close(p.done)
}

func (p *Process) expectEnd() {
	select {
	case <-p.done:
	default:
		close(p.expected)
	}
}

// order returns an error if a process that was asked to stop has ended badly: with another exit status than 0, as one does in
// which the race detector has found something. To end by the signal itself, or by KillAll, is fine.
func (p *Process) order() error {
	if p.state == nil {
		return nil
	}
	if exit, ok := errors.AsType[*exec.ExitError](p.state); ok {
		status, ok := exit.Sys().(syscall.WaitStatus)
		if ok && status.Signaled() && (status.Signal() == syscall.SIGTERM || status.Signal() == syscall.SIGKILL) {
			return nil
		}
	}
	return p.exitError("has not stopped in order", p.state)
}

// signal sends a signal; a process that has ended needs none.
func (p *Process) signal(s syscall.Signal) error {
	if err := p.process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stopping %s (process %d): %w", p.command.Name, p.Pid(), err)
	}
	return nil
}

// LogEnd names, for a message, the process's log, with its last lines.
func (p *Process) LogEnd() string {
	return strings.Join(append([]string{"its log is " + p.command.Log}, tail(p.command.Log)...), "\n    | ")
}
