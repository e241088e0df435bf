package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// kubectl returns what runs command lines about the workspace acme-blog on another one, in a shell that has kubectl and the plugin.
func (w *workspace) kubectl() func(line string) result {
	GinkgoHelper()
	folder, assets := GinkgoT().TempDir(), cluster.BinaryAssetsDirectory
	assets, err := filepath.Abs(assets)
	Expect(err).NotTo(HaveOccurred())
	self, err := os.Executable()
	Expect(err).NotTo(HaveOccurred())
	for _, name := range []string{"kubectl-pressroom", completer} {
		Expect(os.Symlink(self, filepath.Join(folder, name))).To(Succeed())
	}
	path := strings.Join([]string{folder, assets, os.Getenv("PATH")}, string(os.PathListSeparator))
	return func(line string) result {
		GinkgoHelper()
		command := exec.CommandContext(w.ctx, "sh", "-c", strings.ReplaceAll(line, "acme-blog", w.Workspace))
		command.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig, "PATH="+path, runAsPlugin+"=yes")
		var out, problems bytes.Buffer
		command.Stdout, command.Stderr = &out, &problems
		var exit *exec.ExitError
		if err := command.Run(); err != nil {
			Expect(err).To(BeAssignableToTypeOf(exit))
		}
		return result{out.String(), problems.String(), command.ProcessState.ExitCode()}
	}
}

var _ = Describe("kubectl", func() {
	It("finds the plugin, and ends as it ends", func() {
		w := newWorkspace()
		changedSince(w, "trail-shoes")
		kubectl := w.kubectl()
		Expect(kubectl("kubectl plugin list --name-only").Out).To(ContainSubstring("kubectl-pressroom"))
		Expect(kubectl("kubectl pressroom diff trail-shoes -n acme-blog")).To(HaveField("Code", 1))
		Expect(kubectl("kubectl pressroom diff nothing -n acme-blog")).To(failing(2, "not found"))
		Expect(kubectl("kubectl pressroom approve --help").Out).To(ContainSubstring("kubectl pressroom approve NAME..."))
	})

	It("describes an article in the order of its story, whatever was asked first", func() {
		w := newWorkspace()
		w.article("trail-shoes", v1alpha1.ArticleSpec{Content: &v1alpha1.ArticleContent{Title: "Shoes", Markdown: "Run far."}})
		a := w.get("trail-shoes")
		a.Spec.Content, a.Spec.Generate = nil, &v1alpha1.GenerateRequest{Keyword: "trail shoes"}
		Expect(api.Update(w.ctx, a)).To(Succeed())
		w.reconcile("trail-shoes")
		Expect(w.as(reviewer, "approve", "trail-shoes")).To(succeeding())
		Expect(w.as(author, "publish", "trail-shoes")).To(succeeding())
		w.reconcile("trail-shoes")
		Expect(w.kubectl()("kubectl describe article trail-shoes -n acme-blog").Out).To(MatchRegexp(
			`(?s)Review:.*Decision: +Approved.*Type: +Generated.*Type: +Approved.*Type: +Published.*Type: +Ready.*Outcome: +Accepted.*Events:`))
	})

	It("completes commands, names of articles and flags", func() {
		w := newWorkspace()
		inReview(w, "trail-shoes")
		inReview(w, "trail-boots")
		inReview(w, "huts")
		kubectl := w.kubectl()
		Expect(kubectl("kubectl __complete pressroom app").Out).To(ContainSubstring("approve"))
		names := kubectl("kubectl __complete pressroom approve -n acme-blog trail-").Out
		Expect(names).To(And(ContainSubstring("trail-shoes\n"), ContainSubstring("trail-boots\n"), Not(ContainSubstring("huts"))))
		Expect(kubectl("kubectl __complete pressroom approve -n acme-blog trail-shoes trail-").Out).NotTo(ContainSubstring("trail-shoes\n"))
		Expect(kubectl("kubectl __complete pressroom approve --dry-run ser").Out).To(ContainSubstring("server\n"))
	})

	It("completes no names that the caller may not list, and namespaces that they may", func() {
		w := newWorkspace()
		inReview(w, "trail-shoes")
		Expect(completions("tree", "-n", w.Workspace, "--as="+reader, "tr")).To(ConsistOf("trail-shoes"))
		Expect(completions("tree", "-n", w.Workspace, "--as=stranger", "tr")).To(BeEmpty())
		Expect(completions("tree", "-n", w.Workspace, "trail-shoes", "")).To(BeEmpty(), "it takes one name")
		Expect(completions("tree", "-n", w.Workspace)).To(ContainElement(w.Workspace))
	})
})

var _ = Describe("docs/reference/kubectl-plugin.md", func() {
	It("shows the installation as it is", func() {
		w := newWorkspace()
		// However long the commands take, the lease is valid.
		install(w, time.Now().Add(time.Hour))
		commands := testkit.CommandsOf("docs/reference/kubectl-plugin.md", "The installation")
		Expect(commands).To(HaveLen(1))
		got := w.kubectl()(commands[0].Text)
		Expect(got).To(succeeding())
		Expect(timeless(got.Out)).To(Equal(timeless(commands[0].Output)))
	})
})

// changing is what differs from run to run: times, the version of the plugin, and blanks between columns.
var changing = regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:]+Z|(kubectl-pressroom) +(?:dev|v\S+) *| +`)

// timeless replaces what differs from run to run.
func timeless(output string) string {
	return strings.TrimSpace(changing.ReplaceAllString(output, "$1 "))
}
