//go:build e2e

package gitops

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

// repository is what a team commits, the tool that applies it, and the cluster that it is applied to.
type repository struct {
	*Tenant
	// tool is the user that applies it.
	tool string
	// commit counts the commits. Each changes a ConfigMap beside the articles, which shows whether all of it is applied.
	commit int
	// objects beside the ConfigMap.
	objects []map[string]any
	key     client.ObjectKey
}

// newRepository has one article, which is to be published once somebody approves it.
func newRepository(tool string) *repository {
	GinkgoHelper()
	r := &repository{Tenant: NewTenant(api), tool: tool}
	r.CreateSite()
	r.key = client.ObjectKey{Namespace: r.Namespace, Name: "huts"}
	r.objects = []map[string]any{r.manifest("huts", "They open in May.")}
	return r
}

func (r *repository) manifest(name, text string) map[string]any {
	return map[string]any{
		"apiVersion": v1alpha1.GroupVersion.String(), "kind": "Article",
		"metadata": map[string]any{"name": name, "namespace": r.Namespace},
		"spec": map[string]any{
			"siteRef": map[string]any{"name": "acme"}, "stage": "Published", "content": map[string]any{"title": "The huts", "markdown": text},
		},
	}
}

// write changes the text of the article in Git.
func (r *repository) write(text string) {
	r.objects[0]["spec"].(map[string]any)["content"] = map[string]any{"title": "The huts", "markdown": text}
}

func (r *repository) annotate(name, value string) {
	r.objects[0]["metadata"].(map[string]any)["annotations"] = map[string]any{name: value}
}

// manifests are all files of the repository.
func (r *repository) manifests() string {
	GinkgoHelper()
	r.commit++
	all := append([]map[string]any{{
		"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "beside", "namespace": r.Namespace},
		"data": map[string]any{"commit": strconv.Itoa(r.commit)},
	}}, r.objects...)
	var files []string
	for _, object := range all {
		text, err := yaml.Marshal(object)
		Expect(err).NotTo(HaveOccurred())
		files = append(files, string(text))
	}
	return strings.Join(files, "---\n")
}

// try commits something and has Flux apply it.
func (r *repository) try(flags ...string) (string, error) {
	GinkgoHelper()
	args := append([]string{"-kubeconfig", kubeconfig, "-as", r.tool}, flags...)
	return run("", built("fluxsync"), append(args, written(r.manifests()))...)
}

// sync commits something and has Flux apply all of it, and the controller do what follows.
func (r *repository) sync(flags ...string) *v1alpha1.Article {
	GinkgoHelper()
	out, err := r.try(flags...)
	Expect(err).NotTo(HaveOccurred(), out)
	Expect(r.appliedCommit()).To(Equal(strconv.Itoa(r.commit)), "what is beside the article")
	return r.ReconcileUntilStable(r.key)
}

func (r *repository) appliedCommit() string {
	beside := &corev1.ConfigMap{}
	if err := api.Get(r.Ctx, client.ObjectKey{Namespace: r.Namespace, Name: "beside"}, beside); err != nil {
		return ""
	}
	return beside.Data["commit"]
}

// prune removes the article as Flux does if its manifest goes; the garbage collector removes its revisions.
func (r *repository) prune() {
	GinkgoHelper()
	_, err := r.Posts.Reconcile(r.Ctx, Request(r.key))
	Expect(err).NotTo(HaveOccurred())
	Expect(as(r.tool).Delete(r.Ctx, r.GetArticle(r.key), client.PropagationPolicy(metav1.DeletePropagationBackground))).To(Succeed())
	for _, revision := range r.Revisions() {
		Expect(api.Delete(r.Ctx, &revision)).To(Succeed())
	}
	r.Reconcile(r.key)
}

