package article_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/revision"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

// A revision is a function of the manifest and of the latest generated text, never of the edits before.
var _ = Describe("A revision", func() {
	It("gives the generated fields and body back when the author takes away what lay over them", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("shoes", WithKeyword)
		generated := t.Revision(t.ReconcileUntilStable(key))
		t.EditArticle(key, WithText("Mine", "My words."))
		for n := range 4 { // more than the history keeps
			t.EditArticle(key, WithText("Mine", fmt.Sprintf("My words, for the %d. time.", n)))
			t.ReconcileUntilStable(key)
		}
		t.EditArticle(key, func(a *v1alpha1.Article) {
			a.Spec.Content = &v1alpha1.ArticleContent{Title: "Mine", MetaDescription: "About my shoes."}
		})
		over := t.Revision(t.ReconcileUntilStable(key)).Spec
		Expect(over.Markdown).To(Equal(generated.Spec.Markdown))
		Expect(over.FAQ).To(Equal(generated.Spec.FAQ))
		Expect([]string{over.Title, over.MetaDescription}).To(Equal([]string{"Mine", "About my shoes."}))

		t.EditArticle(key, func(a *v1alpha1.Article) { a.Spec.Content.MetaDescription = "" })
		Expect(t.Revision(t.ReconcileUntilStable(key)).Spec.MetaDescription).To(Equal(generated.Spec.MetaDescription))
		t.EditArticle(key, func(a *v1alpha1.Article) { a.Spec.Content = nil })
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Revision).To(And(HaveField("Digest", generated.Spec.Digest), HaveField("Source", v1alpha1.SourceGenerated),
			HaveField("Number", BeNumerically(">", generated.Spec.Number))))
		Expect(t.Generator.Calls()).To(Equal(1))
	})

	It("of a run has nothing of the author's, whose fields lie over it in another one", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("shoes", WithKeyword, WithText("Mine", ""))
		t.Client.Writes()
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Revision).To(And(HaveField("Title", "Mine"), HaveField("Number", int32(2)), HaveField("Source", v1alpha1.SourceEdited)))
		Expect(a.Status.GeneratedNumber).To(Equal(int32(1)))
		Expect(a.Status.Run.Name).To(HaveSuffix("-1"))
		Expect(t.Client.Writes()).To(HaveLen(5), "charged, run ahead, two revisions, status once")
		t.EditArticle(key, func(a *v1alpha1.Article) { a.Spec.Content = nil })
		Expect(t.Revision(t.ReconcileUntilStable(key)).Spec.Title).To(Equal("All about trail running shoes"))
	})

	It("that is no longer live, generated or the first is given up when a published article has been quiet", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("shoes", WithKeyword)
		t.ReconcileUntilStable(key)
		for n := range 3 {
			t.EditArticle(key, WithText("Mine", fmt.Sprintf("My words, for the %d. time.", n)))
			t.ReconcileUntilStable(key)
		}
		t.ApproveAndPublish(key)
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(a.Status.History).To(Equal([]int32{3, 2, 1}))
		numbers := func() (numbers []int32) {
			for _, n := range append(a.Status.History, a.Status.Revision.Number) {
				rev := &v1alpha1.ArticleRevision{}
				name := types.NamespacedName{Namespace: key.Namespace, Name: revision.Name(a, n)}
				if err := t.API.Get(t.Ctx, name, rev); err == nil {
					numbers = append(numbers, n)
				} else {
					Expect(apierrors.IsNotFound(err)).To(BeTrue())
				}
			}
			return numbers
		}
		t.Clock.Step(lifecycle.QuietPeriod - time.Hour)
		t.ReconcileUntilStable(key)
		Expect(numbers()).To(Equal([]int32{3, 2, 1, 4}))
		t.Clock.Step(time.Hour)
		after := t.ReconcileUntilStable(key)
		Expect(numbers()).To(Equal([]int32{1, 4}))
		Expect(after.Status.History).To(Equal([]int32{1}))
		Expect(after.Status.RevisionKiB).To(HaveLen(2))
		Expect(lifecycle.KeptRevisions(after)).To(Equal([]int32{4, 1}))

		By("a change of the manifest, which finds the generated text again")
		t.EditArticle(key, func(a *v1alpha1.Article) { a.Spec.Content = nil })
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhasePublished))
	})

	It("says where its text comes from, and what wrote it", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("shoes", WithKeyword)
		generated := t.Revision(t.ReconcileUntilStable(key)).Spec
		Expect(generated).To(And(HaveField("Source", v1alpha1.SourceGenerated), HaveField("BasedOn", BeNil())))
		for _, change := range []func(*v1alpha1.Article){WithText("Mine", ""), WithText("Mine", "My words.")} {
			t.EditArticle(key, change)
			Expect(t.Revision(t.ReconcileUntilStable(key)).Spec).To(And(HaveField("Source", v1alpha1.SourceEdited),
				HaveField("Generator", generated.Generator), HaveField("BasedOn", &v1alpha1.RevisionBase{Number: 1})))
		}
		t.EditArticle(key, func(a *v1alpha1.Article) { a.Spec.Content = nil })
		Expect(t.Revision(t.ReconcileUntilStable(key)).Spec).To(And(HaveField("Source", v1alpha1.SourceGenerated),
			HaveField("Generator", generated.Generator), HaveField("BasedOn", BeNil())))

		By("an author who asks for no generated text")
		t.EditArticle(key, func(a *v1alpha1.Article) {
			WithText("Mine", "My own words.")(a)
			a.Spec.Generate = nil
		})
		Expect(t.Revision(t.ReconcileUntilStable(key)).Spec).To(And(HaveField("Source", v1alpha1.SourceWritten),
			HaveField("Generator", BeNil()), HaveField("BasedOn", BeNil())))
	})

	It("that kube-apiserver refuses is tried again later, and the article says so", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("shoes", WithText("Shoes", "Grip is all."))
		full := apierrors.NewForbidden(schema.GroupResource{Resource: "articlerevisions"}, "shoes-1", errors.New("exceeded quota: pressroom"))
		t.Client.Before = func(write string) error {
			if strings.HasPrefix(write, "create") {
				return full
			}
			return nil
		}
		a := t.ReconcileUntilStable(key)
		Expect(Reason(a, v1alpha1.ConditionReady)).To(Equal("False/RevisionRefused"))
		Expect(a.Status.ObservedGeneration).To(Equal(a.Generation))
		Expect(a.Status.Conditions).To(ContainElement(HaveField("Message", ContainSubstring("exceeded quota: pressroom"))))
		t.Client.Before = NoFault
		Expect(t.ReconcileUntilStable(key).Status.Revision.Title).To(Equal("Shoes"))
	})

	It("of a generated text that kube-apiserver refuses makes the article say so, and is tried again without the model", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("shoes", WithKeyword)
		full := apierrors.NewForbidden(schema.GroupResource{Resource: "articlerevisions"}, "shoes-1", errors.New("exceeded quota: pressroom"))
		t.Client.Before = func(write string) error {
			if strings.HasPrefix(write, "create") {
				return full
			}
			return nil
		}
		t.Reconcile(key)
		<-t.Notified
		t.Reconcile(key)
		a := t.GetArticle(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseGenerating))
		Expect(Reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/RevisionRefused"))
		Expect(Reason(a, v1alpha1.ConditionReady)).To(Equal("False/RevisionRefused"))
		Expect(a.Status.Conditions).To(ContainElement(HaveField("Message", ContainSubstring("exceeded quota: pressroom"))))
		t.Client.Before = NoFault
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(t.Generator.Calls()).To(Equal(1))
	})

	It("is not made of a body and the title of an earlier text", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("shoes", WithKeyword)
		t.ReconcileUntilStable(key)
		t.EditArticle(key, WithText("", "My words."))
		a := t.ReconcileUntilStable(key)
		Expect(Reason(a, v1alpha1.ConditionReady)).To(Equal("False/InvalidContent"))
		Expect(Reason(a, v1alpha1.ConditionStalled)).To(Equal("True/InvalidContent"))
		t.EditArticle(key, WithText("", "# Mine\n\nMy words."))
		Expect(t.ReconcileUntilStable(key).Status.Revision.Title).To(Equal("Mine"))
	})

	It("that is outdated is not published while a run for what replaces it has failed", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("shoes", WithKeyword, WithText("Mine", "My words."))
		t.ReconcileUntilStable(key)
		t.Generator.Does(func(context.Context, int, generate.Request, generate.Progress) (generate.Result, error) {
			return generate.Result{}, &generate.Error{Reason: v1alpha1.ReasonRefused, Message: "the model would not"}
		})
		t.ApproveAndPublish(key)
		t.EditArticle(key, func(a *v1alpha1.Article) { a.Spec.Content = nil })
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseFailed))
		Expect(Reason(a, v1alpha1.ConditionReady)).To(Equal("False/GenerationFailed"))
		Expect(t.Receiver.Received()).To(BeEmpty())
	})

	It("of an earlier text is kept although later runs failed, and deleted later if that failed", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("hello", WithKeyword, WithText("Hello", "Text 1."))
		t.ReconcileUntilStable(key)
		t.Generator.Does(func(context.Context, int, generate.Request, generate.Progress) (generate.Result, error) {
			return generate.Result{}, &generate.Error{Reason: v1alpha1.ReasonRefused, Message: "the model would not"}
		})
		t.EditArticle(key, func(a *v1alpha1.Article) { a.Spec.Content = nil })
		for range 3 {
			t.EditArticle(key, func(a *v1alpha1.Article) { a.Spec.Generate.Keyword += "!" })
			t.ReconcileUntilStable(key)
		}
		write := func(text string) {
			t.EditArticle(key, WithText("Hello", text))
			t.ReconcileUntilStable(key)
		}
		write("Text 2.")
		Expect(t.revisionNumbers()).To(ConsistOf("1", "5"), "three runs have failed")
		write("Text 3.")
		write("Text 4.")
		t.Client.Before = func(write string) error {
			if strings.HasPrefix(write, "delete") {
				return errors.New("kube-apiserver is down")
			}
			return nil
		}
		t.EditArticle(key, WithText("Hello", "Text 5."))
		_, err := t.Articles.Reconcile(t.Ctx, Request(key))
		Expect(err).To(MatchError(ContainSubstring("is down")))
		t.Client.Before = NoFault
		t.Restart()
		t.ReconcileUntilStable(key)
		write("Text 6.")
		Expect(t.revisionNumbers()).To(ConsistOf("1", "7", "8", "9"), "the first is always kept")
	})

	It("has the same digest whatever the order of edits before it, and on a rebuilt cluster", func() {
		for seed := range uint64(3) {
			random := rand.New(rand.NewPCG(seed, 9))
			t := newWalkTenant()
			key := t.CreateArticle("walk", WithKeyword)
			var edits []string
			for range 7 {
				edit := walkEdits[random.IntN(len(walkEdits))]
				edits = append(edits, edit.name)
				t.EditArticle(key, edit.change)
				if random.IntN(4) > 0 {
					t.ReconcileUntilStable(key)
				}
			}
			walked := t.ReconcileUntilStable(key)

			rebuilt := newWalkTenant()
			fresh := rebuilt.CreateArticle("walk", func(a *v1alpha1.Article) { walked.Spec.DeepCopyInto(&a.Spec) })
			want := rebuilt.ReconcileUntilStable(fresh)
			why := fmt.Sprintf("seed %d: %v to %+v", seed, edits, walked.Spec.Content)
			Expect(Reason(walked, v1alpha1.ConditionReady)).To(Equal(Reason(want, v1alpha1.ConditionReady)), why)
			if Reason(want, v1alpha1.ConditionReady) == "True/AwaitingReview" {
				Expect(walked.Status.Revision.Digest).To(Equal(want.Status.Revision.Digest), why)
			}
		}
	})
})

