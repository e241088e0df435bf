package process

import (
	"os"
	"strings"
)

const (
	// tailBytes is how much of the end of a log is searched for its last lines.
	tailBytes = 16 << 10
	// shownLines is how many of the last lines are shown, and shownBytes how much of each.
	shownLines = 8
	shownBytes = 300
)

// tail returns the last lines of a file, or none if it cannot be read: it only adds to a message that names the file.
func tail(path string) []string {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	text := strings.TrimSpace(string(data[max(0, len(data)-tailBytes):]))
	if text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	last := lines[max(0, len(lines)-shownLines):]
	for i, line := range last {
		if len(line) > shownBytes {
			last[i] = line[:shownBytes] + " ..."
		}
	}
	return last
}
