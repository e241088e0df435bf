package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/generate"
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
	It("says what to do in commands that work, with the output that they have", func() {
		w := newWorkspace()
		// However long the commands take, the lease is valid.
		install(w, time.Now().Add(time.Hour))
		w.generator.Does(func(_ context.Context, call int, _ generate.Request, _ generate.Progress) (generate.Result, error) {
			doc := content.Document{Title: "Trail running shoes", Markdown: "Choose shoes that grip.\n", Language: "en"}
			if call > 1 {
				doc.Markdown += "\nOn rock, a stiff plate saves your feet.\n"
			}
			return generate.Result{Model: "small", Document: doc}, nil
		})
		inReview(w, "trail-shoes")
		kubectl := w.kubectl()
		lines := testkit.CommandsOf("docs/reference/kubectl-plugin.md", "A tour")
		Expect(len(lines)).To(BeNumerically(">=", 12))
		for _, c := range lines {
			got := kubectl(c.Text)
			want := 0
			if strings.HasPrefix(c.Text, "kubectl pressroom diff") {
				want = exitDiffers
			}
			Expect(got.Code).To(Equal(want), "%s\n%s%s", c.Text, got.Out, got.Problems)
			Expect(timeless(got.Out)).To(Equal(timeless(c.Output)), c.Text)
			w.reconcile("trail-shoes")
		}
		Expect(w.get("trail-shoes").Status.Phase).To(Equal(v1alpha1.PhasePublished))
	})
})

// changing is what differs from run to run: times, digests, scores, the version of the plugin, and blanks between columns.
var changing = regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:]+Z|sha256:[0-9a-f]+|(SEO score:?) +\d+.*|(kubectl-pressroom) +(?:dev|v\S+) *| +`)

// timeless replaces what differs from run to run.
func timeless(output string) string {
	return strings.TrimSpace(changing.ReplaceAllString(output, "$1$2 "))
}
