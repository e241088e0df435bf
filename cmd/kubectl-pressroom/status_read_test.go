package main

import (
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/internal/survey"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

var _ = Describe("preview", func() {
	It("shows earlier texts, and the revision itself with -o", func() {
		w := newWorkspace()
		changedSince(w, "shoes")
		Expect(w.as(reader, "preview", "shoes").Out).To(ContainSubstring("Text 2 about shoes."))
		Expect(w.as(reader, "preview", "shoes", "--revision", "1").Out).To(ContainSubstring("Text 1 about shoes."))
		Expect(w.as(reader, "preview", "shoes", "--revision", "7")).To(failing(1, "no revision 7, but [1 2]"))
		r := &v1alpha1.ArticleRevision{}
		Expect(yaml.Unmarshal([]byte(w.as(reader, "preview", "shoes", "-o", "yaml").Out), r)).To(Succeed())
		Expect(r.Spec.Number).To(BeEquivalentTo(2))
	})

	It("says that there is no text, or that it is not the newest", func() {
		w := newWorkspace()
		w.Create(&v1alpha1.Article{ObjectMeta: w.meta("new"), Spec: v1alpha1.ArticleSpec{
			SiteRef: v1alpha1.LocalReference{Name: w.Site}, Generate: &v1alpha1.GenerateRequest{Keyword: "new"},
		}})
		Expect(w.as(reader, "preview", "new")).To(failing(1, "no text yet"))
		inReview(w, "shoes")
		a := w.get("shoes")
		a.Spec.Content = &v1alpha1.ArticleContent{Title: "Boots"}
		Expect(api.Update(w.ctx, a)).To(Succeed())
		got := w.as(reader, "preview", "shoes")
		Expect(got).To(failing(0, "Warning: the text was edited"))
		Expect(got.Out).To(ContainSubstring("All about shoes"))
	})

	It("shows no text under the digest of another one", func() {
		w := newWorkspace()
		inReview(w, "shoes")
		forged := &v1alpha1.ArticleRevision{}
		w.Get(w.get("shoes").Status.Revision.Name, forged)
		Expect(api.Delete(w.ctx, forged)).To(Succeed())
		forged.ResourceVersion, forged.UID, forged.Spec.Markdown = "", "", "Buy now."
		w.Create(forged)
		Expect(w.as(reader, "preview", "shoes")).To(And(failing(1, "do not decide on it"), HaveField("Out", BeEmpty())))
	})
})

var _ = Describe("diff", func() {
	It("ends with 0 if nothing has changed since the decision", func() {
		w := newWorkspace()
		inReview(w, "shoes")
		Expect(w.as(reviewer, "approve", "shoes")).To(succeeding())
		Expect(w.as(reader, "diff", "shoes")).To(And(succeeding(), HaveField("Out", BeEmpty())))
	})

	It("ends with 2 if there is nothing to compare with", func() {
		w := newWorkspace()
		inReview(w, "shoes")
		Expect(w.as(reader, "diff", "shoes")).To(failing(2, "nobody has decided on article shoes yet: name a revision with --from, of [1]"))
		Expect(w.as(reader, "diff", "nothing")).To(failing(2, "not found"))
		Expect(w.as(reader, "diff")).To(failing(2, "accepts 1 arg"))
		Expect(w.as(reader, "diff", "shoes", "--frame=1")).To(failing(2, "unknown flag"))
	})
})

var _ = Describe("tree", func() {
	It("has the events of the article, and all objects with -o", func() {
		w := newWorkspace()
		inReview(w, "shoes")
		w.Create(&v1alpha1.EventDelivery{ObjectMeta: w.meta("0198f0a1-b2c3-8000-8000-000000000001"), Spec: v1alpha1.EventDeliverySpec{
			SubscriptionRef: v1alpha1.LocalReference{Name: "newsroom"}, ArticleRef: v1alpha1.LocalReference{Name: "shoes"},
			Type: v1alpha1.EventReadyForReview, Time: v1alpha1.NewMicroTime(started), Body: "{}",
		}})
		Expect(w.as(reader, "tree", "shoes").Out).To(ContainSubstring("event ReadyForReview  for newsroom, 2026-11-20T12:00:00Z"))
		revision := w.get("shoes").Status.Revision.Name
		Expect(w.as(reader, "tree", "shoes", "-o", "name").Out).To(Equal("article.pressroom.dev/shoes\narticlerevision.pressroom.dev/" + revision +
			"\neventdelivery.pressroom.dev/0198f0a1-b2c3-8000-8000-000000000001\n"))
	})
})

// holder is the identity of the controller that leads: its Pod, and a UUID.
const holder = "pressroom-controller-5d8c9f7b6d-x7k2q_0198f0a1-b2c3-4d4e-95f6-a7b8c9d0e1f2"

// install makes what status finds in the system namespace, with a leader that has renewed its lease at a time.
func install(w *workspace, renewedAt time.Time) {
	GinkgoHelper()
	for component, replicas := range map[string]int32{"controller": 1, "apiserver": 2} {
		labels := map[string]string{"app.kubernetes.io/name": "pressroom", "app.kubernetes.io/component": component}
		d := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: defaultSystemNamespace, Name: "pressroom-" + component, Labels: labels}}
		d.Spec.Replicas, d.Spec.Selector, d.Spec.Template.Labels = &replicas, &metav1.LabelSelector{MatchLabels: labels}, labels
		d.Spec.Template.Spec.Containers = []corev1.Container{{Name: component, Image: "registry.example.com/pressroom:v1.2.0"}}
		w.Create(d)
		d.Status.Replicas, d.Status.ReadyReplicas = replicas, replicas
		Expect(api.Status().Update(w.ctx, d)).To(Succeed())
		DeferCleanup(func() { Expect(api.Delete(w.ctx, d)).To(Succeed()) })
	}
	renewed := metav1.NewMicroTime(renewedAt)
	w.Create(&coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Namespace: defaultSystemNamespace, Name: survey.LeaseName},
		Spec: coordinationv1.LeaseSpec{
			HolderIdentity: new(holder), RenewTime: &renewed, LeaseDurationSeconds: new(int32(15)),
		},
	})
	DeferCleanup(func() {
		Expect(api.DeleteAllOf(w.ctx, &coordinationv1.Lease{}, client.InNamespace(defaultSystemNamespace))).To(Succeed())
	})
}