// ways are those in which people approve, each as its program writes.
var ways = map[string]func(r *repository){
	"the plugin": func(r *repository) {
		a := r.GetArticle(r.key)
		old := a.DeepCopy()
		a.Spec.Review = r.approval(mara)
		patch := client.MergeFromWithOptions(old, client.MergeFromWithOptimisticLock{})
		Expect(as(mara).Patch(r.Ctx, a, patch, client.FieldOwner("pressroom-plugin"))).To(Succeed())
	},
	"kubectl, as the documentation says": func(r *repository) { r.patchWithKubectl("--field-manager=pressroom-review") },
	"REST and the dashboard": func(r *repository) {
		review := r.approval("Newsletter (api-key:7m3kq2vxw5ntb6ha)")
		u := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"review": map[string]any{
			"decision": "Approved", "digest": review.Digest, "by": review.By,
		}}}}
		u.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("Article"))
		u.SetNamespace(r.Namespace)
		u.SetName(r.key.Name)
		Expect(as(facade).Apply(r.Ctx, client.ApplyConfigurationFromUnstructured(u), client.FieldOwner("pressroom-apiserver-review"))).To(Succeed())
	},
	"kubectl edit, of an article that is merged": func(r *repository) {
		r.annotate("kustomize.toolkit.fluxcd.io/ssa", "Merge")
		r.sync()
		r.patchWithKubectl("--field-manager=kubectl-edit")
	},
}

func (r *repository) approval(by string) *v1alpha1.ArticleReview {
	return &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionApproved, Digest: r.GetArticle(r.key).Status.Revision.Digest, By: by}
}

func (r *repository) patchWithKubectl(flags ...string) {
	GinkgoHelper()
	patch, err := json.Marshal(map[string]any{"spec": map[string]any{"review": r.approval(mara)}})
	Expect(err).NotTo(HaveOccurred())
	args := append([]string{"patch", "article", r.key.Name, "-n", r.Namespace, "--type", "merge", "-p", string(patch)}, flags...)
	out, err := kubectl(mara, "", args...)
	Expect(err).NotTo(HaveOccurred(), out)
}

// forBoth has a spec for each tool.
func forBoth(text string, spec func(tool string)) {
	for name, tool := range map[string]string{"an author": author, "an attester": attester} {
		It(text+", as "+name, func() { spec(tool) })
	}
}

