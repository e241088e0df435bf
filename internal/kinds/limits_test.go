package kinds

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	api "github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// wide is one character of two bytes: limits count characters.
const wide = "ü"

// limit is the most that a field takes: so many characters, or so many items of a list.
type limit struct {
	field string
	most  int
	// with returns an object whose field has this length.
	with func(length int) client.Object
}

// text is a limit in characters.
func text[T client.Object](field string, most int, from T, set func(T, string)) limit {
	return letters(field, most, from, wide, set)
}

// ascii is a limit in characters of a field that takes only some characters, a among them.
func ascii[T client.Object](field string, most int, from T, set func(T, string)) limit {
	return letters(field, most, from, "a", set)
}

func letters[T client.Object](field string, most int, from T, letter string, set func(T, string)) limit {
	return limit{field: field, most: most, with: func(length int) client.Object {
		o := copyOf(from)
		set(o, strings.Repeat(letter, length))
		return o
	}}
}

// items is a limit in items. Their values are all different.
func items[T client.Object](field string, most int, from T, set func(T, []string)) limit {
	return limit{field: field, most: most, with: func(length int) client.Object {
		o := copyOf(from)
		values := make([]string, length)
		for i := range values {
			values[i] = fmt.Sprintf("item-%d", i)
		}
		set(o, values)
		return o
	}}
}

func copyOf[T client.Object](from T) T {
	GinkgoHelper()
	o, ok := from.DeepCopyObject().(T)
	Expect(ok).To(BeTrue())
	return o
}

func articleLimits() []limit {
	article := newArticle(workspace)
	faq := func(a *api.Article, question, answer string) {
		a.Spec.Content.FAQ = []api.FAQ{{Question: question, Answer: answer}}
	}
	review := func(a *api.Article, by, note string) {
		a.Spec.Review = &api.ArticleReview{Decision: api.DecisionRejected, By: by, Note: note}
	}
	return []limit{
		text("spec.generate.keyword", 200, article, func(a *api.Article, s string) { a.Spec.Generate.Keyword = s }),
		items("spec.generate.secondaryKeywords", 10, article, func(a *api.Article, s []string) { a.Spec.Generate.SecondaryKeywords = s }),
		text("spec.generate.secondaryKeywords[0]", 200, article, func(a *api.Article, s string) {
			a.Spec.Generate.SecondaryKeywords = []string{s}
		}),
		text("spec.generate.tone", 200, article, func(a *api.Article, s string) { a.Spec.Generate.Tone = s }),
		text("spec.content.title", 300, article, func(a *api.Article, s string) { a.Spec.Content.Title = s }),
		ascii("spec.content.slug", 100, article, func(a *api.Article, s string) { a.Spec.Content.Slug = s }),
		text("spec.content.metaTitle", 300, article, func(a *api.Article, s string) { a.Spec.Content.MetaTitle = s }),
		text("spec.content.metaDescription", 1000, article, func(a *api.Article, s string) { a.Spec.Content.MetaDescription = s }),
		items("spec.content.faq", 50, article, fillFAQ),
		text("spec.content.faq[0].question", 500, article, func(a *api.Article, s string) { faq(a, s, "Yes.") }),
		text("spec.content.faq[0].answer", 5000, article, func(a *api.Article, s string) { faq(a, "Do they grip?", s) }),
		text("spec.review.by", 253, article, func(a *api.Article, s string) { review(a, s, "") }),
		text("spec.approvals[0].by", 253, article, func(a *api.Article, s string) { a.Spec.Approvals = entries(digest, s) }),
		text("spec.approvals[0].note", 2000, article, func(a *api.Article, s string) {
			a.Spec.Approvals = []api.ArticleApproval{{By: "mara@acme.example", Digest: digest, Note: s}}
		}),
		text("spec.review.note", 2000, article, func(a *api.Article, s string) { review(a, "mara@acme.example", s) }),
	}
}

func fillFAQ(a *api.Article, values []string) {
	for _, s := range values {
		a.Spec.Content.FAQ = append(a.Spec.Content.FAQ, api.FAQ{Question: s, Answer: s})
	}
}

