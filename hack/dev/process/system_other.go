//go:build unix && !linux

package process

import (
	"context"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// attributes give the process a group of its own, so that a Ctrl-C at the terminal reaches this program alone, which then
// stops the others in order.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}

// lstartFields is the number of words in ps's lstart: "Thu Nov 20 11:44:05 2026".
const lstartFields = 5

// look asks the system about a process.
func look(pid int) (running, bool) {
	out, err := exec.CommandContext(context.Background(), "ps", "-ww", "-o", "lstart=,command=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return running{}, false
	}
	words := strings.Fields(string(out))
	if len(words) <= lstartFields {
		return running{}, false
	}
	return running{command: strings.Join(words[lstartFields:], " "), started: strings.Join(words[:lstartFields], " ")}, true
}