var _ = Describe("A repository that Flux applies", func() {
	for way, approve := range ways {
		forBoth("keeps an approval by "+way, func(tool string) {
			r := newRepository(tool)
			r.sync()
			approve(r)
			review := r.GetArticle(r.key).Spec.Review
			a := r.sync()
			Expect(a.Spec.Review).To(Equal(review))
			Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
			Expect(r.sync().Spec.Review).To(Equal(review))
			Expect(r.Receiver.Received()).To(HaveLen(1))
		})
	}

	forBoth("keeps the approvals of two people, and publishes with the second", func(tool string) {
		r := newRepository(tool)
		r.EditSite(func(s *v1alpha1.Site) { s.Spec.Review.Approvals = 2 })
		Expect(r.sync().Status.Phase).To(Equal(v1alpha1.PhaseReview))
		two := &v1alpha1.Site{Spec: v1alpha1.SiteSpec{Review: v1alpha1.SiteReview{Approvals: 2}}}
		a := r.GetArticle(r.key)
		old := a.DeepCopy()
		Expect(lifecycle.Approve(a, two, "jo@acme.example", "")).To(BeTrue())
		Expect(as(facade).Patch(r.Ctx, a, client.MergeFromWithOptions(old, client.MergeFromWithOptimisticLock{}), client.FieldOwner("pressroom-plugin"))).To(Succeed())
		approvals := a.Spec.Approvals
		Expect(approvals).To(HaveLen(1))
		Expect(r.sync()).To(And(HaveField("Spec.Approvals", approvals), HaveField("Status.Phase", v1alpha1.PhaseReview)))
		ways["the plugin"](r)
		for range 2 {
			Expect(r.sync()).To(And(HaveField("Spec.Approvals", approvals), HaveField("Status.Phase", v1alpha1.PhasePublished)))
		}
		Expect(r.Receiver.Received()).To(HaveLen(1))
	})

	// This is what the documented field managers are for.
	It("takes over what kubectl wrote under its own name", func() {
		r := newRepository(attester)
		r.sync()
		r.patchWithKubectl()
		Expect(r.sync().Spec.Review).To(BeNil())
	})

	forBoth("mends a typo before delivery: the new text is in review", func(tool string) {
		r := newRepository(tool)
		r.sync()
		ways["the plugin"](r)
		r.write("They open in June.")
		a := r.sync()
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(Reason(a, v1alpha1.ConditionApproved)).To(Equal("False/ContentChanged"))
		Expect(r.Receiver.Received()).To(BeEmpty())
	})

	// The text was written again after the pull request was opened, or somebody copied the digest of another article.
	It("says which text the approval in Git is for, and which one waits", func() {
		r := newRepository(attester)
		waits := r.sync().Status.Revision.Digest
		approve := func(digest string) *v1alpha1.Article {
			r.objects[0]["spec"].(map[string]any)["review"] = map[string]any{"decision": "Approved", "by": mara, "digest": digest}
			return r.sync()
		}
		other := "sha256:" + strings.Repeat("0", 64)
		a := approve(other)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(Reason(a, v1alpha1.ConditionReady)).To(Equal("True/ContentChanged"))
		ready := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionReady)
		Expect(ready.Message).To(Equal("the approval is for sha256:000000000000…, and the text in review is " + waits[:19] + "…; it is by " + mara))
		Expect(approve(waits).Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(r.Receiver.Received()).To(HaveLen(1))
	})

	for _, flags := range [][]string{nil, {"-force"}} {
		forBoth(fmt.Sprintf("mends a typo during and after delivery, and takes it back %v", flags), func(tool string) {
			r := newRepository(tool)
			uid := r.sync(flags...).UID
			ways["the plugin"](r)
			answer := r.HoldReceiver()
			r.Reconcile(r.key)
			r.write("They open in June.")
			out, err := r.try(flags...)
			Expect(err).NotTo(HaveOccurred(), out)
			answer()
			for _, text := range []string{"They open in June.", "They open in July."} {
				r.write(text)
				a := r.sync(flags...)
				Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
				Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("False/UpdatesFrozen"))
				Expect(Reason(a, v1alpha1.ConditionReady)).To(Equal("True/Delivered"))
			}
			r.write("They open in May.")
			a := r.sync(flags...)
			Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("True/UpToDate"))
			Expect(a.UID).To(Equal(uid), "the article was never deleted")
			Expect(r.Receiver.Received()).To(HaveLen(1))
		})
	}

	forBoth("prunes an article and creates it again: nothing is sent twice", func(tool string) {
		r := newRepository(tool)
		r.sync()
		ways["the plugin"](r)
		r.sync()
		r.prune()
		a := r.sync()
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("True/UpToDate"))
		r.prune()
		r.write("They open in June.")
		a = r.sync()
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("False/UpdatesFrozen"))
		Expect(r.Receiver.Received()).To(HaveLen(1))
	})

	It("makes an article again for another Site by force: nothing is sent twice to the first one", func() {
		r := newRepository(author)
		uid := r.sync().UID
		ways["the plugin"](r)
		r.sync()
		r.objects[0]["spec"].(map[string]any)["siteRef"] = map[string]any{"name": "other"}
		out, err := r.try()
		Expect(err).To(HaveOccurred())
		Expect(out).To(ContainSubstring("siteRef may not change"))
		a := r.sync("-force")
		Expect(a.UID).NotTo(Equal(uid))
		r.objects[0]["spec"].(map[string]any)["siteRef"] = map[string]any{"name": "acme"}
		r.sync("-force")
		Expect(r.Receiver.Received()).To(HaveLen(1))
	})

	forBoth("has an article that was exported with its status and annotations", func(tool string) {
		r := newRepository(tool)
		r.sync()
		ways["the plugin"](r)
		published := r.sync()
		out, err := kubectl(mara, "", "get", "article", r.key.Name, "-n", r.Namespace, "-o", "json")
		Expect(err).NotTo(HaveOccurred(), out)
		exported := map[string]any{}
		Expect(json.Unmarshal([]byte(out), &exported)).To(Succeed())
		// An old resourceVersion is a conflict for every object.
		delete(exported["metadata"].(map[string]any), "resourceVersion")
		delete(exported["metadata"].(map[string]any), "uid")
		if tool == author {
			delete(exported["spec"].(map[string]any), "review")
		}
		r.objects[0] = exported
		Expect(r.sync().Status).To(Equal(published.Status))
		r.prune()
		exported["metadata"].(map[string]any)["uid"] = string(published.UID)
		_, err = r.try()
		Expect(err).To(HaveOccurred(), "a uid is of one object")
		delete(exported["metadata"].(map[string]any), "uid")
		a := r.sync()
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("True/UpToDate"))
		Expect(r.Receiver.Received()).To(HaveLen(1))
	})

	forBoth("shares an article with another Kustomization", func(tool string) {
		r := newRepository(tool)
		other := *r
		r.sync()
		other.sync()
		ways["the plugin"](r)
		review := r.GetArticle(r.key).Spec.Review
		for range 2 {
			Expect(r.sync().Spec.Review).To(Equal(review))
			Expect(other.sync().Spec.Review).To(Equal(review))
		}
		Expect(r.GetArticle(r.key).Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(r.Receiver.Received()).To(HaveLen(1))
	})

	forBoth("has 200 objects, of which one article is invalid", func(tool string) {
		r := newRepository(tool)
		for n := range 198 {
			r.objects = append(r.objects, map[string]any{
				"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": fmt.Sprintf("file-%d", n), "namespace": r.Namespace},
			})
		}
		By("a text that cannot become an article, which is that article's alone")
		r.objects[0]["spec"].(map[string]any)["content"] = map[string]any{"title": "The huts", "markdown": "# The huts"}
		Expect(Reason(r.sync(), v1alpha1.ConditionReady)).To(Equal("False/InvalidContent"))

		By("a manifest that the schema refuses: Flux names it, and applies nothing of the commit, as for every kind")
		r.objects[0]["spec"].(map[string]any)["stage"] = "Live"
		before := r.appliedCommit()
		out, err := r.try()
		Expect(err).To(HaveOccurred())
		Expect(out).To(And(ContainSubstring("Article/"+r.Namespace+"/huts"), ContainSubstring("spec.stage")))
		Expect(r.appliedCommit()).To(Equal(before))

		By("mending it")
		r.objects[0] = r.manifest("huts", "They open in May.")
		Expect(r.sync().Status.Phase).To(Equal(v1alpha1.PhaseReview))
	})
})

