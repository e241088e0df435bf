// Package process starts processes that cannot outlive the program that started them, and stops them in order.
package process

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"time"
)

// Group starts processes and stops them in the reverse order. Should this program be killed, the kernel kills them too
// (Linux), and on every system a later start finds what is left by the records in the group's folder.
type Group struct {
	records string
	starts  chan startRequest
	failed  chan *Process

	mu        sync.Mutex
	processes []*Process
	stopping  bool
	hurry     chan struct{}
	hurryOnce sync.Once
}

type startRequest struct {
	start  func() error
	result chan error
}

// NewGroup makes a group that records its processes in a folder. Stop ends it.
func NewGroup(records string) *Group {
	g := &Group{
		records: records,
		starts:  make(chan startRequest),
		failed:  make(chan *Process, 1),
		hurry:   make(chan struct{}),
	}
	go g.spawn()
	return g
}

// spawn starts every process from one thread that lives as long as the group: Linux takes the end of the thread that forked
// for the end of the parent.
func (g *Group) spawn() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for request := range g.starts {
		request.result <- request.start()
	}
}

// Start starts a process and records it.
func (g *Group) Start(c Command) (*Process, error) {
	if c.Grace == 0 {
		c.Grace = DefaultGrace
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.stopping {
		return nil, fmt.Errorf("not starting %s: everything is being stopped", c.Name)
	}
	cmd, log, err := c.prepare()
	if err != nil {
		return nil, err
	}
	defer log.Close()
	request := startRequest{start: cmd.Start, result: make(chan error)}
	g.starts <- request
	if err := <-request.result; err != nil {
		return nil, fmt.Errorf("starting %s: %w", c.Name, err)
	}
	p := &Process{command: c, cmd: cmd, done: make(chan struct{}), expected: make(chan struct{})}
	g.processes = append(g.processes, p)
	go g.watch(p)
	return p, writeRecord(g.records, c, p.Pid())
}

// watch reports the first process that ends by itself.
func (g *Group) watch(p *Process) {
	p.wait()
	if p.Err() == nil {
		return
	}
	select {
	case g.failed <- p:
	default:
	}
}

// Failed delivers the first process that has ended without being asked to.
func (g *Group) Failed() <-chan *Process { return g.failed }

// Hurry makes a Stop, now or later, kill what it would wait for.
func (g *Group) Hurry() { g.hurryOnce.Do(func() { close(g.hurry) }) }

// Stop stops all processes, the last one started first, each within its grace. It returns when none is left, with an error
// where one has not stopped in order.
func (g *Group) Stop() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.stopping {
		return nil
	}
	g.stopping = true
	close(g.starts)
	var errs []error
	for _, p := range slices.Backward(g.processes) {
		errs = append(errs, g.stopOne(p))
	}
	return errors.Join(errs...)
}

// StopOne stops one process of the group and leaves the others running. It returns an error where the process has not stopped
// in order.
func (g *Group) StopOne(p *Process) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.processes = slices.DeleteFunc(g.processes, func(other *Process) bool { return other == p })
	return g.stopOne(p)
}

// Kill kills one process of the group, as a crash would, and leaves the others running.
func (g *Group) Kill(p *Process) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.processes = slices.DeleteFunc(g.processes, func(other *Process) bool { return other == p })
	p.expectEnd()
	return errors.Join(p.kill(), removeRecord(g.records, p.command.Name))
}

func (p *Process) kill() error {
	if err := p.signal(syscall.SIGKILL); err != nil {
		return err
	}
	<-p.done
	return nil
}

func (p *Process) expectEnd() {
	select {
	case <-p.done:
	default:
		close(p.expected)
	}
}

func (g *Group) stopOne(p *Process) error {
	select {
	case <-p.done:
		// It has ended by itself, which is its Err.
		return removeRecord(g.records, p.command.Name)
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
		return errors.Join(p.order(), removeRecord(g.records, p.command.Name))
	case <-grace.C:
		late := p.kill()
		if late == nil {
			late = p.exitError(fmt.Sprintf("has not stopped within %s", p.command.Grace), p.state)
		}
		return errors.Join(late, removeRecord(g.records, p.command.Name))
	case <-g.hurry:
		return errors.Join(p.kill(), removeRecord(g.records, p.command.Name))
	}
}
