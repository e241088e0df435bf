package controllers_test

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// People who look for an article type the commands of docs/reference/events.md.
var _ = Describe("The walk-through of docs/reference/events.md", func() {
	It("says what to do in commands that work, from a failed article to a published one", func() {
		t := newTenant()
		t.CreateSite()
		hook := t.Subscribe("newsroom")
		key := t.CreateArticle("shoes", WithText("Shoes", "Text."), ApprovedInManifest, ToBePublished)
		t.Receiver.Answers(func(_ int, answer http.ResponseWriter) {
			answer.WriteHeader(http.StatusServiceUnavailable)
			_, err := io.WriteString(answer, "database is\n down")
			Expect(err).NotTo(HaveOccurred())
		})
		hook.AnswersStatus(http.StatusInternalServerError)
		t.ReconcileUntilStable(key)
		t.DispatchAndDeliver(key)
		for range 3 {
			t.Clock.Step(10 * time.Minute)
			t.ReconcileUntilStable(key)
		}
		Expect(Reason(t.GetArticle(key), v1alpha1.ConditionPublished)).To(Equal("False/Exhausted"))
		kubectl := t.kubectl("id=" + t.DeliveryOf("newsroom", v1alpha1.EventReadyForReview).Name)
		pages := commandsOf("What became of an article")
		Expect(pages).To(HaveLen(8))

		table := kubectl(pages[0].line)
		Expect(columnsOf(table)).To(Equal(columnsOf(pages[0].output)))
		Expect(table).To(And(ContainSubstring("Failed"), ContainSubstring("Exhausted"), ContainSubstring("503"), ContainSubstring("attempt 4 of 4")))
		attempts := strings.Split(strings.TrimSpace(kubectl(pages[1].line)), "\n")
		Expect(attempts).To(HaveLen(4))
		Expect(attempts[3]).To(ContainSubstring("1/4 Rejected 503 ServerError"))
		Expect(kubectl(pages[2].line)).To(Equal("503 database is down\n"))

		t.Receiver.AnswersStatus(http.StatusNoContent)
		kubectl(pages[3].line)
		t.ReconcileSiteUntilStable()
		Expect(kubectl(pages[4].line)).To(ContainSubstring("ReceiverAccepted"))
		Expect(kubectl(pages[5].line)).To(HavePrefix("Accepted 204"))
		kubectl(pages[6].line)
		t.ReconcileUntilStable(key)
		Expect(kubectl(pages[7].line)).To(ContainSubstring("condition met"))

		events := commandsOf("What became of an event")
		Expect(events).To(HaveLen(5))
		Expect(kubectl(events[0].line)).To(ContainSubstring("newsroom"))
		Expect(kubectl(events[1].line)).To(And(ContainSubstring("RetryScheduled"), ContainSubstring("500")))
		Expect(kubectl(events[2].line)).To(ContainSubstring("1/1 Rejected 500 ServerError"))
		hook.AnswersStatus(http.StatusOK)
		kubectl(events[3].line)
		kubectl(events[4].line)
		t.Clock.Step(time.Minute)
		t.Deliver()
		Expect(kubectl(events[1].line)).NotTo(ContainSubstring("RetryScheduled"))
	})
})

// pageCommand is a line of a page, with the output that the page shows.
type pageCommand struct{ line, output string }

// commandsOf returns, in their order, the commands of a section of docs/reference/events.md.
func commandsOf(section string) []pageCommand {
	GinkgoHelper()
	return commandsOfPage("docs/reference/events.md", section)
}

// commandsOfPage returns the commands of a section of a page, in their order.
func commandsOfPage(name, section string) []pageCommand {
	GinkgoHelper()
	var commands []pageCommand
	for _, c := range testkit.CommandsOf(name, section) {
		commands = append(commands, pageCommand{line: c.Text, output: c.Output})
	}
	return commands
}

// columnsOf are the names in the first line of a table.
func columnsOf(table string) []string {
	first, _, _ := strings.Cut(table, "\n")
	return strings.Fields(first)
}

// kubectl returns what runs command lines about the workspace acme-blog on the tenant's.
func (t *tenant) kubectl(env ...string) func(line string) string {
	GinkgoHelper()
	kubeconfig := cluster.NewKubeconfig("mara")
	path, err := filepath.Abs(cluster.BinaryAssetsDirectory)
	Expect(err).NotTo(HaveOccurred())
	return func(line string) string {
		GinkgoHelper()
		run := exec.CommandContext(t.Ctx, "sh", "-c", strings.ReplaceAll(line, "acme-blog", t.Namespace))
		run.Env = append(append(os.Environ(), "KUBECONFIG="+kubeconfig, "PATH="+path+string(os.PathListSeparator)+os.Getenv("PATH")), env...)
		var problems bytes.Buffer
		run.Stderr = &problems
		output, err := run.Output()
		Expect(err).NotTo(HaveOccurred(), "%s\n%s", line, problems.String())
		return string(output)
	}
}