var _ = Describe("status", func() {
	It("shows the programs, the leader, the queues and the failing sites of all workspaces", func() {
		w := newWorkspace()
		install(w, started)
		undelivered(w, "shoes")
		site := w.SiteObject()
		site.Status.Conditions = []metav1.Condition{{
			Type: v1alpha1.ConditionReady, Status: metav1.ConditionFalse, Reason: v1alpha1.ReasonSecretNotFound, Message: "no Secret webhook",
			LastTransitionTime: metav1.NewTime(started),
		}}
		Expect(api.Status().Update(w.ctx, site)).To(Succeed())
		got := run("status")
		Expect(got).To(succeeding())
		Expect(got.Out).To(And(
			MatchRegexp(`pressroom-controller +v1.2.0 +1/1 +registry.example.com/pressroom:v1.2.0`),
			MatchRegexp(holder+` +2026-11-20T12:00:00Z +Current`),
			MatchRegexp(`publication +ReceiverRejected +\d+`),
			MatchRegexp(w.Workspace+` +acme +SecretNotFound +no Secret webhook`),
		))
		i := &installation{}
		Expect(yaml.UnmarshalStrict([]byte(run("status", "-o", "yaml", "-n", w.Workspace).Out), i)).To(Succeed())
		Expect(i.Queues).To(Equal([]survey.Queue{{Queue: "publication", Reason: "ReceiverRejected", Count: 1}}))
		Expect(i.Leader.Holder).To(Equal(holder))
	})

	It("shows what the caller may read, and names the rest", func() {
		w := newWorkspace()
		undelivered(w, "shoes")
		got := w.as(reader, "status", "-o", "json")
		Expect(got).To(And(failing(1, lacks("list", deployments)), failing(1, lacks("get", "leases"))))
		Expect(got.Out).To(And(ContainSubstring("ReceiverRejected"), ContainSubstring(`"why": "needs get on leases.coordination.k8s.io in pressroom-system"`)))
		stranger := run("status", "--as="+reader)
		Expect(stranger.Out).To(And(
			ContainSubstring("Programs: unknown (needs list on deployments.apps in pressroom-system)"),
			ContainSubstring("Leader: unknown (needs get on leases.coordination.k8s.io in pressroom-system)"),
			ContainSubstring("Queues of articles: unknown (needs list on articles.pressroom.dev in all namespaces)"),
			ContainSubstring("Failing sites: unknown (needs list on sites.pressroom.dev in all namespaces)"),
			Not(ContainSubstring("No leader")), Not(ContainSubstring("Nothing is due")), Not(ContainSubstring("No failing")),
		))
		Expect(run("status", "--as="+reader)).To(failing(1, lacks("list", articles)+` in API group "pressroom.dev" at the cluster scope`))
	})

	It("ends with 1 if the installation does not work, and says why", func() {
		Expect(run("status")).To(failing(1, "no controller leads"))
		w := newWorkspace()
		install(w, started.Add(-time.Minute))
		Expect(run("status")).To(failing(1, "no controller leads: "+holder+" has not renewed its lease since 2026-11-20T11:59:00Z"))
	})

	It("has no queue for an article that was taken back", func() {
		w := newWorkspace()
		install(w, started)
		published(w, "shoes")
		a := w.get("shoes")
		a.Status.Phase = v1alpha1.PhaseApproved
		taken := metav1.Condition{Type: v1alpha1.ConditionPublished, Status: metav1.ConditionFalse, Reason: v1alpha1.ReasonUnpublished, Message: "taken back"}
		meta.SetStatusCondition(&a.Status.Conditions, taken)
		Expect(api.Status().Update(w.ctx, a)).To(Succeed())
		Expect(run("status", "-n", w.Workspace).Out).To(ContainSubstring("Nothing is due."))
	})

	It("prints in no other format", func() {
		Expect(run("status", "-o", "name")).To(failing(1, "must be json or yaml"))
	})
})

