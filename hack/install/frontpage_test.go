//go:build e2e

package install

import (
	"testing"

	"github.com/pressroom-dev/pressroom/test/docpage"
)

// The tutorial promises a published article after six commands. They run as they are written; only the Pods are processes.
func TestTheFrontPage(t *testing.T) {
	cp, binary := sharedControlPlane(t), pressroom(t)
	commands := commandsOf(t, "docs/tutorials/first-article-in-a-cluster.md", "From nothing to a published article")
	if len(commands) != 6 {
		t.Fatalf("there are %d commands, want 6: %q", len(commands), commands)
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
