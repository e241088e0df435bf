package testkit

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/test/docpage"
)

// CommandsOf returns the commands that a section of a page has people type, in their order.
func CommandsOf(page, section string) []docpage.Command {
	GinkgoHelper()
	all, err := docpage.Commands(page)
	Expect(err).NotTo(HaveOccurred())
	commands := slices.DeleteFunc(all, func(c docpage.Command) bool { return c.Section != section })
	Expect(commands).NotTo(BeEmpty(), section)
	return commands
}