func siteLimits() []limit {
	site := newSite(workspace)
	headless := newSite(workspace)
	headless.Spec.CMS = api.SiteCMS{Type: api.CMSHeadless, Headless: &api.HeadlessConnection{
		URL: "https://blog.acme.example/hook", SigningSecretRef: api.SecretKeyReference{Name: "acme-webhook", Key: "signingSecret"},
	}}
	model := newSite(workspace)
	model.Spec.Generator = &api.SiteGenerator{Type: api.GeneratorOpenAI, Model: "m"}
	// address returns a URL of this length.
	address := func(v string) string { return "https://a.example/" + v[len("https://a.example/"):] }
	return []limit{
		ascii("spec.domain", 253, site, func(s *api.Site, v string) { s.Spec.Domain = v }),
		text("spec.displayName", 200, site, func(s *api.Site, v string) { s.Spec.DisplayName = v }),
		text("spec.brandVoice.tone", 200, site, func(s *api.Site, v string) { s.Spec.BrandVoice.Tone = v }),
		text("spec.brandVoice.guide", 4000, site, func(s *api.Site, v string) { s.Spec.BrandVoice.Guide = v }),
		items("spec.brandVoice.examples", 3, site, func(s *api.Site, v []string) { s.Spec.BrandVoice.Examples = v }),
		text("spec.brandVoice.examples[0]", 1500, site, func(s *api.Site, v string) { s.Spec.BrandVoice.Examples = []string{v} }),
		text("spec.brandVoice.audience", 500, site, func(s *api.Site, v string) { s.Spec.BrandVoice.Audience = v }),
		items("spec.brandVoice.avoidWords", 100, site, func(s *api.Site, v []string) { s.Spec.BrandVoice.AvoidWords = v }),
		text("spec.brandVoice.avoidWords[0]", 100, site, func(s *api.Site, v string) { s.Spec.BrandVoice.AvoidWords = []string{v} }),
		text("spec.searchConsole.property", 300, site, func(s *api.Site, v string) {
			s.Spec.SearchConsole = &api.SearchConsole{Property: v}
		}),
		ascii("spec.cms.headless.url", 2048, headless, func(s *api.Site, v string) { s.Spec.CMS.Headless.URL = address(v) }),
		ascii("spec.cms.headless.signingSecretRef.name", 253, headless, func(s *api.Site, v string) {
			s.Spec.CMS.Headless.SigningSecretRef.Name = v
		}),
		text("spec.generator.model", 200, model, func(s *api.Site, v string) { s.Spec.Generator.Model = v }),
		ascii("spec.generator.baseURL", 2048, model, func(s *api.Site, v string) { s.Spec.Generator.BaseURL = address(v) }),
	}
}

func briefLimits() []limit {
	brief, article, revision := newBrief(workspace), newArticle(workspace), newRevision(workspace)
	source := func(set func(*api.BriefSource, string)) func(*api.Brief, string) {
		return func(b *api.Brief, v string) { set(&b.Spec.Sources[0], v) }
	}
	return []limit{
		text("spec.instructions", 4000, brief, func(b *api.Brief, v string) { b.Spec.Instructions = v }),
		items("spec.facts", 50, brief, func(b *api.Brief, v []string) { b.Spec.Facts = v }),
		text("spec.facts[0]", 500, brief, func(b *api.Brief, v string) { b.Spec.Facts = []string{v} }),
		items("spec.sources", 10, brief, func(b *api.Brief, v []string) {
			b.Spec.Sources = nil
			for _, name := range v {
				b.Spec.Sources = append(b.Spec.Sources, api.BriefSource{Name: name, Title: "T", Text: "T"})
			}
		}),
		text("spec.sources[0].title", 300, brief, source(func(s *api.BriefSource, v string) { s.Title = v })),
		ascii("spec.sources[0].url", 2048, brief, source(func(s *api.BriefSource, v string) { s.URL = "https://a.example/" + v[len("https://a.example/"):] })),
		text("spec.sources[0].text", 16000, brief, source(func(s *api.BriefSource, v string) { s.Text = v })),
		text("spec.generate.instructions", 2000, article, func(a *api.Article, v string) { a.Spec.Generate.Instructions = v }),
		letters("spec.claims[0]", 400, revision, wide, func(r *api.ArticleRevision, v string) {
			const head = "Figure/unsupported §12: "
			r.Spec.Claims = []string{head + string([]rune(v)[len([]rune(head)):])}
		}),
		items("spec.claims", api.MaxClaims, revision, func(r *api.ArticleRevision, v []string) {
			for _, words := range v {
				r.Spec.Claims = append(r.Spec.Claims, "Name/wrong-source: "+words)
			}
		}),
	}
}

