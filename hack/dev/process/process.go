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

// DefaultGrace is how long a process may take to stop where its Command sets nothing.
const DefaultGrace = time.Minute

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

// Process is one that a Group has started.
type Process struct {
	command  Command
	cmd      *exec.Cmd
	done     chan struct{}
	expected chan struct{}
	// state is how the process ended, as the system says; err the same as a failure. Both are set before done is closed.
	state, err error
}

// Name returns the name of the command.
func (p *Process) Name() string { return p.command.Name }

// Pid returns the id of the process.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Done is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err says, once Done is closed, how the process ended: nil where it was asked to stop, else an *ExitError.
func (p *Process) Err() error {
	select {
	case <-p.expected:
		return nil
	default:
		return p.err
	}
}

// ExitError is the end of a process that nobody asked to stop, or that did not stop in order when asked.
type ExitError struct {
	Name string
	// How it ended, in words that follow the name.
	How string
	Log string
	// Tail holds the last lines of the log.
	Tail []string
	Err  error
}

func (e *ExitError) Error() string {
	text := e.Name + " " + e.How
	if e.Err != nil {
		text += " (" + e.Err.Error() + ")"
	}
	return text + "; " + logEnd(e.Log, e.Tail)
}

func logEnd(log string, lines []string) string {
	return strings.Join(append([]string{"its log is " + log}, lines...), "\n    | ")
}

func (e *ExitError) Unwrap() error { return e.Err }

// prepare makes the exec.Cmd, with the log opened as its output.
func (c Command) prepare() (*exec.Cmd, *os.File, error) {
	if err := os.MkdirAll(filepath.Dir(c.Log), 0o700); err != nil {
		return nil, nil, fmt.Errorf("making the folder of the log of %s: %w", c.Name, err)
	}
	if err := os.Rename(c.Log, c.Log+".1"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, nil, fmt.Errorf("keeping the last log of %s: %w", c.Name, err)
	}
	log, err := os.OpenFile(c.Log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, nil, fmt.Errorf("opening the log of %s: %w", c.Name, err)
	}
	// The process outlives every context that could be given here: its group ends it.
	cmd := &exec.Cmd{
		Path:        c.Path,
		Args:        append([]string{c.Path}, c.Args...),
		Env:         append(os.Environ(), c.Env...),
		Stdout:      log,
		Stderr:      log,
		SysProcAttr: attributes(),
	}
	return cmd, log, nil
}

// wait takes the process's end.
func (p *Process) wait() {
	err := p.cmd.Wait()
	p.state, p.err = err, p.exitError("has stopped by itself", err)
	close(p.done)
}

func (p *Process) exitError(how string, err error) *ExitError {
	return &ExitError{Name: p.command.Name, How: how, Log: p.command.Log, Tail: tail(p.command.Log, shownLines), Err: err}
}

// order returns an error where a process that was asked to stop has ended badly: with another exit status than 0, as one does
// in which the race detector has found something. To end by the signal itself is fine.
func (p *Process) order() error {
	if p.state == nil {
		return nil
	}
	status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if ok && status.Signaled() && status.Signal() == syscall.SIGTERM {
		return nil
	}
	return p.exitError("has not stopped in order", p.state)
}

// signal sends a signal; a process that has ended needs none.
func (p *Process) signal(s syscall.Signal) error {
	if err := p.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stopping %s (process %d): %w", p.command.Name, p.Pid(), err)
	}
	return nil
}

// LogEnd says, for a message, where the process's log is and what its last lines are.
func (p *Process) LogEnd() string { return logEnd(p.command.Log, tail(p.command.Log, shownLines)) }
