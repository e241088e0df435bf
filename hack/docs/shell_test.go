//go:build e2e

package docs

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// shell is one that stays: variables, functions and the folder of a command are there for the next one.
type shell struct {
	process *exec.Cmd
	in      io.WriteCloser
	// codes are the exit codes of commands.
	codes *bufio.Reader
	pipe  *os.File
	// folder has the files of the last command: what is run, and what it prints.
	folder string
}

// printed is what a command has printed, and its exit code.
type printed struct {
	out, problems string
	code          int
}

// newShell starts a POSIX shell in a folder.
func newShell(t *testing.T, folder string, env ...string) *shell {
	t.Helper()
	s := &shell{folder: t.TempDir(), process: exec.CommandContext(t.Context(), "sh")}
	pipe, codes, err := os.Pipe()
	must(t, err)
	s.pipe, s.codes = pipe, bufio.NewReader(pipe)
	s.process.Dir, s.process.Env, s.process.ExtraFiles = folder, append(os.Environ(), env...), []*os.File{codes}
	// What a command leaves running ends with the shell.
	s.process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	s.process.Cancel = func() error { return syscall.Kill(-s.process.Process.Pid, syscall.SIGKILL) }
	s.in, err = s.process.StdinPipe()
	must(t, err)
	must(t, s.process.Start())
	must(t, codes.Close())
	t.Cleanup(func() {
		must(t, s.process.Cancel())
		if err := s.process.Wait(); err == nil {
			t.Error("the shell has ended before it was killed")
		}
		must(t, pipe.Close())
	})
	return s
}

func (s *shell) path(name string) string { return filepath.Join(s.folder, name) }

// run runs a command as it stands.
func (s *shell) run(command string) (printed, error) {
	if err := os.WriteFile(s.path("command"), []byte(command+"\n"), 0o600); err != nil {
		return printed{}, err
	}
	_, err := fmt.Fprintf(s.in, ". '%s' >'%s' 2>'%s' </dev/null; echo $? >&3\n", s.path("command"), s.path("out"), s.path("problems"))
	if err != nil {
		return printed{}, err
	}
	if err := s.pipe.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return printed{}, err
	}
	line, readErr := s.codes.ReadString('\n')
	var p printed
	for name, text := range map[string]*string{"out": &p.out, "problems": &p.problems} {
		data, err := os.ReadFile(s.path(name))
		if err != nil {
			return p, err
		}
		*text = string(data)
	}
	if readErr != nil {
		return p, fmt.Errorf("the shell has ended, or the command takes longer than %s: %w: %s%s", patience, readErr, p.out, p.problems)
	}
	p.code, err = strconv.Atoi(strings.TrimSpace(line))
	return p, err
}
