package testkit

import (
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/internal/testenv"
)

// Command is a line that a page of the documentation has people type, with the output that the page shows.
type Command struct{ Line, Output string }

// CommandsOf returns the commands in the console blocks of a section of a page, in their order.
func CommandsOf(page, section string) []Command {
	GinkgoHelper()
	data, err := os.ReadFile(filepath.Join(testenv.Root(), "docs", page))
	Expect(err).NotTo(HaveOccurred())
	_, text, found := strings.Cut(string(data), "\n## "+section+"\n")
	Expect(found).To(BeTrue(), section)
	text, _, _ = strings.Cut(text, "\n## ")
	var commands []Command
	shown := false
	for line := range strings.SplitSeq(text, "\n") {
		switch after, typed := strings.CutPrefix(line, "$ "); {
		case line == "```console":
			shown = true
		case line == "```":
			shown = false
		case shown && typed:
			commands = append(commands, Command{Line: after})
		case shown:
			commands[len(commands)-1].Output += line + "\n"
		}
	}
	return commands
}
