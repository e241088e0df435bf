package process

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// attributes give the process a group of its own, so that a Ctrl-C at the terminal reaches this program alone, which then
// stops the others in order; and let the kernel kill it should this program die without having done so.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// startField is the place of starttime behind the name in /proc/<pid>/stat (proc_pid_stat(5): field 22, where the name is 2).
const startField = 19

// look asks the system about a process. One that has ended and only waits to be collected counts as gone.
func look(pid int) (running, bool) {
	folder := "/proc/" + strconv.Itoa(pid)
	stat, err := os.ReadFile(filepath.Join(folder, "stat"))
	if err != nil {
		return running{}, false
	}
	// The name, in brackets, may itself hold spaces and brackets.
	_, behind, ok := cutLast(string(stat), ")")
	fields := strings.Fields(behind)
	if !ok || len(fields) <= startField || fields[0] == "Z" || fields[0] == "X" {
		return running{}, false
	}
	command, err := os.ReadFile(filepath.Join(folder, "cmdline"))
	if err != nil {
		return running{}, false
	}
	line := strings.ReplaceAll(strings.TrimRight(string(command), "\x00"), "\x00", " ")
	return running{command: line, started: fields[startField]}, true
}

func cutLast(s, separator string) (before, after string, found bool) {
	i := strings.LastIndex(s, separator)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(separator):], true
}