// argoApply applies the repository as Argo CD does with ServerSideApply=true.
func (r *repository) argoApply() *v1alpha1.Article {
	GinkgoHelper()
	out, err := kubectl(r.tool, r.manifests(), "apply", "--server-side", "--force-conflicts", "--field-manager=argocd-controller", "-f", "-")
	Expect(err).NotTo(HaveOccurred(), out)
	Expect(r.appliedCommit()).To(Equal(strconv.Itoa(r.commit)))
	return r.ReconcileUntilStable(r.key)
}

// outOfSync is what Argo CD shows of the article in red, by its own comparison.
func (r *repository) outOfSync() string {
	GinkgoHelper()
	live, err := kubectl(mara, "", "get", "article", r.key.Name, "-n", r.Namespace, "-o", "json")
	Expect(err).NotTo(HaveOccurred(), live)
	wanted, err := json.Marshal(r.objects[0])
	Expect(err).NotTo(HaveOccurred())
	list := func(object string) string {
		return written(`{"apiVersion":"v1","kind":"List","items":[` + object + `]}`)
	}
	out, _ := run("", built("argodiff"), "-wanted", list(string(wanted)), "-live", list(live))
	return strings.TrimSpace(out)
}

var _ = Describe("A repository that Argo CD applies", func() {
	for way, approve := range ways {
		if strings.Contains(way, "merged") {
			continue
		}
		forBoth("is in sync after an approval by "+way+", which it keeps", func(tool string) {
			r := newRepository(tool)
			r.argoApply()
			approve(r)
			review := r.GetArticle(r.key).Spec.Review
			Expect(r.outOfSync()).To(BeEmpty())
			Expect(r.argoApply()).To(And(HaveField("Spec.Review", review), HaveField("Status.Phase", v1alpha1.PhasePublished)))
			r.write("They open in June.")
			Expect(r.outOfSync()).NotTo(BeEmpty())
			a := r.argoApply()
			Expect(r.outOfSync()).To(BeEmpty())
			Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("False/UpdatesFrozen"))
			Expect(a.Spec.Review).To(Equal(review))
			r.Clock.Step(time.Hour)
			r.ReconcileUntilStable(r.key)
			Expect(r.Receiver.Received()).To(HaveLen(1))
		})
	}
})