var _ = Describe("keys", func() {
	It("lists the keys of an account for who runs the installation", func() {
		w := newWorkspace()
		const keeper = "kim@acme.example"
		w.Create(&rbacv1.ClusterRoleBinding{
			ObjectMeta: metav1.ObjectMeta{Name: "keeper"},
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "pressroom-account-admin"},
			Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "User", Name: keeper}},
		})
		key, secret := testkit.NewAPIKey("acme-with-keys", v1alpha1.ScopeRead, v1alpha1.ScopeWrite)
		other, _ := testkit.NewAPIKey("another", v1alpha1.ScopeRead)
		w.Create(key)
		w.Create(other)
		Eventually(run).WithArguments("keys", "--as="+keeper, "-o", "name").Should(
			HaveField("Out", And(ContainSubstring(key.Name), ContainSubstring(other.Name))))
		got := run("keys", "--as="+keeper, "--account=acme-with-keys")
		Expect(got).To(succeeding())
		Expect(got.Out).To(And(MatchRegexp(key.Name+` +acme-with-keys +read,write +all`), Not(ContainSubstring(other.Name)), Not(ContainSubstring(secret))))
	})

	It("creates and revokes keys as pressroom keys does", func() {
		w := newWorkspace()
		account := &v1alpha1.Account{ObjectMeta: metav1.ObjectMeta{Name: "acme-new"}}
		w.Create(account)
		got := run("keys", "create", "--account=acme-new")
		Expect(got.Code).To(BeZero(), got.Problems)
		c, err := credential.Parse(strings.TrimSpace(got.Out))
		Expect(err).NotTo(HaveOccurred())
		Expect(run("keys", "--account=acme-new").Out).To(ContainSubstring(c.ID))
		Expect(run("keys", "list", "--account=acme-new")).To(Equal(run("keys", "--account=acme-new")))
		Expect(run("keys", "revoke", "--keep-made", c.ID)).To(succeeding())
		Expect(run("keys", "revoke", c.ID).Out).To(HavePrefix("API key " + c.ID + " is revoked"))
		Expect(run("keys", "--account=acme-new").Out).To(BeEmpty())
		Expect(run("keys", "create", "--help").Out).To(ContainSubstring("  kubectl pressroom keys create --account acme"))
	})
})
