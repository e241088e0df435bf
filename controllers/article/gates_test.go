package article_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/related"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/scripted"
)

var _ = Describe("What is approved automatically", func() {
	automatic := func(s *v1alpha1.Site) { s.Spec.Review.Policy = v1alpha1.ReviewAutomatic }

	It("does not fail a gate, unless a person approves it", func() {
		t := newTenant()
		t.CreateSite(automatic)
		key := t.CreateArticle("filler", WithText("Filler", "Lorem ipsum dolor sit amet, consectetur adipiscing elit."), ToBePublished)
		a := t.ReconcileUntilStable(key)
		Expect(Reason(a, v1alpha1.ConditionApproved)).To(Equal("False/GateFailed"))
		Expect(a.Status.Revision.FailedGates).To(ContainElement("placeholders"))
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(t.Receiver.Received()).To(BeEmpty())

		t.ApproveAndPublish(key)
		a = t.ReconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
	})

	It("has the minimum score", func() {
		t := newTenant()
		t.CreateSite(automatic, func(s *v1alpha1.Site) { s.Spec.Review.MinimumScore = 100 })
		a := t.ReconcileUntilStable(t.CreateArticle("shoes", WithKeyword, ToBePublished))
		Expect(Reason(a, v1alpha1.ConditionApproved)).To(Equal("False/GateFailed"))
		Expect(a.Status.Revision.FailedGates).To(BeEmpty())
	})

	// The model answers with its articles, each with a remain that answer puts in.
	answers := func(t *tenant, answer func(text string) string) {
		handler, err := scripted.Handler("perfect")
		Expect(err).NotTo(HaveOccurred())
		client := scripted.Client(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			plain := httptest.NewRecorder()
			handler.ServeHTTP(plain, r)
			var body struct {
				Choices []struct {
					Message struct {
						Content string `json:"content"`
					} `json:"message"`
				} `json:"choices"`
			}
			Expect(json.Unmarshal(plain.Body.Bytes(), &body)).To(Succeed())
			message := map[string]string{"content": answer(body.Choices[0].Message.Content)}
			_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"finish_reason": "stop", "message": message}}})
		}))
		model, err := generate.New(generate.Config{Type: "OpenAI", Model: "m", BaseURL: "http://scripted.invalid/v1", HTTPClient: client})
		Expect(err).NotTo(HaveOccurred())
		t.Generator.Does(func(ctx context.Context, _ int, r generate.Request, p generate.Progress) (generate.Result, error) {
			return model.Generate(ctx, r, p)
		})
	}

	It("has no remains of the model's answer", func() {
		t := newTenant()
		t.CreateSite(automatic)
		answers(t, func(text string) string { return strings.Replace(text, ". ", " <|im_end|> so. ", 1) })
		key := t.CreateArticle("shoes", WithKeyword, ToBePublished)
		a := t.ReconcileUntilStable(key)
		Expect(Reason(a, v1alpha1.ConditionApproved)).To(Equal("False/GateFailed"))
		Expect(a.Status.Revision.FailedGates).To(Equal([]string{"remains"}))
		Expect(t.Receiver.Received()).To(BeEmpty())

		By("editing the title, which leaves the model's body")
		t.EditArticle(key, func(a *v1alpha1.Article) { a.Spec.Content = &v1alpha1.ArticleContent{Title: "Other shoes"} })
		a = t.ReconcileUntilStable(key)
		Expect(a.Status.Revision.Source).To(Equal(v1alpha1.SourceEdited))
		Expect(a.Status.Revision.FailedGates).To(Equal([]string{"remains"}))
		Expect(t.Receiver.Received()).To(BeEmpty())
	})

	It("is what a model wrote around the remains that can be told from the text", func() {
		t := newTenant()
		t.CreateSite(automatic)
		answers(t, func(text string) string {
			return "<thinking>They want shoes.</thinking>\n```markdown\n" + text + "\n```<|im_end|>"
		})
		a := t.ReconcileUntilStable(t.CreateArticle("shoes", WithKeyword, ToBePublished))
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(t.Receiver.Received()).To(HaveLen(1))
		Expect(t.Receiver.Received()[0].Body).NotTo(Or(ContainSubstring("They want"), ContainSubstring("```"), ContainSubstring("im_end")))
	})

	It("may be an author's text about the signs of models", func() {
		t := newTenant()
		t.CreateSite(automatic)
		a := t.ReconcileUntilStable(t.CreateArticle("signs", WithText("Signs", "Models end a turn with <|im_end|> and their reasoning with `</think>`."), ToBePublished))
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
	})

	It("does not repeat a published text", func() {
		t := newTenant()
		t.CreateSite(automatic)
		text := longText()
		first := t.ReconcileUntilStable(t.CreateArticle("first", WithText("First", text), ToBePublished))
		Expect(first.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(first.Status.Revision.Fingerprint).To(HaveLen(16))
		Expect(strings.Fields(first.Status.Revision.Terms)).To(ContainElements("path", "peopl"))
		second := t.ReconcileUntilStable(t.CreateArticle("second", WithText("Second", text+"\n\nOne more line."), ToBePublished))
		Expect(Reason(second, v1alpha1.ConditionApproved)).To(Equal("False/GateFailed"))
		Expect(second.Status.Revision.FailedGates).To(Equal([]string{"near-duplicate"}))
	})
})

