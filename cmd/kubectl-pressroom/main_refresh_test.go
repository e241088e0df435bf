package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	authorizationv1 "k8s.io/api/authorization/v1"
	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/project"
)

var _ = Describe("config/samples/extra/refresh.yaml", func() {
	It("asks for another text of old published articles with the label, with the rights of its ServiceAccount", func() {
		w := newWorkspace()
		manifest, err := os.ReadFile(filepath.Join(project.Root(), "config", "samples", "extra", "refresh.yaml"))
		Expect(err).NotTo(HaveOccurred())
		file := filepath.Join(GinkgoT().TempDir(), "refresh.yaml")
		Expect(os.WriteFile(file, []byte(strings.ReplaceAll(string(manifest), "acme-blog", w.Workspace)), 0o600)).To(Succeed())
		kubectl := w.kubectl()
		Expect(kubectl("kubectl apply --server-side -f " + file)).To(succeeding())

		published(w, "old")
		published(w, "new")
		published(w, "other")
		inReview(w, "waits")
		for _, name := range []string{"old", "new", "waits"} {
			a := w.get(name)
			metav1.SetMetaDataLabel(&a.ObjectMeta, "refresh", "half-yearly")
			Expect(api.Update(w.ctx, a)).To(Succeed())
		}
		for name, days := range map[string]int{"old": 181, "new": 179, "other": 181, "waits": 181} {
			a := w.get(name)
			a.Status.Revision.CreationTime = v1alpha1.NewMicroTime(time.Now().AddDate(0, 0, -days))
			Expect(api.Status().Update(w.ctx, a)).To(Succeed())
		}

		documents := strings.Split(string(manifest), "---\n")
		job := &batchv1.CronJob{}
		Expect(yaml.UnmarshalStrict([]byte(documents[len(documents)-1]), job)).To(Succeed())
		container := job.Spec.JobTemplate.Spec.Template.Spec.Containers[0]
		Expect(container.Command).To(Equal([]string{"sh", "-euc"}))
		w.actAs("refresh")
		got := kubectl("set -eu; export KUBECONFIG=" + w.kubeconfigOf("refresh") + "\n" + container.Args[0])
		Expect(got).To(And(succeeding(), HaveField("Out", "article.pressroom.dev/old annotated\n")), got.Problems)
		Expect(w.get("old").Annotations).To(HaveKey(v1alpha1.RegenerateAnnotation))
		for _, name := range []string{"new", "other", "waits"} {
			Expect(w.get(name).Annotations).NotTo(HaveKey(v1alpha1.RegenerateAnnotation), name)
		}
		for _, wrong := range []string{"get secrets", "delete article old", "get sites.pressroom.dev"} {
			Expect(kubectl("export KUBECONFIG=" + w.kubeconfigOf("refresh") + "; kubectl -n acme-blog " + wrong)).To(failing(1, "forbidden"))
		}
	})
})

// actAs waits until a ServiceAccount of the workspace may list articles.
func (w *workspace) actAs(account string) {
	GinkgoHelper()
	Eventually(func(ctx context.Context) (bool, error) {
		may := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
			User: w.serviceAccount(account), ResourceAttributes: &authorizationv1.ResourceAttributes{
				Namespace: w.Workspace, Verb: "list", Group: v1alpha1.GroupVersion.Group, Resource: "articles",
			},
		}}
		err := api.Create(ctx, may)
		return may.Status.Allowed, err
	}).WithContext(w.ctx).Should(BeTrue())
}

func (w *workspace) serviceAccount(name string) string {
	return "system:serviceaccount:" + w.Workspace + ":" + name
}

// kubeconfigOf writes a kubeconfig that acts as a ServiceAccount of the workspace, and returns its path.
func (w *workspace) kubeconfigOf(account string) string {
	GinkgoHelper()
	config, err := clientcmd.LoadFromFile(kubeconfig)
	Expect(err).NotTo(HaveOccurred())
	for _, user := range config.AuthInfos {
		user.Impersonate = w.serviceAccount(account)
	}
	path := filepath.Join(GinkgoT().TempDir(), "kubeconfig")
	Expect(clientcmd.WriteToFile(*config, path)).To(Succeed())
	return path
}
