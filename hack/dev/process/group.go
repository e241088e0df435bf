// Package process starts processes that cannot outlive the program that started them, and stops them in order.
package process

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Group starts processes and stops them in the reverse order. If this program is killed, a guard kills them.
type Group struct {
	guard *guard
	// guardErr is why there is no guard, and so no process.
	guardErr error
	failed   chan *Process

	mu        sync.Mutex
	processes []*Process
	stopping  bool
}

// NewGroup makes a group with a folder of its own for its launchers and records. Stop ends it.
func NewGroup(folder string) *Group {
	g := &Group{failed: make(chan *Process, 1)}
	g.guard, g.guardErr = startGuard(folder)
	return g
}

// Launcher writes a script that becomes a program, for a package that starts it by its path alone. Adopt takes the process in.
func (g *Group) Launcher(name, program string) (string, error) {
	if g.guardErr != nil {
		return "", g.guardErr
	}
	return g.guard.launcher(name, program)
}

// Adopt takes in a process that another package has started by its launcher, and waits for.
func (g *Group) Adopt(c Command) (*Process, error) {
	if g.guardErr != nil {
		return nil, g.guardErr
	}
	text, err := os.ReadFile(g.guard.pidFile(c.Name))
	if err != nil {
		return nil, fmt.Errorf("%s was not started: %w", c.Name, err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return nil, fmt.Errorf("the process id of %s: %w", c.Name, err)
	}
	p := newProcess(c)
	if p.process, err = os.FindProcess(pid); err != nil {
		return nil, fmt.Errorf("finding %s (process %d): %w", c.Name, pid, err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.add(p, p.poll)
	return p, nil
}

// Start starts a process.
func (g *Group) Start(c Command) (*Process, error) {
	launcher, err := g.Launcher(c.Name, c.Path)
	if err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.stopping {
		return nil, fmt.Errorf("not starting %s: everything is being stopped", c.Name)
	}
	cmd, log, err := c.prepare(launcher)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", c.Name, err)
	}
	p := newProcess(c)
	p.process = cmd.Process
	g.add(p, cmd.Wait)
	return p, nil
}

// add makes a process a member of the group until it ends, which wait returns the state of.
func (g *Group) add(p *Process, wait func() error) {
	g.processes = append(g.processes, p)
	go func() {
		err := wait()
		// The record goes before anybody can start another process of that name.
		p.end(errors.Join(err, g.guard.forget(p.command.Name)))
		if p.Err() == nil {
			return
		}
		select {
		case g.failed <- p:
		default:
		}
	}()
}

// Failed delivers the first process that has ended without being asked to.
func (g *Group) Failed() <-chan *Process { return g.failed }

// KillAll kills every process, also one that is just being started, and makes later starts fail.
func (g *Group) KillAll() error {
	if g.guard == nil {
		return nil
	}
	return g.guard.fire()
}

// Stop stops all processes, the last one started first, each within its grace. It returns when none is left, with an error
// if one has not stopped in order.
func (g *Group) Stop() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.stopping {
		return nil
	}
	g.stopping = true
	var errs []error
	for _, p := range slices.Backward(g.processes) {
		errs = append(errs, p.stop())
	}
	return errors.Join(append(errs, g.KillAll())...)
}

// StopOne stops one process of the group and leaves the others running. It returns an error if the process has not stopped in
// order.
func (g *Group) StopOne(p *Process) error {
	g.remove(p)
	return p.stop()
}

// Kill kills one process of the group, as a crash would, and leaves the others running.
func (g *Group) Kill(p *Process) error {
	g.remove(p)
	p.expectEnd()
	return p.kill()
}

func (g *Group) remove(p *Process) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.processes = slices.DeleteFunc(g.processes, func(other *Process) bool { return other == p })
}

// stop asks the process to stop and waits for its end.
func (p *Process) stop() error {
	select {
	case <-p.done:
		// It has ended by itself, which is its Err.
		return nil
	default:
	}
	p.expectEnd()
	if err := p.signal(syscall.SIGTERM); err != nil {
		return err
	}
	grace := time.NewTimer(p.command.Grace)
	defer grace.Stop()
	select {
	case <-p.done:
		return p.order()
	case <-grace.C:
		if err := p.kill(); err != nil {
			return err
		}
		return p.exitError(fmt.Sprintf("has not stopped within %s", p.command.Grace), p.state)
	}
}

func (p *Process) kill() error {
	if err := p.signal(syscall.SIGKILL); err != nil {
		return err
	}
	<-p.done
	return nil
}