// longText has enough words to be compared.
func longText() string {
	var b strings.Builder
	for _, place := range []string{"valley", "ridge", "forest", "lake", "village", "bridge", "meadow", "summit", "station", "harbour"} {
		b.WriteString("The path leads from here past the " + place + ", where people meet in the evening and tell what they saw of the " + place + ".\n\n")
	}
	return b.String()
}

var _ = Describe("The tokens of a site", func() {
	limited := func(perDay, perArticle int64) func(*v1alpha1.Site) {
		return func(s *v1alpha1.Site) {
			s.Spec.Limits.TokensPerDay, s.Spec.Limits.TokensPerArticle = &perDay, &perArticle
		}
	}

	It("of a day are counted in the ledger without a write of their own, and no run begins beyond the limit", func() {
		t := newTenant()
		t.CreateSite(limited(100, 1000))
		t.Generator.Does(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			Expect(r.MaxTokens).To(Equal(int64(1000)))
			result := Written(r.Keyword, call)
			result.Usage = generate.Usage{InputTokens: 60, OutputTokens: 40, Turns: 2}
			return result, nil
		})
		a := t.ReconcileUntilStable(t.CreateArticle("one", WithKeyword))
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))

		key := t.CreateArticle("two", WithKeyword)
		a = t.ReconcileUntilStable(key)
		Expect(Reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/DailyTokensExceeded"))
		Expect(t.Generator.Calls()).To(Equal(1))

		t.Clock.Step(time.Minute)
		t.ReconcileAccount()
		Expect(t.Usage().Sites).To(ConsistOf(And(HaveField("Count", int32(1)), HaveField("Tokens", int64(100)))))
		a = t.ReconcileUntilStable(key)
		Expect(Reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/DailyTokensExceeded"))

		t.Clock.Step(24 * time.Hour)
		a = t.ReconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
	})

	It("of a run end it without an article, and give its credit back", func() {
		t := newTenant()
		t.CreateSite(limited(1_000_000, 50))
		t.Generator.Does(func(context.Context, int, generate.Request, generate.Progress) (generate.Result, error) {
			return generate.Result{}, &generate.Error{Reason: v1alpha1.ReasonArticleTokensExceeded, Message: "used up", Usage: generate.Usage{InputTokens: 60}}
		})
		a := t.ReconcileUntilStable(t.CreateArticle("one", WithKeyword))
		Expect(Reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/ArticleTokensExceeded"))
		Expect(a.Status.Run.Charge).To(Equal(v1alpha1.Refunded))
		Expect(t.Generator.Calls()).To(Equal(1))
	})
})

var _ = Describe("A run", func() {
	It("knows the site's published articles, its voice and the length", func() {
		t := newTenant()
		t.CreateSite(func(s *v1alpha1.Site) {
			s.Spec.BrandVoice.Guide, s.Spec.BrandVoice.Examples = "We say you.", []string{"You run."}
		})
		t.Receiver.Answers(func(_ int, answer http.ResponseWriter) {
			_, _ = io.WriteString(answer, `{"id":"1","url":"https://blog.example.com/hiking-boots"}`)
		})
		boots := t.CreateArticle("boots", WithText("Hiking boots for long days", longText()), ApprovedInManifest, ToBePublished)
		Expect(t.ReconcileUntilStable(boots).Status.Phase).To(Equal(v1alpha1.PhasePublished))

		var got generate.Request
		t.Generator.Does(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			got = r
			return Written(r.Keyword, call), nil
		})
		t.ReconcileUntilStable(t.CreateArticle("children", func(a *v1alpha1.Article) {
			a.Spec.Generate = &v1alpha1.GenerateRequest{Keyword: "Children hiking boots"}
		}))
		t.ReconcileUntilStable(t.CreateArticle("shoes", func(a *v1alpha1.Article) {
			a.Spec.Generate = &v1alpha1.GenerateRequest{Keyword: "hiking boots for children", Length: v1alpha1.LengthLong}
		}))
		Expect(got.Links).To(ConsistOf(HaveField("URL", "https://blog.example.com/hiking-boots")))
		Expect(got).To(And(HaveField("Length", v1alpha1.LengthLong), HaveField("Guide", "We say you."), HaveField("Examples", []string{"You run."})))
		Expect(got.Site.SameKeyword).To(Equal([]string{"children"}))
		fingerprint, ok := related.ParseFingerprint(t.GetArticle(boots).Status.Revision.Fingerprint)
		Expect(ok).To(BeTrue())
		Expect(got.Site.Near(fingerprint)).To(Equal([]string{"boots"}))
	})

	It("may link to an article whose text is about its keyword, though the title is not", func() {
		t := newTenant()
		t.CreateSite()
		t.Receiver.Answers(func(_ int, answer http.ResponseWriter) {
			_, _ = io.WriteString(answer, `{"id":"1","url":"https://blog.example.com/walks"}`)
		})
		walks := t.CreateArticle("walks", WithText("A day out", longText()), ApprovedInManifest, ToBePublished)
		Expect(t.ReconcileUntilStable(walks).Status.Phase).To(Equal(v1alpha1.PhasePublished))
		var got generate.Request
		t.Generator.Does(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			got = r
			return Written(r.Keyword, call), nil
		})
		t.ReconcileUntilStable(t.CreateArticle("paths", func(a *v1alpha1.Article) {
			a.Spec.Generate = &v1alpha1.GenerateRequest{Keyword: "quiet evening paths"}
		}))
		Expect(got.Links).To(ConsistOf(HaveField("URL", "https://blog.example.com/walks")))
	})
})
