package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/revision"
	"github.com/pressroom-dev/pressroom/test/texts"
)

// apply applies a manifest as tools for GitOps do, and reconciles its article.
func (w *workspace) apply(manifest string) *v1alpha1.Article {
	GinkgoHelper()
	return w.reconcile(w.applied(manifest).Name)
}

// applied is the article that kube-apiserver has after a manifest was applied.
func (w *workspace) applied(manifest string) *v1alpha1.Article {
	GinkgoHelper()
	u := &unstructured.Unstructured{}
	Expect(yaml.Unmarshal([]byte(manifest), &u.Object)).To(Succeed())
	Expect(api.Apply(w.ctx, client.ApplyConfigurationFromUnstructured(u), client.FieldOwner("kustomize-controller"), client.ForceOwnership)).To(Succeed())
	return w.get(u.GetName())
}

// generates has the generator write a document.
func (w *workspace) generates(doc content.Document) {
	w.generator.Does(func(context.Context, int, generate.Request, generate.Progress) (generate.Result, error) {
		return generate.Result{Model: "small", Document: doc}, nil
	})
}

// usedCredits are those of the account.
func (w *workspace) usedCredits() int64 {
	GinkgoHelper()
	ledger := &v1alpha1.AccountLedger{}
	Expect(api.Get(w.ctx, client.ObjectKey{Name: w.Account}, ledger)).To(Succeed())
	return ledger.Spec.CreditsUsed
}

// replaceRevision makes the current revision of an article again, with changes and the right digest.
func (w *workspace) replaceRevision(name string, change func(r *v1alpha1.ArticleRevision)) {
	GinkgoHelper()
	a := w.get(name)
	r := &v1alpha1.ArticleRevision{}
	w.Get(a.Status.Revision.Name, r)
	Expect(api.Delete(w.ctx, r)).To(Succeed())
	r.ResourceVersion, r.UID = "", ""
	change(r)
	r.Spec.Digest = revision.Document(r).Digest()
	w.Create(r)
	a.Status.Revision.Digest = r.Spec.Digest
	Expect(api.Status().Update(w.ctx, a)).To(Succeed())
}

func read(path string) string {
	GinkgoHelper()
	data, err := os.ReadFile(path)
	Expect(err).NotTo(HaveOccurred())
	return string(data)
}

func writeFile(path, text string) {
	GinkgoHelper()
	Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
}

