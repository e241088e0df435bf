// Package process starts programs that end with this one, however it ends.
package process

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"
)

// Group is a process group of the system. Its leader is a shell, the guard, which reads from a pipe that this program holds open: when
// this program has ended, even by SIGKILL, the guard kills the whole group.
type Group struct {
	guard  *exec.Cmd
	pipe   io.Closer
	failed chan error

	mu        sync.Mutex
	processes []*Process
}

// NewGroup starts the guard. Stop ends it.
func NewGroup() (*Group, error) {
	g := &Group{failed: make(chan error, 1), guard: &exec.Cmd{
		Path: "/bin/sh", Args: []string{"sh", "-c", "trap '' INT TERM HUP; read -r _; kill -9 0"},
		// A Ctrl-C at the terminal does not reach this group: the programs are stopped in order.
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true},
	}}
	var err error
	if g.pipe, err = g.guard.StdinPipe(); err == nil {
		err = g.guard.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("starting the guard: %w", err)
	}
	return g, nil
}

// Start starts a program. One that was started before, and has ended, keeps its place in the order: those that use it stop before it.
func (g *Group) Start(c Command) (*Process, error) {
	log, err := c.openLog()
	if err != nil {
		return nil, fmt.Errorf("opening the log of %s: %w", c.Name, err)
	}
	defer log.Close()
	p := &Process{command: c, done: make(chan struct{}), cmd: &exec.Cmd{
		Path: c.Path, Args: append([]string{c.Path}, c.Args...), Env: append(os.Environ(), c.Env...), Dir: c.Dir, Stdout: log, Stderr: log,
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true, Pgid: g.guard.Process.Pid},
	}}
	p.began = time.Now()
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", c.Name, err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	before := slices.IndexFunc(g.processes, func(other *Process) bool { return other.command.Name == c.Name && other.ended() })
	if before >= 0 {
		g.processes[before] = p
	} else {
		g.processes = append(g.processes, p)
	}
	go func() {
		p.exit = p.cmd.Wait()
		close(p.done)
		if !p.asked.Load() {
			select {
			case g.failed <- p.error("has stopped by itself"):
			default:
			}
		}
	}()
	return p, nil
}

// openLog opens the log of a new start. The log of the start before is at <Log>.1.
func (c Command) openLog() (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(c.Log), 0o700); err != nil {
		return nil, err
	}
	if err := os.Rename(c.Log, c.Log+".1"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	return os.OpenFile(c.Log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
}

// Failed delivers the error of the first program that has ended without being asked to.
func (g *Group) Failed() <-chan error { return g.failed }

// Stop stops all programs, the last one started first, and then the guard. Its error names those that did not stop in order.
func (g *Group) Stop() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	var errs []error
	for _, p := range slices.Backward(g.processes) {
		errs = append(errs, p.Stop())
	}
	g.processes = nil
	errs = append(errs, g.pipe.Close())
	// The guard kills itself.
	_ = g.guard.Wait()
	return errors.Join(errs...)
}
