package process

import (
	"os"
	"strings"
)

// tailBytes is how much of the end of a log is looked at for its last lines.
const tailBytes = 16 << 10

// shownLines is how many of the last lines are shown.
const shownLines = 8

// maxLine is how much of one line is shown.
const maxLine = 300

// tail returns the last lines of a file, none where it cannot be read: it only adds to a message that names the file.
func tail(path string, lines int) []string {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil
	}
	start := max(0, info.Size()-tailBytes)
	data := make([]byte, info.Size()-start)
	if _, err := file.ReadAt(data, start); err != nil {
		return nil
	}
	all := strings.Split(strings.TrimSpace(string(data)), "\n")
	if len(all) == 1 && all[0] == "" {
		return nil
	}
	last := all[max(0, len(all)-lines):]
	for i, line := range last {
		if len(line) > maxLine {
			last[i] = line[:maxLine] + " ..."
		}
	}
	return last
}
