package process

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
)

// guard is a shell that outlives this program by a moment: when this program ends, however it ends, the guard kills what was
// started by a launcher and has not ended. The kernel could do the same on Linux alone, and only for direct children.
type guard struct {
	folder string
	cmd    *exec.Cmd
	// input is a pipe that the kernel closes if this program does not.
	input io.Closer
	// fire kills everything that is recorded, and ends the guard. It does so once.
	fire func() error
}

// guardScript kills every process with a pid file. The file "closed" comes first: a launcher that has not yet written its pid
// file sees it and ends by itself.
const guardScript = `trap '' INT TERM HUP
while read -r line; do :; done
: >closed
for file in *.pid; do
	[ ! -e "$file" ] || kill -9 "$(cat "$file")"
done`

// startGuard starts a guard for the launchers in an empty folder.
func startGuard(folder string) (*guard, error) {
	if err := errors.Join(os.RemoveAll(folder), os.MkdirAll(folder, 0o700)); err != nil {
		return nil, fmt.Errorf("making the folder of the guard: %w", err)
	}
	// No context: the guard ends when its input does.
	cmd := &exec.Cmd{
		Path: "/bin/sh", Args: []string{"sh", "-c", guardScript}, Dir: folder,
		// A Ctrl-C at the terminal reaches the foreground process group, which this program alone is in.
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true},
	}
	input, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("starting the guard: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the guard: %w", err)
	}
	g := &guard{folder: folder, cmd: cmd, input: input}
	g.fire = sync.OnceValue(g.end)
	return g, nil
}

func (g *guard) pidFile(name string) string { return filepath.Join(g.folder, name+".pid") }

// launcher writes a script that records its process id and becomes the program.
func (g *guard) launcher(name, program string) (string, error) {
	script := filepath.Join(g.folder, name)
	text := "#!/bin/sh\n" +
		`echo $$ >"${0%/*}/` + name + ".pid\"\n" +
		`[ ! -e "${0%/*}/closed" ] || exit 1` + "\n" +
		"exec '" + strings.ReplaceAll(program, "'", `'\''`) + `' "$@"` + "\n"
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil { //nolint:gosec // a script must be executable
		return "", fmt.Errorf("writing the launcher of %s: %w", name, err)
	}
	return script, nil
}

// forget drops the record of a process that has ended.
func (g *guard) forget(name string) error {
	if err := os.Remove(g.pidFile(name)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("removing the record of %s: %w", name, err)
	}
	return nil
}

// end ends the guard's input and waits until it has killed everything.
func (g *guard) end() error {
	if err := g.input.Close(); err != nil {
		return fmt.Errorf("ending the guard: %w", err)
	}
	// Its exit status is that of its last command, which may have met a process that had just ended.
	_ = g.cmd.Wait()
	return nil
}
