package main

import (
	"context"
	"fmt"
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/article"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// The people of a workspace, each with one role of config/rbac.
const (
	reader   = "rea@acme.example"
	author   = "ada@acme.example"
	reviewer = "rob@acme.example"
	manager  = "mia@acme.example"
)

var roles = map[string]string{
	reader: "pressroom-viewer", author: "pressroom-author", reviewer: "pressroom-reviewer", manager: "pressroom-admin",
}

// workspace is a workspace with a receiver of its articles, controllers that specs run step by step, and people.
type workspace struct {
	testkit.Tenant

	ctx       context.Context
	receiver  *testkit.Receiver
	generator *controllertest.Generator
	process   *controllertest.Process
}

func newWorkspace() *workspace {
	GinkgoHelper()
	w := &workspace{Tenant: testkit.NewTenant(api, ""), ctx: context.Background(), receiver: testkit.NewReceiver()}
	w.Deliver(w.receiver.URL)
	// The controller has seen the site.
	site := w.SiteObject()
	old := site.DeepCopy()
	site.Annotations = map[string]string{v1alpha1.UIDAnnotation: string(site.UID)}
	Expect(api.Patch(w.ctx, site, client.MergeFrom(old))).To(Succeed())
	w.addPeople()
	w.generator = controllertest.NewGenerator(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
		return generate.Result{Model: "small", Document: content.Document{
			Title: "All about " + r.Keyword, Markdown: fmt.Sprintf("Text %d about %s.\n\n## Why\n\nBecause.", call, r.Keyword), Language: "en",
		}}, nil
	})
	cached := testkit.IndexedClient{Client: api, Indexes: testkit.Indexes{}}
	Expect(article.Index(w.ctx, cached.Indexes)).To(Succeed())
	w.process = controllertest.NewProcess(controllertest.ProcessOptions{
		Client: cached, Live: api, Clock: clocktesting.NewFakeClock(started), Limits: inflight.Limits{Total: 10, PerHost: 10},
		Generator: w.generator,
	})
	return w
}

func (w *workspace) meta(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: w.Workspace, Name: name}
}

// addPeople binds the people, and waits until kube-apiserver knows it.
func (w *workspace) addPeople() {
	GinkgoHelper()
	for person, role := range roles {
		w.Create(&rbacv1.RoleBinding{
			ObjectMeta: w.meta(role),
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role},
			Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "User", Name: person}},
		})
	}
	for person := range roles {
		Eventually(func() (bool, error) {
			may := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
				User: person, ResourceAttributes: &authorizationv1.ResourceAttributes{
					Namespace: w.Workspace, Verb: "get", Group: v1alpha1.GroupVersion.Group, Resource: "articles",
				},
			}}
			err := api.Create(w.ctx, may)
			return may.Status.Allowed, err
		}).Should(BeTrue(), person)
	}
}

// article creates an article and reconciles it until it is stable.
func (w *workspace) article(name string, spec v1alpha1.ArticleSpec) {
	GinkgoHelper()
	spec.SiteRef.Name = w.Site
	w.Create(&v1alpha1.Article{ObjectMeta: w.meta(name), Spec: spec})
	w.reconcile(name)
}

func (w *workspace) reconcile(name string) *v1alpha1.Article {
	GinkgoHelper()
	return w.process.ReconcileUntilStable(client.ObjectKey{Namespace: w.Workspace, Name: name})
}

func (w *workspace) get(name string) *v1alpha1.Article {
	GinkgoHelper()
	a := &v1alpha1.Article{}
	w.Get(name, a)
	return a
}

// as runs a command line about the workspace as one of its people.
func (w *workspace) as(person string, args ...string) result {
	return run(append(args, "-n", w.Workspace, "--as", person)...)
}

// inReview makes a generated article that waits for a reviewer.
func inReview(w *workspace, name string) {
	GinkgoHelper()
	w.article(name, v1alpha1.ArticleSpec{Generate: &v1alpha1.GenerateRequest{Keyword: name}})
	Expect(w.get(name).Status.Phase).To(Equal(v1alpha1.PhaseReview))
}

// changedSince makes an article of which the first text was rejected, and another one has been generated.
func changedSince(w *workspace, name string) {
	GinkgoHelper()
	inReview(w, name)
	Expect(w.as(reviewer, "reject", name, "-m", "Too short.")).To(succeeding())
	Expect(w.as(author, "regenerate", name)).To(succeeding())
	Expect(w.reconcile(name).Status.Revision.Number).To(BeEquivalentTo(2))
}

// scheduled makes an article that is to be published on the first of January 2099.
func scheduled(w *workspace, name string) {
	GinkgoHelper()
	inReview(w, name)
	Expect(w.as(author, "publish", name, "--at", "2099-01-01T09:00:00Z")).To(succeeding())
}

// published makes an article that its site has accepted.
func published(w *workspace, name string) {
	GinkgoHelper()
	inReview(w, name)
	Expect(w.as(reviewer, "approve", name)).To(succeeding())
	Expect(w.as(author, "publish", name)).To(succeeding())
	Expect(w.reconcile(name).Status.Phase).To(Equal(v1alpha1.PhasePublished))
}

// publishedAtCMS makes one whose site has answered what it has.
func publishedAtCMS(w *workspace, name string) {
	GinkgoHelper()
	published(w, name)
	a := w.get(name)
	a.Status.Publication.Post.ContentHash = "0123456789abcdef"
	Expect(api.Status().Update(w.ctx, a)).To(Succeed())
}

// undelivered makes an article that its site has refused for good.
func undelivered(w *workspace, name string) {
	GinkgoHelper()
	w.receiver.AnswersStatus(http.StatusGone)
	inReview(w, name)
	Expect(w.as(reviewer, "approve", name)).To(succeeding())
	Expect(w.as(author, "publish", name)).To(succeeding())
	Expect(w.reconcile(name).Status.Phase).To(Equal(v1alpha1.PhaseFailed))
}

// succeeding matches a result without problems.
func succeeding() OmegaMatcher {
	return And(HaveField("Code", 0), HaveField("Problems", BeEmpty()))
}

// failing matches a result with a code, and a problem that says so.
func failing(code int, problem string) OmegaMatcher {
	return And(HaveField("Code", code), HaveField("Problems", ContainSubstring(problem)))
}