var _ = Describe("export", func() {
	It("writes a generated text that keeps its digest when it is applied, without a run or a credit", func() {
		w := newWorkspace()
		hard := texts.Hard()
		for _, name := range []string{
			"emoji", "begins with a code block", "a document marker", "substitutions", "CRLF", "U+2028", "marks of direction", "the longest text",
		} {
			article := "text-" + strings.ToLower(strings.NewReplacer(" ", "-", "+", "").Replace(name))
			doc, err := content.Normalize(content.Document{Title: "Shoes 🏔️", Markdown: hard[name], Language: "en"})
			Expect(err).NotTo(HaveOccurred(), name)
			w.generates(doc)
			inReview(w, article)
			before, calls, used := w.get(article), w.generator.Calls(), w.usedCredits()

			out := w.as(reader, "export", article, "--approve-as", "editors@acme.example")
			Expect(out).To(succeeding(), name)
			after := w.apply(out.Out)
			Expect(after.Status.Revision.Digest).To(Equal(before.Status.Revision.Digest), name)
			Expect(after.Status.Revision.Source).To(Equal(v1alpha1.SourceEdited), name)
			Expect(after.Status.Run).To(Equal(before.Status.Run), name)
			Expect(after.Status.Phase).To(Equal(v1alpha1.PhaseApproved), name)
			Expect(after.Spec.Review).To(HaveValue(Equal(v1alpha1.ArticleReview{Decision: v1alpha1.DecisionApproved, By: "editors@acme.example"})))
			Expect(w.generator.Calls()).To(Equal(calls), name)
			Expect(w.usedCredits()).To(Equal(used), name)
			r := &v1alpha1.ArticleRevision{}
			w.Get(after.Status.Revision.Name, r)
			Expect(r.Spec.Generator).NotTo(BeNil(), "the record of the generator is kept")
		}
	})

	It("gives as many approvals as it is told to, and warns if the site asks for more", func() {
		w := newWorkspace()
		site := w.SiteObject()
		site.Spec.Review.Approvals = 3
		Expect(api.Update(w.ctx, site)).To(Succeed())
		inReview(w, "shoes")
		out := w.as(reader, "export", "shoes", "--approve-as=mara", "--approve-as=jo")
		Expect(out).To(failing(0, "its site asks for 3 approvals, and the manifest gives 2"))
		Expect(w.apply(out.Out).Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(w.as(reader, "export", "shoes")).To(failing(1, "manifest approves the text"), "it is in Git now")
		inReview(w, "boots")
		out = w.as(reader, "export", "boots", "--approve-as=mara", "--approve-as=jo", "--approve-as=kim")
		Expect(out).To(succeeding())
		after := w.apply(out.Out)
		Expect(after.Status.Phase).To(Equal(v1alpha1.PhaseApproved))
		Expect(after.Spec.Approvals).To(Equal([]v1alpha1.ArticleApproval{{By: "mara"}, {By: "jo"}}))
		Expect(after.Spec.Review.By).To(Equal("kim"))
	})

	It("needs no right on Secrets, and gives the same bytes each time", func() {
		w := newWorkspace()
		inReview(w, "shoes")
		may := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{User: reader, ResourceAttributes: &authorizationv1.ResourceAttributes{
			Namespace: w.Workspace, Verb: "get", Resource: "secrets",
		}}}
		w.Create(may)
		Expect(may.Status.Allowed).To(BeFalse())
		folder := filepath.Join(GinkgoT().TempDir(), "new", "articles")
		for _, args := range [][]string{{"shoes"}, {"--phase", "Review"}, {"--phase=Review", "-l", "!team", "--approve-as=editors"}} {
			args = append([]string{"export"}, args...)
			first := w.as(reader, args...)
			Expect(first).To(succeeding())
			Expect(first.Out).NotTo(BeEmpty())
			Expect(w.as(reader, args...)).To(Equal(first))
			got := w.as(reader, append(args, "-d", folder)...)
			Expect(got).To(And(succeeding(), HaveField("Out", "article.pressroom.dev/shoes exported to "+folder+"/shoes.yaml\n")))
			Expect(read(filepath.Join(folder, "shoes.yaml"))).To(Equal(first.Out))
			Expect(w.as(reader, append(args, "-d", folder)...)).To(And(succeeding(), HaveField("Out", ContainSubstring("shoes unchanged in "))))
			Expect(os.Remove(filepath.Join(folder, "shoes.yaml"))).To(Succeed())
		}
	})

	It("selects articles by labels and phases, and writes one stream", func() {
		w := newWorkspace()
		for _, name := range []string{"boots", "huts", "shoes", "socks"} {
			inReview(w, name)
		}
		for _, name := range []string{"huts", "shoes"} {
			a := w.get(name)
			a.Labels = map[string]string{"team": "trail"}
			Expect(api.Update(w.ctx, a)).To(Succeed())
		}
		Expect(w.as(reviewer, "approve", "shoes")).To(succeeding())
		w.reconcile("shoes")
		exported := func(args ...string) []string {
			GinkgoHelper()
			got := w.as(reader, append([]string{"export"}, args...)...)
			Expect(got).To(succeeding())
			var all []string
			for doc := range strings.SplitSeq(got.Out, "---\n") {
				a := &v1alpha1.Article{}
				Expect(yaml.UnmarshalStrict([]byte(doc), a)).To(Succeed())
				all = append(all, a.Name)
			}
			return all
		}
		Expect(exported("--phase", "Review")).To(Equal([]string{"boots", "huts", "socks"}))
		Expect(exported("-l", "team=trail")).To(Equal([]string{"huts", "shoes"}))
		Expect(exported("-l", "team=trail", "--phase", "Approved,Scheduled")).To(Equal([]string{"shoes"}))
		Expect(exported("--phase", "Review", "--phase", "Approved")).To(Equal([]string{"shoes", "boots", "huts", "socks"}))
		Expect(exported("socks", "boots")).To(Equal([]string{"socks", "boots"}))

		Expect(w.as(reader, "export", "--phase", "Failed")).To(And(succeeding(), HaveField("Out", BeEmpty())))
		Expect(w.as(reader, "export")).To(failing(1, "name articles, or select them"))
		Expect(w.as(reader, "export", "shoes", "--phase", "Review")).To(failing(1, "and not both"))
		Expect(w.as(reader, "export", "--phase", "review")).To(failing(1, `not "review"`))
		Expect(w.as(reader, "export", "-l", "a=b=c")).To(failing(1, "--selector"))
		Expect(w.as(reader, "export", "shoes", "--approve-as", strings.Repeat("m", 254))).To(failing(1, "253 bytes"))
		Expect(w.as(reader, "export", "shoes", "--approve-as=mara", "--approve-as=mara")).To(failing(1, "names mara twice"))
		many := []string{"export", "shoes"}
		for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
			many = append(many, "--approve-as="+name)
		}
		Expect(w.as(reader, many...)).To(failing(1, "may be given 5 times"))
		Expect(completions("export", "--phase", "Ar")).To(ConsistOf("Archived"))
	})

	It("refuses a text that may not change, says why, and exports the others", func() {
		w := newWorkspace()
		published(w, "live")
		inReview(w, "shoes")
		inReview(w, "edited")
		a := w.get("edited")
		a.Spec.Content = &v1alpha1.ArticleContent{Title: "Boots"}
		Expect(api.Update(w.ctx, a)).To(Succeed())
		folder := GinkgoT().TempDir()
		got := w.as(reader, "export", "live", "edited", "nothing", "shoes", "-d", folder)
		Expect(got).To(And(
			failing(1, "article live: the text may not change while the article is being delivered or once it is published"),
			failing(1, "article edited: the text was edited, and there is no revision of it yet"), failing(1, `"nothing" not found`),
			HaveField("Out", HavePrefix("article.pressroom.dev/shoes exported to ")),
		))
		Expect(filepath.Glob(filepath.Join(folder, "*"))).To(ConsistOf(filepath.Join(folder, "shoes.yaml")))
	})

	It("exports the pending text of a published article whose Site updates posts", func() {
		w := newWorkspace()
		site := w.SiteObject()
		site.Spec.Publishing.Updates, site.Spec.CMS.Headless.Updates = v1alpha1.UpdatesReviewed, v1alpha1.HeadlessUpdatesRepublish
		Expect(api.Update(w.ctx, site)).To(Succeed())
		published(w, "shoes")
		Expect(w.as(author, "regenerate", "shoes")).To(succeeding())
		before := w.reconcile("shoes")
		Expect(before.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		got := w.as(reader, "export", "shoes")
		Expect(got).To(And(succeeding(), HaveField("Out", ContainSubstring("Text 2 about shoes."))))
		after := w.apply(got.Out)
		Expect(after.Status.Revision.Digest).To(Equal(before.Status.Revision.Digest))
		Expect(w.generator.Calls()).To(Equal(2))
	})

	It("replaces a file of the article alone, and follows no link out of the folder", func() {
		w := newWorkspace()
		inReview(w, "shoes")
		inReview(w, "boots")
		folder, outside := GinkgoT().TempDir(), filepath.Join(GinkgoT().TempDir(), "secret")
		file := filepath.Join(folder, "shoes.yaml")
		writeFile(file, "apiVersion: pressroom.dev/v1alpha1\nkind: Article\nmetadata: {name: shoes}\n")
		Expect(w.as(reader, "export", "shoes", "-d", folder)).To(succeeding())
		Expect(read(file)).To(ContainSubstring("Text 1 about shoes."))

		const other = "apiVersion: v1\nkind: Secret\nmetadata: {name: shoes}\n"
		writeFile(file, other)
		Expect(w.as(reader, "export", "--phase=Review", "-d", folder)).To(And(
			failing(1, "article shoes: "+file+" stays as it is: it has an object of the kind Secret"),
			HaveField("Out", ContainSubstring("boots exported to ")),
		))
		Expect(read(file)).To(Equal(other))

		writeFile(outside, other)
		Expect(os.Remove(file)).To(Succeed())
		Expect(os.Symlink(outside, file)).To(Succeed())
		Expect(w.as(reader, "export", "shoes", "-d", folder)).To(failing(1, "article shoes: "))
		Expect(read(outside)).To(Equal(other))
	})

	It("exports no text that was deleted, or that is not the current one", func() {
		w := newWorkspace()
		inReview(w, "shoes")
		a := w.get("shoes")
		r := &v1alpha1.ArticleRevision{}
		w.Get(a.Status.Revision.Name, r)
		Expect(api.Delete(w.ctx, r)).To(Succeed())
		Expect(w.as(reader, "export", "shoes")).To(failing(1, `"`+r.Name+`" not found`))
		r.ResourceVersion, r.UID, r.Spec.Markdown = "", "", "Buy now."
		w.Create(r)
		Expect(w.as(reader, "export", "shoes")).To(And(failing(1, "do not decide on it"), HaveField("Out", BeEmpty())))
		Expect(api.Delete(w.ctx, r)).To(Succeed())
		r.ResourceVersion, r.UID, r.Spec.Digest = "", "", revision.Document(r).Digest()
		w.Create(r)
		Expect(w.as(reader, "export", "shoes")).To(failing(1, "has been replaced"))
	})

	It("warns if the approval is also for what nobody has read", func() {
		w := newWorkspace()
		inReview(w, "shoes")
		sum := strings.Repeat("0a", 32)
		w.replaceRevision("shoes", func(r *v1alpha1.ArticleRevision) {
			r.Spec.Image = &v1alpha1.RevisionImage{
				ArticleImage: v1alpha1.ArticleImage{URL: "https://acme.example/shoes.png", Alt: "Shoes."},
				ImageFile:    v1alpha1.ImageFile{SHA256: sum, Type: "image/png", Width: 1, Height: 1, Bytes: 1},
			}
		})
		Expect(w.as(reader, "export", "shoes")).To(And(succeeding(), HaveField("Out", ContainSubstring("# SHA-256 of the image: "+sum+"\n"))))
		Expect(w.as(reader, "export", "shoes", "--approve-as=editors")).To(failing(0, "Warning: article shoes: the approval is also for the image"))
	})

	It("warns if the text would have another digest", func() {
		w := newWorkspace()
		inReview(w, "shoes")
		w.replaceRevision("shoes", func(r *v1alpha1.ArticleRevision) { r.Spec.Title = "Text 1 about shoes." })
		got := w.as(reader, "export", "shoes")
		Expect(got).To(failing(0, "Warning: article shoes: if the text is applied, its digest becomes sha256:"))
		Expect(got.Problems).To(ContainSubstring("lines that repeat its title are removed"))
		after := w.apply(got.Out)
		Expect(got.Problems).To(ContainSubstring(after.Status.Revision.Digest))

		inReview(w, "boots")
		site := w.SiteObject()
		site.Spec.BrandVoice.Language = "de"
		Expect(api.Update(w.ctx, site)).To(Succeed())
		got = w.as(reader, "export", "boots")
		Expect(got).To(failing(0, "it is in the language of the site, de, and the revision in en"))
		Expect(got.Problems).To(ContainSubstring(w.apply(got.Out).Status.Revision.Digest))
	})
})