func accountLimits() []limit {
	return []limit{
		text("spec.displayName", 200, newAccount(), func(a *api.Account, s string) { a.Spec.DisplayName = s }),
		text("spec.displayName", 200, newAPIKey(), func(k *api.APIKey, s string) { k.Spec.DisplayName = s }),
		items("spec.workspaces", 100, newAPIKey(), func(k *api.APIKey, s []string) { k.Spec.Workspaces = s }),
		ascii("spec.workspaces[0]", 63, newAPIKey(), func(k *api.APIKey, s string) { k.Spec.Workspaces = []string{s} }),
	}
}

func oauthLimits() []limit {
	app, grant := newOAuthClient(), newOAuthGrant()
	address := func(v string) string { return "https://a.example/" + v[len("https://a.example/"):] }
	return []limit{
		text("spec.displayName", 200, app, func(c *api.OAuthClient, v string) { c.Spec.DisplayName = v }),
		ascii("spec.redirectURIs[0]", 2048, app, func(c *api.OAuthClient, v string) { c.Spec.RedirectURIs = []string{address(v)} }),
		ascii("spec.logoURL", 2048, app, func(c *api.OAuthClient, v string) { c.Spec.LogoURL = address(v) }),
		ascii("spec.homeURL", 2048, app, func(c *api.OAuthClient, v string) { c.Spec.HomeURL = address(v) }),
		ascii("spec.policyURL", 2048, app, func(c *api.OAuthClient, v string) { c.Spec.PolicyURL = address(v) }),
		ascii("spec.termsURL", 2048, app, func(c *api.OAuthClient, v string) { c.Spec.TermsURL = address(v) }),
		ascii("spec.contacts[0]", 254, app, func(c *api.OAuthClient, v string) { c.Spec.Contacts = []string{v[:len(v)-2] + "@a"} }),
		text("spec.person", 180, grant, func(g *api.OAuthGrant, v string) { g.Spec.Person = v }),
		items("spec.workspaces", 100, grant, func(g *api.OAuthGrant, v []string) { g.Spec.Workspaces = v }),
		ascii("spec.workspaces[0]", 63, grant, func(g *api.OAuthGrant, v string) { g.Spec.Workspaces = []string{v} }),
		text("spec.redirectURI", 2048, grant, func(g *api.OAuthGrant, v string) { g.Spec.RedirectURI = v }),
	}
}

// body is one that is within the limit in characters and has this size in bytes.
func body(size int) string {
	return strings.Repeat(wide, size/len(wide)) + strings.Repeat("a", size%len(wide))
}

// bodies are objects with a body of this size in bytes.
func bodies(size int) []client.Object {
	article := newArticle(workspace)
	article.Spec.Content.Markdown = body(size)
	revision := newRevision(workspace)
	revision.Spec.Markdown = body(size)
	return []client.Object{article, revision}
}

var _ = Describe("Limits", func() {
	It("count characters and items, and hold exactly", func(ctx SpecContext) {
		for _, l := range slices.Concat(articleLimits(), siteLimits(), briefLimits(), accountLimits(), oauthLimits()) {
			Expect(admin.Create(ctx, l.with(l.most), client.DryRunAll)).To(Succeed(), l.field)
			err := admin.Create(ctx, l.with(l.most+1), client.DryRunAll)
			Expect(err).To(beInvalid(strconv.Itoa(l.most)), l.field)
			Expect(fieldsOf(err)).To(HaveExactElements(l.field))
		}
	})

	It("take a keyword of 2 characters, whatever their bytes", func(ctx SpecContext) {
		article := newArticle(workspace)
		article.Spec.Generate.Keyword = "日本"
		Expect(admin.Create(ctx, article, client.DryRunAll)).To(Succeed())
	})

	It("count a body in bytes, and do not repeat it when they refuse it", func(ctx SpecContext) {
		for _, obj := range bodies(api.MaxMarkdownBytes) {
			Expect(admin.Create(ctx, obj, client.DryRunAll)).To(Succeed())
		}
		for _, size := range []int{api.MaxMarkdownBytes + 1, 300_000} {
			for _, obj := range bodies(size) {
				err := admin.Create(ctx, obj, client.DryRunAll)
				Expect(err).To(beInvalid("markdown must be at most 262144 bytes"))
				Expect(len(err.Error())).To(BeNumerically("<", 300))
			}
		}
	})

	It("do not repeat a body of more characters than anything takes", func(ctx SpecContext) {
		for _, obj := range bodies(2_400_000) {
			err := admin.Create(ctx, obj, client.DryRunAll)
			Expect(err).To(beInvalid("markdown: Too long"))
			Expect(len(err.Error())).To(BeNumerically("<", 500))
		}
	})
})