var _ = Describe("A generated text that is reviewed in Git", func() {
	DescribeTable("is exported by a viewer, merged and applied twice: it is published once, and its record names the reviewers", func(further ...string) {
		r := newRepository(attester)
		r.EditSite(func(s *v1alpha1.Site) { s.Spec.Review.Approvals = int32(1 + len(further)) })
		r.Generator.Does(func(_ context.Context, call int, q generate.Request, _ generate.Progress) (generate.Result, error) {
			result := Written(q.Keyword, call)
			result.Document.Markdown = "Run far. 🏔️  \nSay ${HOME}.\n\n---\n\n" + result.Document.Markdown
			return result, nil
		})
		r.key = r.CreateArticle("shoes", WithKeyword, ToBePublished)
		before := r.ReconcileUntilStable(r.key)
		Expect(before.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		used := r.Usage()

		By("exporting it")
		folder := GinkgoT().TempDir()
		args := []string{"export", "--phase=Review", "-n", r.Namespace, "-d", folder, "--kubeconfig=" + kubeconfig, "--as=" + viewer}
		approvals := []v1alpha1.ArticleApproval{}
		for _, by := range append(slices.Clone(further), mara) {
			args = append(args, "--approve-as="+by)
			if by != mara {
				approvals = append(approvals, v1alpha1.ArticleApproval{By: by})
			}
		}
		out, err := run("", built("kubectl-pressroom"), args...)
		Expect(err).NotTo(HaveOccurred(), out)

		By("applying what was merged")
		Expect(os.WriteFile(filepath.Join(folder, "kustomization.yaml"), []byte("resources: [shoes.yaml]\n"), 0o600)).To(Succeed())
		for range 2 {
			manifests, err := kubectl(viewer, "", "kustomize", folder)
			Expect(err).NotTo(HaveOccurred(), manifests)
			out, err := run("", built("fluxsync"), "-kubeconfig", kubeconfig, "-as", r.tool, written(manifests))
			Expect(err).NotTo(HaveOccurred(), out)
			a := r.ReconcileUntilStable(r.key)
			Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
			Expect(a.Status.Revision.Digest).To(Equal(before.Status.Revision.Digest))
			Expect(a.Status.Run).To(Equal(before.Status.Run))
			Expect(r.Receiver.Received()).To(HaveLen(1))
		}
		Expect(r.Generator.Calls()).To(Equal(1))
		Expect(r.Usage()).To(Equal(used), "no credit")

		posts := &v1alpha1.PostList{}
		Expect(api.List(r.Ctx, posts, client.InNamespace(r.Namespace))).To(Succeed())
		Expect(posts.Items).To(HaveLen(1))
		Expect(posts.Items[0].Spec.Records).To(ConsistOf(And(
			HaveField("Digest", before.Status.Revision.Digest), HaveField("By", mara), HaveField("Decision", v1alpha1.RecordApproved),
			HaveField("Disclosure", v1alpha1.DisclosureAIAssisted), HaveField("Approvals", ConsistOf(approvals)),
		)))
	},
		Entry("one reviewer"),
		Entry("two reviewers, where the site asks for two", "jo@acme.example"),
	)
})
