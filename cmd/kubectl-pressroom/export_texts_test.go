package main

import (
	"context"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/listing"
	"github.com/pressroom-dev/pressroom/internal/manifest"
	"github.com/pressroom-dev/pressroom/internal/revision"
	"github.com/pressroom-dev/pressroom/test/texts"
)

// corpus are articles with a generated text each, as their status and their revision are: 500 texts as runs leave them, and the texts
// that no run leaves, because they have no words.
func corpus(w *workspace) (articles []*v1alpha1.Article, revisions []*v1alpha1.ArticleRevision) {
	const wanted = 500
	hard := texts.Hard()
	all := make([]string, 0, wanted)
	for _, name := range slices.Sorted(maps.Keys(hard)) {
		all = append(all, hard[name])
	}
	normal := 0
	for i, text := range append(all, texts.Random(43, 2*wanted)...) {
		if normal == wanted {
			break
		}
		a := &v1alpha1.Article{
			ObjectMeta: metav1.ObjectMeta{Namespace: w.Workspace, Name: fmt.Sprintf("text-%03d", i)},
			Spec: v1alpha1.ArticleSpec{
				SiteRef: v1alpha1.LocalReference{Name: w.Site}, Stage: v1alpha1.StageReview,
				Generate: &v1alpha1.GenerateRequest{Keyword: fmt.Sprintf("shoes: 🏔️ #%d", i), SecondaryKeywords: []string{"no", "1e3", "grip\u2028"}, Tone: "calm\nand: yes "},
			},
		}
		title := fmt.Sprintf("Shoes %d: 🏔️", i)
		doc, err := content.Normalize(content.Document{
			Title: title, Slug: "shoes", Markdown: text, Language: "en",
			FAQ: []v1alpha1.FAQ{{Question: "Why, 🏔️?", Answer: "Because:\n\n" + text[:min(len(text), 900)] + "."}},
		})
		if err == nil {
			normal++
		} else {
			doc = content.Document{Title: title, Language: "en", Markdown: text}
		}
		r := revision.New(a, doc, revision.Origin{Name: a.Name + "-1", Number: 1, Source: v1alpha1.SourceGenerated})
		a.Status.Run = &v1alpha1.GenerationRun{Number: 1, State: v1alpha1.RunSucceeded, RequestHash: lifecycle.RequestHash(a.Spec.Generate)}
		a.Status.Revision = &v1alpha1.CurrentRevision{Name: r.Name, Number: 1, Source: r.Spec.Source, Digest: r.Spec.Digest}
		articles, revisions = append(articles, a), append(revisions, r)
	}
	return articles, revisions
}

var _ = Describe("500 exported texts", func() {
	It("are the same ones after kustomize and kube-apiserver have read them, and nothing is generated", func() {
		w := newWorkspace()
		articles, revisions := corpus(w)
		folder := GinkgoT().TempDir()
		index := []string{"resources:"}
		byName, created := map[string]*unstructured.Unstructured{}, 0
		for i, a := range articles {
			data, err := manifest.Write(manifest.Article(a, revisions[i]), comments(a, revisions[i]))
			Expect(err).NotTo(HaveOccurred(), "%q", revisions[i].Spec.Markdown)
			// Export warns of a text that kustomize cannot write. Server-side apply cannot read it either, so it is created.
			if manifest.CheckKustomize(data, manifest.Article(a, revisions[i])) != nil {
				u := &unstructured.Unstructured{}
				Expect(yaml.Unmarshal(data, &u.Object)).To(Succeed())
				Expect(api.Create(w.ctx, u)).To(Succeed())
				created++
				continue
			}
			writeFile(filepath.Join(folder, a.Name+".yaml"), string(data))
			index = append(index, "- "+a.Name+".yaml")
		}
		writeFile(filepath.Join(folder, "kustomization.yaml"), strings.Join(index, "\n"))
		Expect(created).To(Equal(1), "the text with U+FFFE")

		By("building them with kustomize, as Flux and Argo CD do")
		built, err := exec.CommandContext(w.ctx, filepath.Join(cluster.BinaryAssetsDirectory, "kubectl"), "kustomize", folder).CombinedOutput()
		Expect(err).NotTo(HaveOccurred(), "%.2000s", built)
		for doc := range strings.SplitSeq(string(built), "\n---\n") {
			u := &unstructured.Unstructured{}
			Expect(yaml.Unmarshal([]byte(doc), &u.Object)).To(Succeed())
			byName[u.GetName()] = u
		}

		By("applying them")
		applying, ctx := errgroup.WithContext(w.ctx)
		applying.SetLimit(8)
		for _, a := range articles {
			u := byName[a.Name]
			if u == nil {
				continue
			}
			applying.Go(func() error {
				return api.Apply(ctx, client.ApplyConfigurationFromUnstructured(u), client.FieldOwner("kustomize-controller"))
			})
		}
		Expect(applying.Wait()).To(Succeed())

		By("comparing what kube-apiserver has")
		same := 0
		s := &session{Client: api, namespace: w.Workspace}
		site := w.SiteObject()
		Expect(listing.Each(context.Background(), s, &v1alpha1.ArticleList{}, func(got *v1alpha1.Article) {
			i := slices.IndexFunc(articles, func(a *v1alpha1.Article) bool { return a.Name == got.Name })
			r := revisions[i]
			Expect(got.Spec.Generate).To(Equal(articles[i].Spec.Generate))
			Expect(got.Spec.Content).To(Equal(manifest.Content(r)))
			got.Status = articles[i].Status
			Expect(lifecycle.MakingOf(got, site)).To(Equal(lifecycle.RevisionDue), "no run is due")
			// What has no words is no article.
			if doc, err := revision.Compose(content.Document{}, got.Spec.Content, "en"); err == nil {
				Expect(doc.Digest()).To(Equal(r.Spec.Digest), "%q", r.Spec.Markdown)
				same++
			}
		}, client.InNamespace(w.Workspace))).To(Succeed())
		Expect(same).To(Equal(500), "of %d", len(articles))
	})
})
