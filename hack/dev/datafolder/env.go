package datafolder

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Variable is one shell assignment.
type Variable struct{ Name, Value string }

// WriteEnv writes shell assignments for `. file`, readable only by the owner. A reader never sees a part of them.
func WriteEnv(path string, variables []Variable) error {
	var b strings.Builder
	b.WriteString("# Written by `make run`. Use it with: . " + Quote(path) + "\n")
	for _, v := range variables {
		b.WriteString("export " + v.Name + "=" + Quote(v.Value) + "\n")
	}
	return writeFile(path, []byte(b.String()))
}

// writeFile replaces a file in one step.
func writeFile(path string, data []byte) error {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	_, err = file.Write(data)
	err = errors.Join(err, file.Close())
	if err == nil {
		// CreateTemp makes files that only the owner may read and write.
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, errors.Join(err, os.Remove(file.Name())))
	}
	return nil
}

// Quote quotes a value for a POSIX shell.
func Quote(value string) string {
	return "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
}

// ReadEnv returns the value of a variable in a file of WriteEnv, or "" if the file or the variable is missing.
func ReadEnv(path, name string) (string, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", path, err)
	}
	for line := range strings.Lines(string(data)) {
		quoted, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "export "+name+"=")
		if ok && len(quoted) >= 2 && strings.HasPrefix(quoted, "'") && strings.HasSuffix(quoted, "'") {
			return strings.ReplaceAll(quoted[1:len(quoted)-1], `'\''`, "'"), nil
		}
	}
	return "", nil
}
