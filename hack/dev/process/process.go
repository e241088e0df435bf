package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// Command is a program to start.
type Command struct {
	// Name of the program, for people.
	Name string
	// Path of the binary, and its arguments.
	Path string
	Args []string
	// Env is added to the environment of this program.
	Env []string
	// Dir is the working directory; that of this program if it is empty.
	Dir string
	// Log is the file that takes both outputs.
	Log string
	// Grace is how long the program may take to stop before it is killed. Default: a minute.
	Grace time.Duration
}

// Process is a program that was started.
type Process struct {
	command Command
	cmd     *exec.Cmd
	began   time.Time
	// asked is set before this program ends the process.
	asked atomic.Bool
	// done is closed when the process has ended, with exit set.
	done chan struct{}
	exit error
}

// Pid returns the id of the process.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Began returns when the process was started.
func (p *Process) Began() time.Time { return p.began }

// Wait returns when the process has ended.
func (p *Process) Wait() { <-p.done }

func (p *Process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// Stop asks the program to stop, and waits until it has. The error says that it took longer than its grace and was killed, or that it
// ended with another exit status than 0, as a program does in which the race detector has found something.
func (p *Process) Stop() error {
	if p.ended() {
		return nil
	}
	grace := p.command.Grace
	if grace == 0 {
		grace = time.Minute
	}
	if err := p.signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case <-p.done:
	case <-time.After(grace):
		return errors.Join(p.error(fmt.Sprintf("has not stopped within %s", grace)), p.Kill())
	}
	if p.cmd.ProcessState.ExitCode() > 0 {
		return p.error("has not stopped in order")
	}
	return nil
}

// Kill kills the program, as a crash would, and waits until it has ended.
func (p *Process) Kill() error {
	err := p.signal(syscall.SIGKILL)
	if err == nil {
		<-p.done
	}
	return err
}

func (p *Process) signal(s syscall.Signal) error {
	p.asked.Store(true)
	if err := p.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stopping %s: %w", p.command.Name, err)
	}
	return nil
}

// AwaitReady calls ready until it returns nil, and gives up when the program or ctx has ended, and after 5 minutes: a program needs
// seconds on an idle machine, and far more on a busy one.
func (p *Process) AwaitReady(ctx context.Context, ready func(context.Context) error) error {
	const interval, patience = 100 * time.Millisecond, 5 * time.Minute
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("this takes longer than %s", patience))
	defer cancel()
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		err := ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-p.done:
			return p.error("has stopped by itself")
		case <-ctx.Done():
			return errors.Join(context.Cause(ctx), p.error("is not ready: "+err.Error()))
		case <-tick.C:
		}
	}
}

// Answers returns a function for AwaitReady: whether a GET of the URL is answered with 200.
func Answers(client *http.Client, url string) func(context.Context) error {
	const limit, shown = 2 * time.Second, 500
	return func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
		if err != nil {
			return err
		}
		response, err := client.Do(request)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		body, err := io.ReadAll(io.LimitReader(response.Body, shown))
		if err == nil && response.StatusCode != http.StatusOK {
			err = fmt.Errorf("%s: %s", response.Status, body)
		}
		return err
	}
}

// error returns how the program has ended, with the last lines of its log.
func (p *Process) error(what string) error {
	const lines, width = 8, 300
	text := p.command.Name + " " + what
	select {
	case <-p.done:
		if p.exit != nil {
			text += " (" + p.exit.Error() + ")"
		}
	default:
	}
	text += "; its log is " + p.command.Log
	// The message names the file, even if it cannot be read.
	log, _ := os.ReadFile(p.command.Log)
	all := strings.Split(strings.TrimSpace(string(log)), "\n")
	last := all[max(0, len(all)-lines):]
	for i, line := range last {
		last[i] = fmt.Sprintf("\n    | %.*s", width, line)
	}
	return errors.New(text + strings.Join(last, ""))
}
