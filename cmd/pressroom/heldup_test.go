package main

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/fakewordpress"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

var _ = Describe("A leader that gets SIGSTOP while it looks a post up, and SIGCONT once another one leads", func() {
	const (
		workspace = "heldup-blog"
		patience  = "3m"
	)
	ctx := context.Background()

	It("does not write a post of a text that was rejected meanwhile", func() {
		blog := fakewordpress.New()
		DeferCleanup(blog.Close)
		makeWordPressTenant(ctx, workspace, blog)
		arguments := []string{
			"controller", "--leader-elect", "--metrics-bind-address=0", "--health-probe-bind-address=0", "--allow-cidr=127.0.0.0/8",
			"--retry-delays=1h,1h,1h",
		}
		leader := startServer(arguments...)
		gone := sync.OnceValue(leader.Wait)
		DeferCleanup(func() {
			// It may have ended already.
			_ = leader.Process.Kill()
			_ = gone()
		})
		Eventually(func(g Gomega) {
			lease := &coordinationv1.Lease{}
			g.Expect(api.Get(ctx, client.ObjectKey{Namespace: defaultSystemNamespace, Name: "controller.pressroom.dev"}, lease)).To(Succeed())
			g.Expect(lease.Spec.HolderIdentity).To(HaveValue(Not(BeEmpty())))
		}, patience).Should(Succeed())
		serve(arguments...)

		stopped, resume := make(chan struct{}), make(chan struct{})
		stop, goOn := sync.OnceFunc(func() {
			// A process that cannot be stopped fails the test below.
			_ = leader.Process.Signal(syscall.SIGSTOP)
			close(stopped)
		}), sync.OnceFunc(func() { close(resume) })
		DeferCleanup(goOn)
		blog.Intercept(func(_ http.ResponseWriter, r *http.Request) bool {
			if r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/posts") {
				stop()
				<-resume
			}
			return false
		})
		article := &v1alpha1.Article{Spec: v1alpha1.ArticleSpec{
			SiteRef: v1alpha1.LocalReference{Name: "acme"}, Stage: v1alpha1.StagePublished,
			Content: &v1alpha1.ArticleContent{Title: "Shoes", Markdown: "Grip is all."},
			Review:  &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionApproved, By: "mara@acme.example"},
		}}
		article.Namespace, article.Name = workspace, "shoes"
		Expect(api.Create(ctx, article)).To(Succeed())
		Eventually(stopped, patience).Should(BeClosed())
		status := func() v1alpha1.ArticleStatus {
			Expect(api.Get(ctx, client.ObjectKeyFromObject(article), article)).To(Succeed())
			return article.Status
		}
		Eventually(status, patience).Should(HaveField("Publication.Attempts", HaveExactElements(HaveField("Outcome", v1alpha1.AttemptUnknown))))
		old := article.DeepCopy()
		article.Spec.Review.Decision = v1alpha1.DecisionRejected
		Expect(api.Patch(ctx, article, client.MergeFrom(old))).To(Succeed())
		Eventually(status, patience).Should(HaveField("Phase", v1alpha1.PhaseRejected))

		Expect(leader.Process.Signal(syscall.SIGCONT)).To(Succeed())
		goOn()
		Expect(gone()).To(HaveOccurred(), "it has lost its lease")
		Expect(blog.Posts()).To(BeEmpty())
	})
})

// makeWordPressTenant makes a workspace with a site that is a blog.
func makeWordPressTenant(ctx context.Context, workspace string, blog *fakewordpress.Blog) {
	GinkgoHelper()
	account, secret := &v1alpha1.Account{}, &corev1.Secret{}
	account.Name = "heldup"
	secret.Namespace, secret.Name = workspace, "wordpress"
	secret.StringData = map[string]string{"username": blog.Username, "password": blog.Password}
	site := &v1alpha1.Site{Spec: v1alpha1.SiteSpec{
		Domain: "acme.example",
		CMS: v1alpha1.SiteCMS{Type: v1alpha1.CMSWordPress, WordPress: &v1alpha1.WordPressConnection{
			URL: blog.URL, CredentialsSecretRef: v1alpha1.LocalReference{Name: "wordpress"},
		}},
	}}
	site.Namespace, site.Name = workspace, "acme"
	for _, object := range []client.Object{account, testkit.NewWorkspace(workspace, account.Name), secret, site} {
		Expect(api.Create(ctx, object)).To(Succeed())
	}
}
