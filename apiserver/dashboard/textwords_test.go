package dashboard_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/PuerkitoBio/goquery"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/revision"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
	"github.com/pressroom-dev/pressroom/test/destinationtest"
)

// shownText is what REST and the pages show of a text.
type shownText struct {
	HTML     string         `json:"content_html"`
	FAQ      []v1alpha1.FAQ `json:"faq"`
	Tags     []string       `json:"tags"`
	Category string         `json:"category"`
}

func overREST(t *dashboardtest.Tenant, uid string) (shown shownText) {
	GinkgoHelper()
	got := t.Ask(http.MethodGet, "/v1/api/blogs/"+uid, nil)
	Expect(json.Unmarshal([]byte(got.Raw), &shown)).To(Succeed())
	return shown
}

// sentArticle is the article as a connector gets it.
func sentArticle(t *dashboardtest.Tenant, uid string) publish.Article {
	GinkgoHelper()
	a, rev := &v1alpha1.Article{}, &v1alpha1.ArticleRevision{}
	t.Get(uid, a)
	t.Get(a.Status.Revision.Name, rev)
	sent, err := publish.NewArticle(a, revision.Document(rev))
	Expect(err).NotTo(HaveOccurred())
	return sent
}

var _ = Describe("The words of a text", func() {
	It("are the same in the preview, over REST, in a payload and at each CMS", func() {
		var t *dashboardtest.Tenant
		var p *dashboardtest.Person
		for i, name := range slices.Sorted(maps.Keys(destinationtest.Texts)) {
			if i%10 == 0 {
				// An account gets so many pages and requests a second.
				t = facades.NewTenant("Acme")
				p = t.SignIn()
			}
			text := destinationtest.Texts[name]
			By(name)
			uid := t.WrittenWith("Trail shoes "+name, text.Markdown, map[string]any{"faq": destinationtest.FAQ})
			rest := overREST(t, uid)
			Expect(rest.FAQ).To(Equal(destinationtest.FAQ))
			want := destinationtest.WordsOf(GinkgoTB(), rest.HTML)
			Expect(want).To(ContainSubstring(text.Want))

			preview, err := p.Get(t.In("articles", uid, "preview") + "?images=1").Find("body > article").Html()
			Expect(err).NotTo(HaveOccurred())
			Expect(destinationtest.WordsOf(GinkgoTB(), preview)).To(Equal(want), "the preview")
			questions := p.Get(t.In("articles", uid)).Find("section[aria-labelledby='faq'] details").Children().Map(func(_ int, q *goquery.Selection) string {
				return strings.Join(strings.Fields(q.Text()), " ")
			})
			Expect(strings.Join(questions, " ")).To(Equal(destinationtest.WordsOfFAQ(rest.FAQ)), "the questions beside it")

			a := sentArticle(t, uid)
			for _, kind := range destinationtest.Types() {
				Expect(destinationtest.SentTo(GinkgoTB(), kind, a).Words(GinkgoTB())).To(
					Equal(destinationtest.WordsWithFAQ(kind, want, rest.FAQ)), string(kind))
			}
		}
	})

	It("of a manifest are read as those that the REST API takes", func() {
		t := facades.NewTenant("Acme")
		a := &v1alpha1.Article{}
		a.Namespace, a.Name = t.Workspace, "huts"
		a.Spec = v1alpha1.ArticleSpec{SiteRef: v1alpha1.LocalReference{Name: t.Site}, Content: &v1alpha1.ArticleContent{
			Title: "Huts\u202E", Markdown: "One hut.", Category: "\u202EAlps\u202C", Tags: []string{"\u200B", "hut\u2066s", "huts", "می\u200Cخواهم"},
			FAQ: []v1alpha1.FAQ{{Question: "\u3164", Answer: "A."}, {Question: "Which\u202E?", Answer: "That."}},
		}}
		t.Create(a)
		t.Reconcile("huts")
		p := t.SignIn()
		var uid string
		Eventually(func() string {
			got := t.Ask(http.MethodGet, "/v1/api/blogs", nil)
			var list struct {
				Data []struct {
					UID   string `json:"uid"`
					Title string `json:"title"`
				} `json:"data"`
			}
			Expect(json.Unmarshal([]byte(got.Raw), &list)).To(Succeed())
			if len(list.Data) == 0 {
				return ""
			}
			uid = list.Data[0].UID
			return list.Data[0].Title
		}).Should(Equal("Huts"))
		rest := overREST(t, uid)
		Expect(rest.Tags).To(Equal([]string{"huts", "می\u200Cخواهم"}))
		Expect(rest.Category).To(Equal("Alps"))
		Expect(rest.FAQ).To(Equal([]v1alpha1.FAQ{{Question: "Which?", Answer: "That."}}))
		Expect(sentArticle(t, "huts").Tags).To(Equal(rest.Tags))
		Expect(p.Get(t.In("articles", uid)).Text("section[aria-labelledby='post']")).To(Equal("Post Tagshuts, می\u200Cخواهم CategoryAlps"))
	})
})
