//go:build e2e

package install

import (
	"slices"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/test/docpage"
)

// The tutorial promises a published article after these commands. They run as they are written; only the Pods are processes.
func TestTheFrontPage(t *testing.T) {
	cp, binary := sharedControlPlane(t), pressroom(t)
	commands := frontPageCommands(t)
	if len(commands) != 7 {
		t.Fatalf("there are %d commands, want 7: %q", len(commands), commands)
	}
	for i, command := range commands {
		cp.run(t, "sh", "-euc", command)
		if i == 0 {
			cp.runPods(t, binary, systemNamespace)
		}
	}
	if got := cp.run(t, "kubectl", "get", "article", "first", "-n", "acme-blog", "-o", "jsonpath={.status.phase}"); got != "Published" {
		t.Errorf("the article is %s", got)
	}
}

// frontPageCommands are those of the tutorial without the one that waits for Pods, of which there are none.
func frontPageCommands(t *testing.T) []string {
	t.Helper()
	all := commandsOf(t, "docs/tutorials/first-article-in-a-cluster.md", "From nothing to a published article")
	return slices.DeleteFunc(all, func(c string) bool { return strings.HasPrefix(c, "kubectl rollout status ") })
}

// commandsOf returns the commands of a section of a page, or of the whole page if the section is empty.
func commandsOf(t *testing.T, page, section string) (commands []string) {
	t.Helper()
	all, err := docpage.Commands(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		if section == "" || c.Section == section {
			commands = append(commands, c.Text)
		}
	}
	if len(commands) == 0 {
		t.Fatalf("%s has no commands in the section %q", page, section)
	}
	return commands
}
