package dashboard_test

import (
	"net/http"
	"strings"
	"time"

	"github.com/PuerkitoBio/goquery"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

// rows are the titles of the list.
func rows(page *dashboardtest.Page) []string {
	out := []string{}
	page.Find("[data-row] a[data-open]").Each(func(_ int, s *goquery.Selection) { out = append(out, s.Text()) })
	return out
}

var _ = Describe("The list of articles", func() {
	It("begins with what waits for somebody who may approve, and with all for others", func() {
		t := facades.NewTenant("Acme")
		t.Written("Waits", "A text.")
		t.Generating("is generated")
		page := t.SignIn().Get("/app")
		Expect(page.URL.Path).To(Equal(t.In("articles")), "the only workspace")
		Expect(rows(page)).To(Equal([]string{"Waits"}))
		Expect(page.Text(".tabs [aria-current=page]")).To(Equal("In review 1 articles"))
		Expect(page.Text("#nav-l")).To(Equal("1 in review"))

		writer := t.SignInWith(t.NewKey("Wes", v1alpha1.ScopeRead, v1alpha1.ScopeWrite))
		Eventually(func() []string { return rows(writer.Get(t.In("articles"))) }).Should(Equal([]string{"is generated", "Waits"}))
		Expect(writer.Get(t.In("articles")).Find("#nav-l").Length()).To(BeZero())
	})

	It("shows status, score, keyword, review and why", func() {
		t := facades.NewTenant("Acme")
		uid := t.InReview("trail shoes")
		Expect(t.Ask(http.MethodPost, "/v1/api/blogs/"+uid+"/reject", map[string]any{"note": "no sources"}).Status).To(Equal(http.StatusOK))
		p := t.SignIn()
		row := func() string { return p.Get(t.In("articles") + "?status=rejected").Text("#a-" + uid) }
		Eventually(row).Should(And(ContainSubstring("Trail running shoes: what to look for"), ContainSubstring("trail shoes"),
			ContainSubstring("Rejected no sources"), ContainSubstring("rejected by Mara"), ContainSubstring("made")))
	})

	It("is searched, ordered and narrowed by its address", func() {
		t := facades.NewTenant("Acme")
		t.NewSite(t.Workspace, "other")
		for _, title := range []string{"Alpine boots", "Trail Shoes", "Road shoes"} {
			t.Written(title, "A text.")
		}
		p := t.SignIn()
		search := p.Submit(p.Get(t.In("articles")), "form[role=search]", nil)
		Expect(search.Status).NotTo(Equal(http.StatusOK), "the form is sent by GET")
		for query, want := range map[string][]string{
			"":                       {"Road shoes", "Trail Shoes", "Alpine boots"},
			"?order=oldest":          {"Alpine boots", "Trail Shoes", "Road shoes"},
			"?q=SHOES":               {"Road shoes", "Trail Shoes"},
			"?q=shoes&order=oldest":  {"Trail Shoes", "Road shoes"},
			"?q=boots&status=failed": {},
			"?site=" + t.SiteUID:     {"Road shoes", "Trail Shoes", "Alpine boots"},
		} {
			page := p.Get(t.In("articles") + query)
			Expect(rows(page)).To(Equal(want), query)
			Expect(page.Find("input[name=q]").AttrOr("value", "")).To(Equal(page.URL.Query().Get("q")))
		}
		Expect(p.Get(t.In("articles")+"?site="+t.SiteUID).Find("select[name=site] option[selected]").AttrOr("value", "")).To(Equal(t.SiteUID))
		Expect(p.Get(t.In("articles") + "?site=nonsense").Status).To(Equal(http.StatusBadRequest))
	})

	It("has pages of fifty, from which there is a way on and a way back", func() {
		t := facades.NewTenant("Acme")
		for range 101 {
			t.Ask(http.MethodPost, "/v1/api/blogs", map[string]any{"site_uid": t.SiteUID, "title": "Shoes", "content_markdown": "A text."})
		}
		p := t.SignIn()
		first := t.In("articles") + "?status=all"
		var forth [][]string
		page := p.Get(first)
		for {
			forth = append(forth, ids(page))
			next, more := page.Find("a[rel=next]").Attr("href")
			if !more {
				break
			}
			page = p.Get(next)
		}
		Expect(forth).To(HaveLen(3))
		Expect([]int{len(forth[0]), len(forth[1]), len(forth[2])}).To(Equal([]int{50, 50, 1}))
		for i := 1; i >= 0; i-- {
			page = p.Get(page.Find("a[rel=prev]").AttrOr("href", ""))
			Expect(ids(page)).To(Equal(forth[i]), "page %d on the way back", i+1)
		}
		before := page.Find("a[rel=prev]")
		if before.Length() > 0 {
			Expect(ids(p.Get(before.AttrOr("href", "")))).To(Equal(forth[0]))
		}
	})

	It("says why it is empty, and leads on", func() {
		t := facades.NewTenant("Acme")
		p := t.SignIn()
		empty := func(query string) string { return p.Get(t.In("articles") + query).Text("#empty") }
		Expect(empty("")).To(And(ContainSubstring("No article yet"), ContainSubstring("Generate the first one"), ContainSubstring("Write one")))
		t.Generating("trail shoes")
		Eventually(func() string { return empty("") }).WithPolling(time.Second).Should(ContainSubstring("Nothing waits for you 1 article being generated"))
		Expect(empty("?status=failed")).To(ContainSubstring("None is failed at the moment"))
		page := p.Get(t.In("articles") + "?status=review&q=boots")
		Expect(page.Text("#empty")).To(ContainSubstring("No article that is in review has “boots” in its title, keyword, slug, model or reviewer"))
		Expect(page.Find("#empty a").AttrOr("href", "")).To(Equal(t.In("articles") + "?status=review"))
		reader := t.SignInWith(t.NewKey("Rea", v1alpha1.ScopeRead))
		Expect(reader.Get(t.In("articles") + "?status=all").Find("a[href*='/new']").Length()).To(BeZero())
	})

	It("leads to each of several workspaces, and says what waits there", func() {
		t := facades.NewTenant("Acme")
		t.Written("Waits", "A text.")
		t.NewSite(t.Workspace+"-2", "main")
		p := t.SignIn()
		Eventually(func() string { return p.Get("/app").Text("main") }).Should(And(
			ContainSubstring(t.Workspace+" 1 in review"), ContainSubstring(t.Workspace+"-2")))
	})

	It("shows what others have written as text", func() {
		t := facades.NewTenant("Acme")
		title := `<script>alert(1)</script> "><img src=x onerror=alert(1)>`
		t.Written(title, "A text.")
		page := t.SignIn().Get(t.In("articles"))
		Expect(rows(page)).To(Equal([]string{title}))
		Expect(page.Find("main script, main img").Length()).To(BeZero())
	})
})

func ids(page *dashboardtest.Page) []string {
	out := []string{}
	page.Find("[data-row]").Each(func(_ int, s *goquery.Selection) { out = append(out, s.AttrOr("id", "")) })
	return out
}

var _ = Describe("Everything that a list of fifty loads", func() {
	It("has at most 15 KB, compressed", func() {
		t := facades.NewTenant("Acme")
		for range 50 {
			t.Generating("trail running shoes for wet rock and long days")
		}
		p := t.SignIn()
		var page *dashboardtest.Page
		Eventually(func() int { page = p.Get(t.In("articles") + "?status=all"); return len(ids(page)) }).Should(Equal(50))
		html, err := page.Html()
		Expect(err).NotTo(HaveOccurred())
		Expect(compressedSize(strings.NewReader(html))).To(BeNumerically("<", 15<<10))
	})

	It("is searched in all statuses, and the tabs filter what was found", func() {
		t := facades.NewTenant("Acme")
		t.InReview("alpine huts")
		p := t.SignIn()
		empty := p.Get(t.In("articles") + "?status=scheduled")
		found := p.Get(t.In("articles") + "?status=scheduled&first=1&q=huts+alpine")
		Expect(empty.Find("[name=first]").Length()).To(Equal(1))
		Expect(found.Text("tbody")).To(ContainSubstring("alpine huts"))
		Expect(found.Find("[name=first]").Length()).To(BeZero(), "the tab stays")
		Expect(p.Get(found.Find(".tabs a[href*='status=scheduled']").AttrOr("href", "")).Text("#empty")).To(ContainSubstring("huts alpine"))
	})
})