// newWalkWorld has a generator whose text depends on the request alone.
func newWalkTenant() *tenant {
	t := newTenant()
	t.CreateSite()
	t.Generator.Does(func(_ context.Context, _ int, r generate.Request, _ generate.Progress) (generate.Result, error) {
		return Written(r.Keyword, len(r.Keyword)), nil
	})
	return t
}

// walkEdit is what an author may do to an article with a keyword.
type walkEdit struct {
	name   string
	change func(*v1alpha1.Article)
}

// inContent changes one field, and leaves no content without any.
func inContent(name string, change func(*v1alpha1.ArticleContent)) walkEdit {
	return walkEdit{name, func(a *v1alpha1.Article) {
		if a.Spec.Content == nil {
			a.Spec.Content = &v1alpha1.ArticleContent{}
		}
		change(a.Spec.Content)
		if c := a.Spec.Content; c.Title+c.Slug+c.Markdown+c.MetaTitle+c.MetaDescription == "" && len(c.FAQ) == 0 {
			a.Spec.Content = nil
		}
	}}
}

var walkEdits = []walkEdit{
	inContent("title", func(c *v1alpha1.ArticleContent) { c.Title = "Mine" }),
	inContent("another title", func(c *v1alpha1.ArticleContent) { c.Title = "Yours" }),
	inContent("no title", func(c *v1alpha1.ArticleContent) { c.Title = "" }),
	inContent("slug", func(c *v1alpha1.ArticleContent) { c.Slug = "mine" }),
	inContent("no slug", func(c *v1alpha1.ArticleContent) { c.Slug = "" }),
	inContent("meta title", func(c *v1alpha1.ArticleContent) { c.MetaTitle = "Mine, in short" }),
	inContent("no meta title", func(c *v1alpha1.ArticleContent) { c.MetaTitle = "" }),
	inContent("meta description", func(c *v1alpha1.ArticleContent) { c.MetaDescription = "About mine." }),
	inContent("no meta description", func(c *v1alpha1.ArticleContent) { c.MetaDescription = "" }),
	inContent("questions", func(c *v1alpha1.ArticleContent) { c.FAQ = []v1alpha1.FAQ{{Question: "Whose?", Answer: "Mine."}} }),
	inContent("no questions", func(c *v1alpha1.ArticleContent) { c.FAQ = nil }),
	inContent("body", func(c *v1alpha1.ArticleContent) { c.Markdown = "# A heading\n\nMy words.\n\n## FAQ\n\n### Why?\n\nSo." }),
	inContent("another body", func(c *v1alpha1.ArticleContent) { c.Markdown = "Your words." }),
	inContent("no body", func(c *v1alpha1.ArticleContent) { c.Markdown = "" }),
	{"no content", func(a *v1alpha1.Article) { a.Spec.Content = nil }},
	{"keyword", func(a *v1alpha1.Article) { a.Spec.Generate.Keyword = "road running shoes" }},
	{"the first keyword", func(a *v1alpha1.Article) { a.Spec.Generate.Keyword = "trail running shoes" }},
	{"another text", func(a *v1alpha1.Article) {
		a.Annotations = map[string]string{v1alpha1.RegenerateAnnotation: strconv.FormatInt(a.Generation, 10)}
	}},
}

// revisionNumbers are the numbers of all revisions.
func (t *tenant) revisionNumbers() []string {
	var numbers []string
	for _, rev := range t.Revisions() {
		numbers = append(numbers, rev.Name[strings.LastIndexByte(rev.Name, '-')+1:])
	}
	return numbers
}
