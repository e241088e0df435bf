package main

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers"
	"github.com/pressroom-dev/pressroom/controllers/controllertest"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/testkit"
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

var workspaces atomic.Int64

// workspace is a namespace with a site, a receiver, controllers that specs run step by step, and people.
type workspace struct {
	ctx       context.Context
	namespace string
	receiver  *testkit.Receiver
	generator *controllertest.Generator
	process   *controllertest.Process
}

func newWorkspace() *workspace {
	GinkgoHelper()
	n := workspaces.Add(1)
	w := &workspace{ctx: context.Background(), namespace: fmt.Sprintf("blog-%d", n), receiver: testkit.NewReceiver()}
	account := fmt.Sprintf("acme-%d", n)
	w.create(&v1alpha1.Account{ObjectMeta: metav1.ObjectMeta{Name: account}})
	w.create(testkit.NewWorkspace(w.namespace, account))
	w.create(&corev1.Secret{ObjectMeta: w.meta("webhook"), StringData: map[string]string{"secret": "a-long-random-string-of-the-customer"}})
	w.createSite()
	w.addPeople()
	w.generator = controllertest.NewGenerator(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
		return generate.Result{Model: "small", Document: content.Document{
			Title: "All about " + r.Keyword, Markdown: fmt.Sprintf("Text %d about %s.\n\n## Why\n\nBecause.", call, r.Keyword), Language: "en",
		}}, nil
	})
	cached := testkit.IndexedClient{Client: api, Indexes: testkit.Indexes{}}
	Expect(controllers.IndexArticles(w.ctx, cached.Indexes)).To(Succeed())
	w.process = controllertest.NewProcess(controllertest.Options{
		Client: cached, Live: api, Clock: clocktesting.NewFakeClock(started), Limits: inflight.Limits{Total: 10, PerHost: 10},
		Generator: w.generator,
	})
	return w
}

func (w *workspace) meta(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: w.namespace, Name: name}
}

func (w *workspace) create(o client.Object) {
	GinkgoHelper()
	Expect(api.Create(w.ctx, o)).To(Succeed())
}

func (w *workspace) createSite() {
	GinkgoHelper()
	site := &v1alpha1.Site{ObjectMeta: w.meta("acme"), Spec: v1alpha1.SiteSpec{
		Domain: "acme.example",
		CMS: v1alpha1.SiteCMS{Type: v1alpha1.CMSHeadless, Headless: &v1alpha1.HeadlessConnection{
			URL: w.receiver.URL, SigningSecretRef: v1alpha1.SecretKeyReference{Name: "webhook", Key: "secret"},
		}},
	}}
	w.create(site)
	// The controller has seen it.
	old := site.DeepCopy()
	site.Annotations = map[string]string{v1alpha1.UIDAnnotation: string(site.UID)}
	Expect(api.Patch(w.ctx, site, client.MergeFrom(old))).To(Succeed())
}

// addPeople binds the people, and waits until kube-apiserver knows it.
func (w *workspace) addPeople() {
	GinkgoHelper()
	for person, role := range roles {
		w.create(&rbacv1.RoleBinding{
			ObjectMeta: w.meta(role),
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role},
			Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "User", Name: person}},
		})
	}
	for person := range roles {
		Eventually(func() (bool, error) {
			may := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
				User: person, ResourceAttributes: &authorizationv1.ResourceAttributes{
					Namespace: w.namespace, Verb: "get", Group: v1alpha1.GroupVersion.Group, Resource: "articles",
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
	spec.SiteRef.Name = "acme"
	w.create(&v1alpha1.Article{ObjectMeta: w.meta(name), Spec: spec})
	w.reconcile(name)
}

func (w *workspace) reconcile(name string) *v1alpha1.Article {
	GinkgoHelper()
	return w.process.ReconcileUntilStable(client.ObjectKey{Namespace: w.namespace, Name: name})
}

func (w *workspace) get(name string) *v1alpha1.Article {
	GinkgoHelper()
	a := &v1alpha1.Article{}
	Expect(api.Get(w.ctx, client.ObjectKey{Namespace: w.namespace, Name: name}, a)).To(Succeed())
	return a
}

// as runs a command line about the workspace as one of its people.
func (w *workspace) as(person string, args ...string) result {
	return run(append(args, "-n", w.namespace, "--as", person)...)
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
