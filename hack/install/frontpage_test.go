package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/testenv"
)

// The front page promises a published article after six commands. They run as they are written; only the Pods are processes.
func TestTheFrontPage(t *testing.T) {
	w, binary := newWorld(t), pressroom(t)
	commands := commandsOf(t, "README.md", "From nothing to a published article")
	if len(commands) != 6 {
		t.Fatalf("there are %d commands, want 6: %q", len(commands), commands)
	}
	for i, command := range commands {
		w.run(t, "sh", "-euc", command)
		if i == 0 {
			w.runPods(t, binary, systemNamespace)
		}
	}
	if got := w.run(t, "kubectl", "get", "article", "first", "-n", "acme-blog", "-o", "jsonpath={.status.phase}"); got != "Published" {
		t.Errorf("the article is %s", got)
	}
}

// commandsOf returns the commands in the shell blocks of a section, without their comments.
func commandsOf(t *testing.T, page, section string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testenv.Root(), page))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "\n## "+section+"\n")
	if !found {
		t.Fatalf("%s has no section %q", page, section)
	}
	rest, _, _ = strings.Cut(rest, "\n## ")
	var commands []string
	for _, block := range strings.Split(rest, "```sh\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		commands = append(commands, commandsIn(block)...)
	}
	return commands
}

// commandsIn returns the commands of a block: its lines, joined where they are continued, without comments.
func commandsIn(block string) (commands []string) {
	for line := range strings.SplitSeq(strings.ReplaceAll(block, "\\\n", " "), "\n") {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			commands = append(commands, line)
		}
	}
	return commands
}
