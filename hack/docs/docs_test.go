//go:build e2e

package docs

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/test/docpage"
)

// Anyone who reads the documentation copies its commands. They run in the order of their page, and print what the page shows.
func TestTheCommandsOfTheDocs(t *testing.T) {
	s := startSystem(t)
	for _, p := range pages {
		if len(p.here(t)) > 0 {
			t.Run(filepath.Base(p.file), func(t *testing.T) { s.follow(t, p) })
		}
	}
}

func commandsOf(t *testing.T, page string) []docpage.Command {
	t.Helper()
	commands, err := docpage.Commands(page)
	if err != nil {
		t.Fatal(err)
	}
	return commands
}

// here returns the commands of the page that run here, and refuses entries of its lists that match nothing.
func (p page) here(t *testing.T) []docpage.Command {
	t.Helper()
	all := commandsOf(t, p.file)
	if p.elsewhere != "" {
		return nil
	}
	for section, where := range p.sectionsElsewhere {
		if !slices.ContainsFunc(all, func(c docpage.Command) bool { return c.Section == section }) {
			t.Errorf("%s has no section %q with commands, which would be run by %s", p.file, section, where)
		}
	}
	for _, list := range []map[string]string{p.notHere, keysOf(p.before), keysOf(p.exits)} {
		for beginning := range list {
			if !slices.ContainsFunc(all, func(c docpage.Command) bool { return strings.HasPrefix(c.Text, beginning) }) {
				t.Errorf("%s has no command that begins with %q", p.file, beginning)
			}
		}
	}
	return slices.DeleteFunc(all, func(c docpage.Command) bool {
		return p.sectionsElsewhere[c.Section] != "" || valueOf(p.notHere, c.Text) != ""
	})
}

func keysOf[V any](list map[string]V) map[string]string {
	keys := map[string]string{}
	for key := range list {
		keys[key] = key
	}
	return keys
}

// valueOf returns the value of the key that a command begins with.
func valueOf[V any](list map[string]V, command string) (value V) {
	for beginning, v := range list {
		if strings.HasPrefix(command, beginning) {
			return v
		}
	}
	return value
}
