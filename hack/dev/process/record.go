package process

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Record says which process was started, well enough to tell it from another that has got its id since.
type Record struct {
	Name    string   `json:"name"`
	Pid     int      `json:"pid"`
	Command []string `json:"command"`
	// Started is the system's own mark of when the process began: a text that is only compared.
	Started string `json:"started"`
}

const recordSuffix = ".pid.json"

func recordPath(folder, name string) string { return filepath.Join(folder, name+recordSuffix) }

func writeRecord(folder string, c Command, pid int) error {
	running, ok := look(pid)
	if !ok {
		// It has ended already, which is reported as its failure.
		return nil
	}
	record := Record{Name: c.Name, Pid: pid, Command: append([]string{c.Path}, c.Args...), Started: running.started}
	data, err := json.MarshalIndent(record, "", "  ")
	if err != nil {
		return fmt.Errorf("recording %s: %w", c.Name, err)
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("recording %s: %w", c.Name, err)
	}
	// Whoever reads meanwhile finds all of it or nothing.
	whole := recordPath(folder, c.Name)
	if err := errors.Join(os.WriteFile(whole+".new", data, 0o600), os.Rename(whole+".new", whole)); err != nil {
		return fmt.Errorf("recording %s: %w", c.Name, err)
	}
	return nil
}

func removeRecord(folder, name string) error {
	if err := os.Remove(recordPath(folder, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("removing the record of %s: %w", name, err)
	}
	return nil
}

// running is what the system says of a process.
type running struct {
	command string
	started string
}

// left reports whether the recorded process still runs: same id, same command line, begun at the same moment. One whose
// command line only looks alike is somebody else's.
func (r Record) left() bool {
	now, ok := look(r.Pid)
	return ok && now.started == r.Started && now.command == commandLine(r.Command)
}

// commandLine joins a command as look reports it.
func commandLine(command []string) string { return strings.Join(command, " ") }

// Left returns the processes recorded in a folder that still run, and forgets the others. Whoever asks must hold the lock
// of the folder, else it finds those of a neighbour that is alive.
func Left(folder string) ([]Record, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*"+recordSuffix))
	if err != nil {
		return nil, fmt.Errorf("looking for processes of an earlier run: %w", err)
	}
	var left []Record
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("reading the record of an earlier run: %w", err)
		}
		var record Record
		// A record cut off by a crash names nothing that could be stopped safely.
		if json.Unmarshal(data, &record) == nil && record.left() {
			left = append(left, record)
			continue
		}
		if err := os.Remove(file); err != nil {
			return nil, fmt.Errorf("forgetting a process of an earlier run: %w", err)
		}
	}
	return left, nil
}

// StopLeft stops processes that Left has found, by their ids, and kills what does not stop within a grace. Each is looked at
// again right before a signal is sent to it.
func StopLeft(folder string, left []Record, grace time.Duration) error {
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		for _, r := range left {
			if !r.left() {
				continue
			}
			if err := syscall.Kill(r.Pid, s); err != nil && !errors.Is(err, syscall.ESRCH) {
				return fmt.Errorf("stopping %s of an earlier run (process %d): %w", r.Name, r.Pid, err)
			}
		}
		left = awaitEnd(left, grace)
	}
	if len(left) > 0 {
		return fmt.Errorf("%s of an earlier run (process %d) does not stop", left[0].Name, left[0].Pid)
	}
	_, err := Left(folder)
	return err
}

// awaitEnd waits until none is left or the grace is over, and returns who is. They are no children of this process, so that
// looking is the only way.
func awaitEnd(left []Record, grace time.Duration) []Record {
	deadline := time.After(grace)
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		left = slices.DeleteFunc(slices.Clone(left), func(r Record) bool { return !r.left() })
		if len(left) == 0 {
			return nil
		}
		select {
		case <-tick.C:
		case <-deadline:
			return left
		}
	}
}
